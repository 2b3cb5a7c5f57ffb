"""E7: what only a conversation test, or a file of sentences, can say wrongly."""

from soni.config.codes.code import Code

CODES = (
    Code(
        "E701",
        "a conversation test that cannot be run",
        "A `*.test.yaml` file names something that the assistant does not have, or asks for "
        "something that a test cannot do. Mistakes that any YAML file can have keep their codes.",
        "Change the test as the message says.",
        wrong="""
            tests:
              - name: greets
                turns:
                  - {user: hi, expect: {flow: gret}}
            """,
        right="""
            tests:
              - name: greets
                turns:
                  - {user: hi, expect: {flow: greet}}
            """,
        in_words=True,
    ),
    Code(
        "E702",
        "a sentence that cannot be asked",
        "A file of `nlu/` names a moment, flow, slot or action that the assistant does not have, "
        "or writes a command that makes no sense. Mistakes that any YAML file can have keep their "
        "codes.",
        "Change the sentence or the moment as the message says.",
        wrong="""
            said:
              idle:
                send 50 to Bob: StartFlow transfr; SetSlot amount 50
            """,
        right="""
            said:
              idle:
                send 50 to Bob: StartFlow transfer; SetSlot amount 50
            """,
        in_words=True,
    ),
)
