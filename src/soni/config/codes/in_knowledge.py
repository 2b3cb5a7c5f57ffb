"""E8: what only knowledge for digressions can say wrongly."""

from soni.config.codes.code import Code

_GREET = """
            flows:
              greet:
                steps:
                  - say: Hello
            """

CODES = (
    Code(
        "E801",
        "a question with two answers",
        "The same words, apart from case and signs, are a question of two entries. Nobody could "
        "say which answer is right.",
        "Keep the question in one of the two, or say with `flow` or `when` in which moment each "
        "of them counts.",
        wrong="""
            knowledge:
              - {question: When are you open?, answer: From nine to five.}
              - {question: [When are you open], answer: Always.}
            """
        + _GREET,
        right="""
            knowledge:
              - {question: When are you open?, answer: From nine to five.}
              - {question: When are you open?, when: session.vip, answer: "For you, always."}
            """
        + _GREET,
    ),
    Code(
        "E802",
        "an entry without words",
        "A question without words is never found, and an answer without any says nothing.",
        "Write both, or remove the entry.",
        wrong="""
            knowledge:
              - {question: "?", answer: From nine to five.}
            """
        + _GREET,
        right="""
            knowledge:
              - {question: When are you open?, answer: From nine to five.}
            """
        + _GREET,
    ),
)
