"""E7: what only a conversation test can say wrongly."""

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
)
