"""Two spellings, one model: the same conversation either way."""

from tests.talking import assistant, talking_to

LONG = """
    slots:
      name: {prompt: "Name?"}
    flows:
      greet:
        trigger: {examples: [hello]}
        steps:
          - {step: collect_name, type: collect, slot: name}
          - {step: action_look, type: action, call: look}
          - {step: set_n, type: set, values: {n: 1}}
          - {step: branch, type: branch, when: [{condition: "n > 1", then: end}]}
          - {step: confirm_sure_name, type: confirm, message: "Sure, {name}?"}
          - {step: say_hello_name, type: say, message: "Hello, {name}!"}
          - {step: say_hello_name_2, type: say, message: "Hello, {name}!"}
"""

SHORT = """
    slots:
      name: {prompt: "Name?"}
    flows:
      greet:
        trigger: {intents: [hello]}
        process:
          - collect: name
          - action: look
          - set: {n: 1}
          - branch: [{condition: "n > 1", then: end}]
          - confirm: "Sure, {name}?"
          - say: "Hello, {name}!"
          - say: "Hello, {name}!"
"""

LOOK = """
    from soni import action

    @action
    def look():
        return {}
"""


def test_the_short_form_is_the_same_model_as_the_long_form() -> None:
    assert assistant(SHORT, LOOK) == assistant(LONG, LOOK)


async def test_both_spellings_hold_the_same_conversation() -> None:
    for spelling in (LONG, SHORT):
        async with talking_to(spelling, LOOK) as talk:
            assert await talk.say("hello") == ["Name?"]
            assert talk.state["current_step"] == "collect_name"
            assert await talk.say("Ann") == ["Sure, Ann?"]
            assert talk.state["current_step"] == "confirm_sure_name"
            assert await talk.say("yes") == ["Hello, Ann!", "Hello, Ann!"]


async def test_a_missing_id_can_be_jumped_to() -> None:
    flow = """
    flows:
      greet:
        steps:
          - {collect: name, message: "Name?"}
          - branch: [{condition: "name == 'Ann'", then: say_bye}]
          - say: "Hello!"
          - say: "Bye!"
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["Bye!"]
