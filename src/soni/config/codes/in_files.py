"""E140 to E155: files that are not there, cannot be read, or would keep Soni busy for ever."""

from soni.config.codes.code import Code

CODES = (
    Code(
        "E140",
        "no assistant here",
        "The path is not a folder with a YAML file in it, nor a YAML file.",
        "Give the folder that holds soni.yaml.",
        wrong="soni check my_asistant",
        right="soni check my_assistant",
        in_words=True,
    ),
    Code(
        "E141",
        "nothing is written",
        "The file is empty, or holds only comments.",
        "Write at least one flow.",
        wrong="# flows come here",
        right="""
            flows:
              greet:
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "E142",
        "a file that cannot be opened",
        "The system does not let Soni read the file, or there is no file of that name.",
        "Give the user that runs Soni the right to read it; name a file as it is seen from the "
        "folder in which the command runs.",
        wrong="chmod 000 soni.yaml",
        right="chmod 644 soni.yaml",
        in_words=True,
    ),
    Code(
        "E143",
        "too large",
        "A file may have 1,000,000 bytes, and all YAML files of an assistant 5,000,000. Nobody "
        "writes that much, and reading it would hold up everybody else.",
        "Split a large file over several; keep data that only Python needs out of YAML.",
        wrong="a soni.yaml of 12 megabytes with every street of a country in it",
        right="a slot with a validator that looks the street up",
        in_words=True,
    ),
    Code(
        "E144",
        "not UTF-8",
        "The file holds bytes that are not UTF-8, as those of an older Windows encoding.",
        "Save the file as UTF-8; every editor can.",
        wrong="soni.yaml saved as Windows-1252",
        right="soni.yaml saved as UTF-8",
        in_words=True,
    ),
    Code(
        "E145",
        "a link that leads out of the folder",
        "A YAML file or a Python file of the assistant is a link to something outside of its "
        "folder. Who may write into the folder could so make Soni read, or run, any file.",
        "Put the file itself into the folder. Links within the folder are fine.",
        wrong="ln -s /srv/shared/slots.yaml my_assistant/slots.yaml",
        right="cp /srv/shared/slots.yaml my_assistant/slots.yaml",
        in_words=True,
    ),
    Code(
        "E151",
        "nested too deep",
        "Lists and mappings are in each other more than 64 deep.",
        "Flatten it: no key of the language needs a tenth of that.",
        wrong="a hundred brackets in a row: [[[[[[[[[[ ...",
        right="values that are at most some levels deep",
        in_words=True,
    ),
    Code(
        "E152",
        "too many values",
        "A file may have 30,000 lines, commas, colons and opening brackets in all.",
        "Split it over several files; keep data that only Python needs out of YAML.",
        wrong="one soni.yaml with two thousand flows",
        right="a file for each group of flows",
        in_words=True,
    ),
    Code(
        "E153",
        "a line that is too long",
        "A line may have 20,000 characters; no text of an assistant may have more.",
        "Break it into several lines: `say: >-` joins the lines below it with spaces.",
        wrong="an image as text in one line of a hundred thousand letters",
        right="the address of the image",
        in_words=True,
    ),
    Code(
        "E154",
        "aliases that make too much",
        "An alias is copied wherever it stands. Aliases of aliases of aliases make more values "
        "than a file may have.",
        "Write the repeated parts out, or repeat less.",
        wrong="a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n... and so on for thirty lines",
        right="a: [x, x, x, x]",
        in_words=True,
    ),
    Code(
        "E155",
        "a character that YAML does not have",
        "A control character, such as a null byte, stands in the file. It is not seen in most "
        "editors, and often comes from copying out of a terminal or a PDF.",
        "Remove it; write `\\x07` in double quotes if it is really meant.",
        wrong="say: Hello followed by a bell character",
        right="say: Hello",
        in_words=True,
    ),
)
