"""Every write, whoever writes, goes the same way into a slot."""

from soni.commands import CorrectSlot, SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

ACTIONS = """
    from soni import action, normalizer, validator

    @normalizer
    def tidy(value):
        return value.upper()

    @validator
    async def known(value):
        if value == "XX":
            raise ValueError("XX is closed.")
        return value != "YY"

    @action
    def nearest(place):
        return {"airport": place}
"""

SLOTS = """
    slots:
      airport: {prompt: "Which airport?", normalizer: tidy, validator: known}
      place: {prompt: "Which place?"}
"""

COLLECT = (
    SLOTS
    + """
    flows:
      fly:
        trigger: {examples: [fly]}
        steps:
          - collect: airport
          - {collect: name, message: "Your name?"}
          - say: "{name} flies from {airport}."
"""
)


async def test_an_answer_is_normalised_and_validated() -> None:
    async with talking_to(COLLECT, ACTIONS) as talk:
        assert await talk.say("fly") == ["Which airport?"]
        assert await talk.say("xx") == ["XX is closed.", "Which airport?"]
        assert await talk.say("yy") == ["That value is not possible here.", "Which airport?"]
        assert await talk.say("osl") == ["Your name?"]
        assert talk.slots == {"airport": "OSL"}
        assert await talk.say("Ann") == ["Ann flies from OSL."]


async def test_a_slot_that_comes_with_the_start_is_normalised_and_validated() -> None:
    async with talking_to(COLLECT, ACTIONS) as talk:
        start = StartFlow(flow_name="fly", slots={"airport": "xx", "name": "Ann"})
        assert await talk.say("fly from xx", start) == [
            "I could not use airport: XX is closed.",
            "Which airport?",
        ]
        assert talk.slots == {"name": "Ann"}
        assert await talk.say("osl") == ["Ann flies from OSL."]


async def test_a_correction_is_normalised_and_validated() -> None:
    async with talking_to(COLLECT, ACTIONS) as talk:
        await talk.say("fly", StartFlow(flow_name="fly", slots={"airport": "osl"}))
        wrong = CorrectSlot(slot_name="airport", new_value="xx")
        assert await talk.say("no, xx", wrong) == ["XX is closed.", "Your name?"]
        assert talk.slots == {"airport": "OSL"}
        right = CorrectSlot(slot_name="airport", new_value="bgo")
        assert await talk.say("no, bgo", right) == ["airport is now BGO.", "Your name?"]


async def test_a_value_that_is_set_is_normalised_and_validated() -> None:
    flow = (
        SLOTS
        + """
    flows:
      fly:
        steps:
          - collect: place
          - set: {airport: "{{ place }}"}
          - say: "From {airport}."
"""
    )
    async with talking_to(flow, ACTIONS) as talk:
        assert await talk.say("hi") == ["Which place?"]
        assert await talk.say("osl") == ["From OSL."]
        await talk.say("hi")
        assert await talk.say("xx") == ["Something went wrong, so I could not finish fly."]
        assert talk.state["metadata"]["error"] == "invalid_output: XX is closed."


async def test_an_output_that_its_slot_refuses_is_the_actions_failure() -> None:
    flow = (
        SLOTS
        + """
    flows:
      fly:
        steps:
          - collect: place
          - {action: nearest, on_error: sorry}
          - {say: "From {airport}.", jump_to: end}
          - {step: sorry, type: say, message: "{_error_type}: {_error_message} {airport}"}
"""
    )
    async with talking_to(flow, ACTIONS) as talk:
        await talk.say("hi")
        assert await talk.say("osl") == ["From OSL."]
        await talk.say("hi")
        assert await talk.say("xx") == ["invalid_output: XX is closed. "]


async def test_nothing_of_a_refused_result_is_written() -> None:
    flow = """
    slots:
      count: {type: integer}
    flows:
      find:
        steps:
          - {action: search, on_error: sorry}
          - {step: sorry, type: say, message: "<{first}> <{count}> <{last}>"}
    """
    search = """
        from soni import action

        @action
        def search():
            return {"first": "a", "count": "many", "last": "z"}
    """
    async with talking_to(flow, search) as talk:
        assert await talk.say("hi") == ["<> <> <>"]


async def test_a_default_taken_by_skipping_is_normalised_and_validated() -> None:
    flow = """
    slots:
      airport:
        prompt: "Which airport?"
        normalizer: tidy
        validator: known
        required: false
        default: osl
    flows:
      fly:
        steps:
          - collect: airport
          - say: "From {airport}."
    """
    async with talking_to(flow, ACTIONS) as talk:
        assert await talk.say("hi") == ["Which airport?"]
        assert await talk.say("skip it", SkipSlot()) == ["From OSL."]


async def test_an_input_from_another_flows_output_is_normalised_and_validated() -> None:
    flow = (
        SLOTS
        + """
    flows:
      look:
        trigger: {examples: [look]}
        outputs: [place]
        steps:
          - collect: place
      fly:
        trigger: {examples: [fly]}
        inputs: {airport: {from: look.place}}
        steps:
          - collect: airport
          - say: "From {airport}."
"""
    )
    async with talking_to(flow, ACTIONS) as talk:
        await talk.say("look")
        await talk.say("osl")
        assert await talk.say("fly") == ["From OSL."]
        await talk.say("look")
        await talk.say("xx")
        assert await talk.say("fly") == ["I could not use airport: XX is closed.", "Which airport?"]
        assert await talk.say("bgo") == ["From BGO."]


async def test_the_application_writes_the_same_way() -> None:
    async with talking_to(COLLECT, ACTIONS) as talk:
        turn = await talk.runtime.start_flow("ann", "fly", inputs={"airport": "xx"})
        assert turn.messages == ["I could not use airport: XX is closed.", "Which airport?"]


async def test_each_instance_of_a_flow_has_slots_of_its_own() -> None:
    async with talking_to(COLLECT, ACTIONS) as talk:
        await talk.say("fly", StartFlow(flow_name="fly", slots={"airport": "osl"}))
        again = StartFlow(flow_name="fly", another=True)
        assert await talk.say("and another", again) == ["Which airport?"]
        assert await talk.say("bgo") == ["Your name?"]
        assert list(talk.state["flow_slots"].values()) == [{"airport": "OSL"}, {"airport": "BGO"}]
        name = SetSlot(slot_name="name", value="Bob")
        assert await talk.say("Bob", name) == ["Bob flies from BGO.", "Back to fly.", "Your name?"]
        assert await talk.say("Ann") == ["Ann flies from OSL."]
