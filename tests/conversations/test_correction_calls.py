"""Corrections through called flows: of the caller's slots inside a call, of a call's afterwards."""

from soni.commands import (
    AffirmConfirmation,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

STAY = """
slots:
  budget: {type: integer, prompt: {en: "What budget?", es: "¿Qué presupuesto?"}}
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
  nights:
    type: integer
    prompt: {en: "How many nights?", es: "¿Cuántas noches?"}
    constraints: [{if: "nights > 0", message: "At least one night."}]
  stars: {type: integer, prompt: {en: "How many stars?", es: "¿Cuántas estrellas?"}}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: budget
      - step: stay
        call: find_stay
        inputs: {limit: "{{ budget }}", daily: "{{ budget / 2 }}"}
        outputs: {hotel: place}
      - say: "We have {place} for {nights} nights."
      - confirm: "Book {place} for {budget}?"
      - say: "Booked {place}, {nights} nights, {budget}."
  find_stay:
    inputs: [limit, daily, "budget?"]
    outputs: [hotel, nights]
    steps:
      - say: "Up to {limit}, {daily} a day."
      - collect: city
      - collect: nights
      - collect: stars
      - set: {hotel: "{{ upper(city) }}"}
  hours:
    trigger: {examples: [hours]}
    steps: [{say: "9 to 5."}]
"""
YES = AffirmConfirmation()
BOOK = ["We have ROME for 2 nights.", "Book ROME for 100?"]


def _correct(slot: str, value: object, flow: str | None = None) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value, flow_name=flow)


def _set(slot: str, value: object) -> SetSlot:
    return SetSlot(slot_name=slot, value=value)


def _trip(**slots: object) -> StartFlow:
    return StartFlow(flow_name="trip", slots=slots)


async def _in_child(talk: Talk) -> None:
    assert await talk.say("trip", _trip(budget=100)) == ["Up to 100, 50 a day.", "Which city?"]
    assert await talk.say("Rome") == ["How many nights?"]


async def _returned(talk: Talk) -> None:
    await _in_child(talk)
    rest = (_set("nights", 2), _set("stars", 3))
    assert await talk.say("2 nights, 3 stars", *rest) == BOOK
    assert talk.stack == ["trip"]


async def test_a_slot_of_the_child_is_corrected_while_the_child_asks() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "How many nights?",
        ]
        assert talk.stack == ["trip", "find_stay"]
        rest = (_set("nights", 2), _set("stars", 3))
        assert (await talk.say("2, 3", *rest))[-1] == "Book OSLO for 100?"


async def test_a_slot_of_the_caller_that_was_copied_and_computed_runs_again_what_read_it() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        assert await talk.say("60", _correct("budget", 60)) == [
            "budget is now 60.",
            "Up to 60, 30 a day.",
            "How many nights?",
        ]
        assert talk.stack == ["trip", "find_stay"]
        assert talk.slots == {"limit": 60, "daily": 30.0, "budget": 60, "city": "Rome"}
        rest = (_set("nights", 2), _set("stars", 3))
        assert (await talk.say("2, 3", *rest))[-1] == "Book ROME for 60?"


async def test_the_childs_name_for_a_copied_input_means_the_callers_slot() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        assert await talk.say("at most 60", _correct("limit", 60)) == [
            "budget is now 60.",
            "Up to 60, 30 a day.",
            "How many nights?",
        ]


async def test_a_computed_input_is_corrected_in_the_child_alone() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        assert await talk.say("30 a day", _correct("daily", 30)) == [
            "daily is now 30.",
            "Up to 100, 30 a day.",
            "How many nights?",
        ]
        rest = (_set("nights", 2), _set("stars", 3))
        assert (await talk.say("2, 3", *rest))[-1] == "Book ROME for 100?"


async def test_setting_is_correcting_and_the_same_value_again_changes_nothing() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        assert await talk.say("100", _set("budget", 100)) == ["How many nights?"]
        assert await talk.say("60", _set("budget", 60)) == [
            "budget is now 60.",
            "Up to 60, 30 a day.",
            "How many nights?",
        ]


async def test_an_invalid_correction_leaves_the_child_open_and_asks_again() -> None:
    async with talking_to(STAY) as talk:
        await _in_child(talk)
        before = talk.stack, talk.state["flow_slots"]
        assert await talk.say("much", _correct("budget", "much")) == [
            "Please give a whole number.",
            "How many nights?",
        ]
        assert (talk.stack, talk.state["flow_slots"]) == before


async def test_an_output_of_the_same_name_is_corrected_after_the_return() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("4 nights", _correct("nights", 4)) == [
            "nights is now 4.",
            "We have ROME for 4 nights.",
            "Book ROME for 100?",
        ]
        assert talk.stack == ["trip"]
        assert await talk.say("yes", YES) == ["Booked ROME, 4 nights, 100."]


async def test_an_output_that_was_computed_cannot_be_said_but_what_it_was_made_of_can() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("RIGA", _correct("place", "RIGA")) == [
            "I did not understand that.",
            "Book ROME for 100?",
        ]
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "We have OSLO for 2 nights.",
            "Book OSLO for 100?",
        ]


async def test_an_output_mapped_to_another_name_is_corrected_by_that_name() -> None:
    yaml = STAY.replace("hotel: place", "city: place").replace("[hotel, nights]", "[city, nights]")
    async with talking_to(yaml) as talk:
        await talk.say("trip", _trip(budget=100))
        rest = (_set("city", "Rome"), _set("nights", 2), _set("stars", 3))
        assert (await talk.say("Rome", *rest))[-1] == "Book Rome for 100?"
        assert await talk.say("Oslo", _correct("place", "Oslo")) == [
            "city is now Oslo.",
            "We have Oslo for 2 nights.",
            "Book Oslo for 100?",
        ]


async def test_an_inner_slot_that_is_no_output_repeats_nothing_that_did_not_read_it() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("4 stars", _correct("stars", 4)) == [
            "stars is now 4.",
            "Book ROME for 100?",
        ]
        assert await talk.say("yes", YES) == ["Booked ROME, 2 nights, 100."]


async def test_an_input_is_corrected_after_the_return() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("60", _correct("budget", 60)) == [
            "budget is now 60.",
            "Up to 60, 30 a day.",
            "Book ROME for 60?",
        ]
        assert await talk.say("yes", YES) == ["Booked ROME, 2 nights, 60."]


async def test_the_childs_name_for_an_input_works_after_the_return_too() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("60", _correct("limit", 60)) == [
            "budget is now 60.",
            "Up to 60, 30 a day.",
            "Book ROME for 60?",
        ]


async def test_an_invalid_correction_after_the_return_opens_nothing() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        before = talk.stack, talk.state["flow_slots"]
        assert await talk.say("none", _correct("nights", 0)) == [
            "At least one night.",
            "Book ROME for 100?",
        ]
        assert await talk.say("x", _correct("stars", "x")) == [
            "Please give a whole number.",
            "Book ROME for 100?",
        ]
        assert (talk.stack, talk.state["flow_slots"]) == before


async def test_the_same_value_after_the_return_changes_nothing() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        before = talk.stack, talk.state["flow_slots"]
        for said in (_correct("nights", 2), _set("stars", "3"), _correct("city", "Rome")):
            assert await talk.say("that", said) == ["Book ROME for 100?"]
        assert (talk.stack, talk.state["flow_slots"]) == before


async def test_two_corrections_in_one_message_one_of_the_caller_and_one_of_the_child() -> None:
    for order in (1, -1):
        async with talking_to(STAY) as talk:
            await _returned(talk)
            both: list[Command] = [_correct("budget", 60), _correct("city", "Oslo")][::order]
            said = await talk.say("Oslo for 60", *both)
            assert sorted(said[:2]) == ["budget is now 60.", "city is now Oslo."]
            assert said[2:] == [
                "Up to 60, 30 a day.",
                "We have OSLO for 2 nights.",
                "Book OSLO for 60?",
            ]
            assert talk.stack == ["trip"]


async def test_no_with_a_slot_of_the_child_asks_that_slot_again_in_the_child() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("no, the city", DenyConfirmation(slot_to_change="city")) == [
            "Which city?"
        ]
        assert talk.stack == ["trip", "find_stay"]
        assert await talk.say("Oslo") == ["We have OSLO for 2 nights.", "Book OSLO for 100?"]
        assert talk.stack == ["trip"]


async def test_yes_with_another_value_of_the_child_is_no_yes() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        assert await talk.say("yes, but Oslo", YES, _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "We have OSLO for 2 nights.",
            "Book OSLO for 100?",
        ]
        assert ("AffirmConfirmation", "rejected") in talk.decisions


async def test_yes_with_the_value_that_the_child_has_is_a_yes() -> None:
    async with talking_to(STAY) as talk:
        await _returned(talk)
        said = await talk.say("yes, Rome", YES, _set("city", "Rome"))
        assert said == ["Booked ROME, 2 nights, 100."]


async def test_it_is_acknowledged_in_spanish() -> None:
    async with talking_to(STAY) as talk:
        await talk.say("trip", _trip(budget=100), language="es")
        said = await talk.say("60", _correct("budget", 60), language="es")
        assert said == ["budget ahora es 60.", "Up to 60, 30 a day.", "¿Qué ciudad?"]
        rest = (_set("city", "Roma"), _set("nights", 2), _set("stars", 3))
        await talk.say("Roma", *rest, language="es")
        said = await talk.say("Oslo", _correct("city", "Oslo"), language="es")
        assert said[0] == "city ahora es Oslo."
        assert said[-1] == "Book OSLO for 60?"
