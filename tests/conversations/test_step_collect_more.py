"""collect: several slots at once, force, on_invalid and on_skip."""

from soni.commands import SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

TRIP = """
slots:
  origin: {prompt: From where?}
  target: {prompt: To where?}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - {collect: [origin, target], message: From where to where?}
      - say: "{origin} to {target}"
"""


async def test_one_question_asks_for_several_slots() -> None:
    async with talking_to(TRIP) as talk:
        assert await talk.say("trip") == ["From where to where?"]
        both = (
            SetSlot(slot_name="origin", value="Rome"),
            SetSlot(slot_name="target", value="Oslo"),
        )
        assert await talk.say("Rome to Oslo", *both) == ["Rome to Oslo"]


async def test_what_is_still_missing_is_asked_by_its_own_prompt() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip")
        assert await talk.say("to Oslo", SetSlot(slot_name="target", value="Oslo")) == [
            "From where?"
        ]
        assert talk.state["waiting_for_slot"] == "origin"
        assert await talk.say("Rome") == ["Rome to Oslo"]


async def test_slots_that_are_all_filled_are_passed_silently() -> None:
    async with talking_to(TRIP) as talk:
        start = StartFlow(flow_name="trip", slots={"origin": "Rome", "target": "Oslo"})
        assert await talk.say("Rome to Oslo", start) == ["Rome to Oslo"]


async def test_force_asks_even_if_filled_and_only_once() -> None:
    async with talking_to(
        """
        slots:
          name: {prompt: Your name?}
        flows:
          greet:
            trigger: {examples: [greet]}
            steps:
              - {collect: name, force: true}
              - say: "Hello {name}"
        """
    ) as talk:
        start = StartFlow(flow_name="greet", slots={"name": "Bob"})
        assert await talk.say("I am Bob", start) == ["Your name?"]
        assert await talk.say("Ann") == ["Hello Ann"]


LEAVE = """
slots:
  age: {type: integer, prompt: Your age?}
flows:
  sign_up:
    trigger: {examples: [sign up]}
    steps:
      - {collect: age, max_attempts: 2, on_invalid: sorry, on_skip: later}
      - {say: "{age} it is.", jump_to: end}
      - {step: sorry, say: I give up., jump_to: end}
      - {step: later, say: Another time then.}
"""


async def test_on_invalid_is_where_too_many_refused_values_lead() -> None:
    async with talking_to(LEAVE) as talk:
        await talk.say("sign up")
        assert await talk.say("old") == ["Please give a whole number.", "Your age?"]
        assert await talk.say("very") == ["Please give a whole number.", "I give up."]
        assert talk.state["metadata"].get("handoff") is None
        assert talk.ended == [("sign_up", "completed")]


async def test_on_skip_is_where_a_skip_leads_even_for_a_required_slot() -> None:
    async with talking_to(LEAVE) as talk:
        await talk.say("sign up")
        assert await talk.say("skip", SkipSlot()) == ["Another time then."]
