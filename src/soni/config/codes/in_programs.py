"""E9: programs, which `soni optimize` writes and `settings.nlu.program` names."""

from soni.config.codes.code import Code

_GREET = """
            flows:
              greet:
                steps:
                  - say: Hello
            """

CODES = (
    Code(
        "E901",
        "a program that cannot be read",
        "`settings.nlu.program` names a file that is not there, that lies outside of the "
        "assistant's folder, or that is not what `soni optimize` writes in this version.",
        "Write it anew with `soni optimize DIR`, or remove the key: the understanding then works "
        "as it does without a program.",
        wrong="""
            settings:
              nlu: {program: soni.program.json}
            """
        + _GREET,
        right=_GREET,
    ),
    Code(
        "E902",
        "a program made for other flows",
        "Since `soni optimize` wrote the program, flows or slots were added, removed or changed: "
        "their descriptions, examples, types or values. What it was measured on is no longer so. "
        "Or another version of Soni wrote it: it names a limit that there is no more, or shows a "
        "language model commands that are others now.",
        "Run `soni optimize DIR` again, or remove the key.",
        wrong="""
            settings:
              nlu: {program: another.program.json}
            """
        + _GREET,
        right=_GREET,
        in_words=True,
    ),
    Code(
        "E903",
        "a program made for another provider",
        "What was found out for one way to understand is of no use to another: the program holds "
        "nothing for the provider that `settings.nlu.provider` names.",
        "Run `soni optimize DIR --provider ...` for that provider, or remove the key.",
        wrong="""
            settings:
              nlu: {provider: llm, model: qwen, program: local.program.json}
            """
        + _GREET,
        right="""
            settings:
              nlu: {provider: llm, model: qwen, program: llm.program.json}
            """
        + _GREET,
        in_words=True,
    ),
)
