"""Corrections through called flows that have done something, or asked for a yes or a secret."""

import json

from soni.commands import (
    AffirmConfirmation,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

SHOP = """
slots:
  budget: {type: integer, prompt: "What budget?"}
  city: {prompt: "Which city?"}
  guests: {type: integer, prompt: "How many guests?"}
  note: {prompt: "A note?"}
  last: {prompt: "Anything else?"}
actions:
  hold: {inputs: [city], outputs: [room], repeatable: false}
  quote: {inputs: [city, cents], outputs: [price], repeatable: true}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: budget
      - {step: stay, call: reserve, inputs: {cents: "{{ budget * 100 }}"}}
      - say: "Room {room} in {city}."
      - collect: last
      - say: "Done."
  reserve:
    inputs: [cents]
    outputs: [room, city]
    steps:
      - collect: city
      - collect: guests
      - confirm: "Hold {city} for {cents}?"
      - action: hold
      - collect: note
      - say: "Noted {note} for {guests}."
  hours:
    trigger: {examples: [hours]}
    steps: [{say: "9 to 5."}]
"""
ACTIONS = """
from soni import action

@action
def hold(city: str) -> dict:
    return {"room": city[0] + "1"}

@action
def quote(city: str, cents: int) -> dict:
    return {"price": cents * len(city)}
"""
YES = AffirmConfirmation()


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


def _late(slot: str) -> str:
    return f"It is too late to change {slot}: that has already been done."


async def _at_confirm(talk: Talk) -> None:
    start = StartFlow(flow_name="trip", slots={"budget": 5})
    assert await talk.say("trip", start) == ["Which city?"]
    both = (SetSlot(slot_name="city", value="Rome"), SetSlot(slot_name="guests", value=2))
    assert await talk.say("Rome for two", *both) == ["Hold Rome for 500?"]


async def _held(talk: Talk) -> None:
    await _at_confirm(talk)
    assert await talk.say("yes", YES) == ["A note?"]
    assert talk.actions == [("hold", {"city": "Rome"})]


async def _returned(talk: Talk) -> None:
    await _held(talk)
    assert await talk.say("quiet") == ["Noted quiet for 2.", "Room R1 in Rome.", "Anything else?"]


async def test_what_a_done_action_of_the_child_used_is_too_late_and_nothing_changes() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _held(talk)
        before = talk.stack, talk.state["flow_slots"]
        said = await talk.say("Oslo", _correct("city", "Oslo"))
        assert said == [_late("city"), "A note?"]
        assert (talk.stack, talk.state["flow_slots"], talk.actions) == (*before, [])


async def test_it_is_too_late_after_the_return_as_well() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _returned(talk)
        before = talk.stack, talk.state["flow_slots"]
        said = await talk.say("Oslo", _correct("city", "Oslo"))
        assert said == [_late("city"), "Anything else?"]
        assert (talk.stack, talk.state["flow_slots"], talk.actions) == (*before, [])


async def test_what_the_done_action_did_not_use_can_be_changed_in_the_child() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _returned(talk)
        assert await talk.say("3 guests", _correct("guests", 3)) == [
            "guests is now 3.",
            "Noted quiet for 3.",
            "Anything else?",
        ]
        assert talk.actions == []
        assert talk.slots == {"budget": 5, "room": "R1", "city": "Rome"}


async def test_a_yes_in_the_child_is_asked_again_for_another_input_and_the_deed_stays() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _returned(talk)
        assert await talk.say("6", _correct("budget", 6)) == [
            "budget is now 6.",
            "Hold Rome for 600?",
        ]
        assert talk.stack == ["trip", "reserve"]
        assert await talk.say("yes", YES) == ["Anything else?"]
        assert (talk.stack, talk.actions) == (["trip"], [])


async def test_a_yes_in_the_child_that_did_not_show_the_slot_is_not_asked_again() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _held(talk)
        assert await talk.say("3", _correct("guests", 3)) == ["guests is now 3.", "A note?"]
        said = await talk.say("loud")
        assert said == ["Noted loud for 3.", "Room R1 in Rome.", "Anything else?"]


async def test_an_action_of_the_caller_that_used_the_output_makes_it_too_late() -> None:
    yaml = """
    slots:
      city: {prompt: "Which city?"}
      stars: {type: integer, prompt: "How many stars?"}
      last: {prompt: "Anything else?"}
    actions:
      hold: {inputs: [city], outputs: [room], repeatable: false}
    flows:
      trip:
        trigger: {examples: [trip]}
        steps: [{call: find}, {action: hold}, {say: "Held."}, {collect: last}]
      find:
        outputs: [city]
        steps: [{collect: city}, {collect: stars}, {say: "{stars} stars."}]
    """
    async with talking_to(yaml, ACTIONS.partition("\n@action\ndef quote")[0]) as talk:
        await talk.say("trip")
        await talk.say("Rome")
        assert await talk.say("3") == ["3 stars.", "Held.", "Anything else?"]
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [_late("city"), "Anything else?"]
        # The action never saw the stars.
        assert await talk.say("4", _correct("stars", 4)) == [
            "stars is now 4.",
            "4 stars.",
            "Anything else?",
        ]
        assert talk.actions == []


async def test_yes_with_another_value_of_the_caller_is_no_yes_to_the_childs_question() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _at_confirm(talk)
        assert await talk.say("yes, but make it 60", YES, _correct("budget", 60)) == [
            "budget is now 60.",
            "Hold Rome for 6000?",
        ]
        assert talk.decisions == [("AffirmConfirmation", "rejected"), ("CorrectSlot", "accepted")]
        assert talk.actions == []
        assert await talk.say("yes", YES) == ["A note?"]


async def test_no_with_another_value_of_the_caller_confirms_again() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _at_confirm(talk)
        no: list[Command] = [DenyConfirmation(), _correct("budget", 60)]
        assert await talk.say("no, 60", *no) == ["budget is now 60.", "Hold Rome for 6000?"]


async def test_no_with_a_slot_of_the_caller_asks_it_and_comes_back_to_the_childs_question() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await _at_confirm(talk)
        no = DenyConfirmation(slot_to_change="budget")
        assert await talk.say("no, the budget", no) == ["What budget?"]
        assert talk.stack == ["trip"]
        assert await talk.say("7") == ["Hold Rome for 700?"]
        assert talk.stack == ["trip", "reserve"]
        assert await talk.say("yes", YES) == ["A note?"]


async def test_a_repeatable_action_of_the_child_runs_again_with_the_new_input() -> None:
    yaml = SHOP.replace("outputs: [room, city]", "outputs: [price, city]").replace(
        "action: hold", "action: quote"
    ).replace("Room {room}", "{price}").replace(
        "  hold: {inputs: [city], outputs: [room], repeatable: false}\n", ""
    )  # fmt: skip
    async with talking_to(yaml, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("yes", YES)
        await talk.say("quiet")
        assert await talk.say("6", _correct("budget", 6)) == [
            "budget is now 6.",
            "Hold Rome for 600?",
        ]
        assert await talk.say("yes", YES) == ["2400 in Rome.", "Anything else?"]
        assert talk.actions == [("quote", {"city": "Rome", "cents": 600})]


SECRET = """
slots:
  pin: {prompt: "Your PIN?", sensitive: true}
  city: {prompt: "Which city?"}
  last: {prompt: "Anything else?"}
actions:
  check: {inputs: [pin, city], outputs: [ok], repeatable: true}
flows:
  trip:
    trigger: {examples: [trip]}
    steps: [{call: log_in}, {collect: last}, {say: "Bye."}]
  log_in:
    outputs: [ok]
    steps: [{collect: pin}, {collect: city}, {action: check}, {say: "Checked {city}: {ok}."}]
"""
CHECK = """
from soni import action

@action
def check(pin: str, city: str) -> dict:
    return {"ok": len(pin)}
"""


async def test_a_secret_of_the_child_is_not_remembered_and_asked_again_where_it_is_needed() -> None:
    async with talking_to(SECRET, CHECK) as talk:
        assert await talk.say("trip") == ["Your PIN?"]
        assert await talk.say("4711") == ["Which city?"]
        assert await talk.say("Rome") == ["Checked Rome: 4.", "Anything else?"]
        assert "4711" not in json.dumps(await talk.runtime.get_state("ann"), default=str)
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "Your PIN?",
        ]
        assert await talk.say("081516") == ["Checked Oslo: 6.", "Anything else?"]
        stored = json.dumps(await talk.runtime.get_state("ann"), default=str)
        written = str(await talk.runtime.store.journal.entries("ann"))
        assert "4711" not in stored + written
        assert "081516" not in stored + written


async def test_while_the_child_is_open_its_secret_is_kept() -> None:
    yaml = SECRET.replace("[{call: log_in}", '[{collect: last}, {say: "{last}"}, {call: log_in}')
    async with talking_to(yaml, CHECK) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"last": "a"}))
        assert await talk.say("4711") == ["Which city?"]
        assert await talk.say("b", _correct("last", "b")) == ["last is now b.", "b", "Which city?"]
        assert await talk.say("Rome") == ["Checked Rome: 4.", "Bye."]
        assert talk.actions[0][0] == "check"


async def test_a_secret_that_a_computation_needs_is_asked_again_too() -> None:
    yaml = SECRET.replace("{action: check}", '{set: {ok: "{{ len(pin) + len(city) }}"}}').replace(
        "actions:\n  check: {inputs: [pin, city], outputs: [ok], repeatable: true}\n", ""
    )
    async with talking_to(yaml) as talk:
        await talk.say("trip")
        await talk.say("4711")
        assert await talk.say("Rome") == ["Checked Rome: 8.", "Anything else?"]
        assert await talk.say("Vaduz", _correct("city", "Vaduz")) == [
            "city is now Vaduz.",
            "Your PIN?",
        ]
        assert await talk.say("081516") == ["Checked Vaduz: 11.", "Anything else?"]


async def test_a_secret_that_nothing_needs_again_is_not_asked() -> None:
    yaml = SECRET.replace(
        '{say: "Checked {city}: {ok}."}', "{collect: note}, {say: 'Note: {note}'}"
    )
    yaml = yaml.replace("slots:\n", 'slots:\n  note: {prompt: "A note?"}\n')
    async with talking_to(yaml, CHECK) as talk:
        for said in ("trip", "4711", "Rome"):
            await talk.say(said)
        assert await talk.say("hi") == ["Note: hi", "Anything else?"]
        assert await talk.say("ho", _correct("note", "ho")) == [
            "note is now ho.",
            "Note: ho",
            "Anything else?",
        ]
        assert talk.actions == []
