"""E120 to E136: text that YAML reads otherwise than its author, or not at all."""

from soni.config.codes.code import Code

_QUOTES = """
    flows:
      greet:
        steps:
          - say: "Hello"
    """
_PLAIN = """
    flows:
      greet:
        steps:
          - say: Hello
    """

CODES = (
    Code(
        "E120",
        "not YAML",
        "The file cannot be read as YAML 1.2, in a way that has no code of its own.",
        "Write the line in another way; an editor that knows YAML shows what it is taken for.",
        wrong="""
            %YAML 3.0
            ---
            flows:
              greet:
                steps:
                  - say: Hello
            """,
        right=_PLAIN,
    ),
    Code(
        "E121",
        "a second colon",
        "A colon and a space make a key. In a text without quotes, YAML takes what stands before "
        "them for one.",
        "Put the text in quotes.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: Note: we open at nine
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: "Note: we open at nine"
            """,
    ),
    Code(
        "E122",
        "a tab",
        "YAML indents with spaces; how wide a tab is, nobody could say.",
        "Replace tabs by spaces.",
        wrong="flows:\n\tgreet:\n\t\tsteps:\n\t\t\t- say: Hello",
        right=_PLAIN,
    ),
    Code(
        "E123",
        "a sign that no text begins with",
        "Signs such as @, ` and % mean something to YAML, or are kept for later.",
        "Put the text in quotes.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: @home
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: "@home"
            """,
    ),
    Code(
        "E124",
        "a list cannot begin here",
        "A dash makes an entry of a list, and a list cannot begin on the line of its key.",
        "Begin the list on a line of its own, or write it in brackets.",
        wrong="""
            flows:
              greet:
                steps: - say: Hello
            """,
        right=_PLAIN,
    ),
    Code(
        "E125",
        "a quote that is never closed",
        "A text begins with a quote, and the same quote does not come again.",
        "Close the quote; write it twice inside single quotes.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: "Hello
            """,
        right=_QUOTES,
    ),
    Code(
        "E126",
        "a backslash without meaning",
        r"In double quotes a backslash begins a special sign, such as \n, and this is none.",
        r"Write \\ for a backslash, or use single quotes, where it is a sign like others.",
        wrong=r"""
            flows:
              greet:
                steps:
                  - say: "C:\data"
            """,
        right=r"""
            flows:
              greet:
                steps:
                  - say: 'C:\data'
            """,
    ),
    Code(
        "E127",
        "a key without its colon",
        "A line stands among `key: value` lines and has no colon, or no space behind it.",
        "Write `key: value`.",
        wrong="""
            flows:
              greet:
                description: Greets
                interruptible
                steps:
                  - say: Hello
            """,
        right="""
            flows:
              greet:
                description: Greets
                interruptible: true
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E128",
        "something behind the end of a value",
        "A quote or bracket has ended the value, and the line goes on.",
        "Put the whole text in quotes, and write a quote inside of single quotes twice.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: 'It's me'
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: "It's me"
            """,
    ),
    Code(
        "E129",
        "brackets",
        "A [ or { is never closed, or a comma is missing in between. A text that begins with one "
        "of them is taken for a list or mapping.",
        "Close the bracket, add the comma, or put the text in quotes.",
        wrong="""
            flows:
              greet:
                trigger: {examples: [hi, hello}
                steps:
                  - say: Hello
            """,
        right="""
            flows:
              greet:
                trigger: {examples: [hi, hello]}
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E130",
        "indentation",
        "A line begins neither where the lines above it begin nor deeper.",
        "Give all lines of one mapping or list the same indentation.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: Hello
                 - say: Bye
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: Hello
                  - say: Bye
            """,
    ),
    Code(
        "E131",
        "a tag",
        "A word that begins with ! is a tag: it would tell YAML to make something else of the "
        "value. Soni makes nothing but texts, numbers, lists and mappings.",
        "Remove the tag; put a text that begins with ! in quotes.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: !important Hello
            """,
        right=_PLAIN,
    ),
    Code(
        "E132",
        "an alias of nothing",
        "A word that begins with * stands for what was named with & before. Nothing was, or the "
        "alias stands inside of what it names.",
        "Name the value with &, write it out, or put a text that begins with * in quotes.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: *hello
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: "*hello"
            """,
    ),
    Code(
        "E133",
        "a merge key",
        "Older YAML merged another mapping with `<<`. YAML 1.2 does not, and what is merged from "
        "elsewhere cannot be seen where it counts.",
        "Write the keys out.",
        wrong="""
            flows:
              greet:
                <<: {description: Greets}
                steps:
                  - say: Hello
            """,
        right="""
            flows:
              greet:
                description: Greets
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E134",
        "a second document",
        "A line `---` begins another document, and a file is one.",
        "Remove the line, or make two files.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: Hello
            ---
            flows:
              leave:
                steps:
                  - say: Bye
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: Hello
              leave:
                steps:
                  - say: Bye
            """,
    ),
    Code(
        "E135",
        "something that cannot be a key",
        "A key is a word. This one is missing, or it is a list or mapping: {{ ... }} without "
        "quotes is a mapping in a mapping.",
        "Write the key; put an expression in quotes.",
        wrong="""
            flows:
              count:
                steps:
                  - set: {total: {{ 1 + 1 }} }
            """,
        right="""
            flows:
              count:
                steps:
                  - set: {total: "{{ 1 + 1 }}"}
            """,
    ),
    Code(
        "E136",
        "a value that cannot be read",
        "A number has more digits than any computer counts with, a sign is only half there, or a "
        "value is not of the kind that its !!tag says.",
        "Put it in quotes if it is a text, or write it otherwise.",
        wrong="""
            flows:
              pay:
                steps:
                  - set: {account: !!int ES91 2100}
            """,
        right="""
            flows:
              pay:
                steps:
                  - set: {account: ES91 2100}
            """,
    ),
)
