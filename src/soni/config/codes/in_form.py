"""E101 to E114: keys, kinds and words that the language does not have."""

from soni.config.codes.code import Code

CODES = (
    Code(
        "E101",
        "unknown key",
        "The language has no such key in this place. Most often it is misspelt, or indented so "
        "that it belongs to something else.",
        "Take one of the available keys, or move the line to where it belongs.",
        wrong="""
            flows:
              greet:
                descripton: Greets
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
        "E102",
        "missing key",
        "Something cannot be without this key: a flow without steps does nothing, a collect step "
        "without a slot has nothing to ask for.",
        "Add the key.",
        wrong="""
            flows:
              greet:
                steps:
                  - {type: collect, message: What is your name?}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {type: collect, slot: name, message: What is your name?}
            """,
    ),
    Code(
        "E103",
        "wrong kind of value",
        "A text stands where a list must, a number where a text must, and so on. YAML decides the "
        "kind by the spelling: 42 and true are no texts, and {name} is a mapping.",
        "Write the expected kind; put quotes around a text that looks like something else.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: 42
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: "42"
            """,
    ),
    Code(
        "E104",
        "unknown step type",
        "The key that says what a step does, or the value of `type`, is not a step type.",
        "Take one of the available types.",
        wrong="""
            flows:
              greet:
                steps:
                  - colect: name
                    message: What is your name?
            """,
        right="""
            flows:
              greet:
                steps:
                  - collect: name
                    message: What is your name?
            """,
    ),
    Code(
        "E105",
        "a step without exactly one type",
        "A step does one thing. This one says nothing that is a type, or two of them, or it is "
        "only a text.",
        "Write one type and what it is about; make two steps of two types.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: Hello
                    collect: name
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: Hello
                  - {collect: name, message: What is your name?}
            """,
    ),
    Code(
        "E106",
        "unknown slot type",
        "The value of `type` is not a slot type.",
        "Take one of the available types; without any, a slot is a string.",
        wrong="""
            slots:
              people: {type: int, prompt: For how many?}
            flows:
              book:
                steps:
                  - collect: people
            """,
        right="""
            slots:
              people: {type: integer, prompt: For how many?}
            flows:
              book:
                steps:
                  - collect: people
            """,
    ),
    Code(
        "E107",
        "number out of bounds",
        "A number is smaller or larger than what makes sense here.",
        "Keep within the bounds that the message names.",
        wrong="""
            settings:
              collection: {max_attempts: 0}
            flows:
              greet:
                steps:
                  - say: Hello
            """,
        right="""
            settings:
              collection: {max_attempts: 3}
            flows:
              greet:
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E108",
        "impossible word",
        "Only a few words are possible here, and this is none of them.",
        "Take one of the available words.",
        wrong="""
            slots:
              plan: {scope: global, prompt: Which plan?}
            flows:
              choose:
                steps:
                  - collect: plan
            """,
        right="""
            slots:
              plan: {scope: conversation, prompt: Which plan?}
            flows:
              choose:
                steps:
                  - collect: plan
            """,
    ),
    Code(
        "E109",
        "too few or too many entries",
        "A list or mapping is empty that must hold something, or a flow has more steps than can "
        "be followed.",
        "Write at least one entry; make several flows of one that is too long.",
        wrong="""
            flows:
              greet:
                steps: []
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E110",
        "keys that do not go together",
        "Each key is fine, but not all of them at once, or one of them needs another.",
        "Change the keys as the message says.",
        wrong="""
            flows:
              greet:
                steps:
                  - {type: say, message: Hello, response: welcome}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {type: say, message: Hello}
            """,
    ),
    Code(
        "E111",
        "one key under two names",
        "Some keys have two names, such as `message` and `prompt` of a collect step. Both are "
        "written, and only one of them could be meant.",
        "Keep one of the two.",
        wrong="""
            flows:
              greet:
                steps:
                  - {collect: name, prompt: Your name?, message: Who are you?}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Who are you?}
            """,
    ),
    Code(
        "E112",
        "unknown version",
        "The assistant is written for a version of the language that this Soni does not read.",
        "Write the version that is available, or install a newer Soni.",
        wrong="""
            version: "2"
            flows:
              greet:
                steps:
                  - say: Hello
            """,
        right="""
            version: "1"
            flows:
              greet:
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E113",
        "environment variable",
        "Every variable that begins with SONI_SETTINGS__ is a setting and decides over the file. "
        "This one names no setting, or its value is not possible. The value is never shown: it "
        "may be a secret.",
        "Correct the variable's name or value, or unset it.",
        wrong="SONI_SETTINGS__COLLECTION__MAX_ATTEMPTS=often",
        right="SONI_SETTINGS__COLLECTION__MAX_ATTEMPTS=5",
        in_words=True,
    ),
    Code(
        "E114",
        "defined twice",
        "One key stands twice in a mapping, or in two files of the assistant. Either could be "
        "meant, so neither is taken silently.",
        "Keep one of the two, or rename one.",
        wrong="""
            flows:
              greet:
                description: Says hello
                description: Greets
                steps:
                  - say: Hello
            """,
        right="""
            flows:
              greet:
                description: Says hello
                steps:
                  - say: Hello
            """,
    ),
)
