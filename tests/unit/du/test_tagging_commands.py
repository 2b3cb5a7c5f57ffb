"""From a reading to commands: what would be done for a user whose message was read like this."""

from datetime import UTC, datetime
from typing import Any

from soni.commands import (
    AffirmConfirmation,
    Clarify,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du.context import DialogueContext, FlowBrief, ShownValues, SlotBrief
from soni.du.local.tagging.commands import TaggerCommands, make_tagger_commands
from soni.du.tagger.reading import Reading, SlotReading, Span

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


def brief(name: str, flow: str = "trip", **fields: Any) -> SlotBrief:
    return SlotBrief(name=name, flow=flow, **fields)


TRIP = FlowBrief(
    name="trip",
    slots=(
        brief("origin"),
        brief("destination"),
        brief("people", type="integer"),
        brief("seat", type="choice", values={"window": (), "aisle": ()}, required=False),
        brief("meal", type="boolean", required=False),
    ),
)
HOTEL = FlowBrief(name="hotel", slots=(brief("city", "hotel"), brief("nights", "hotel")))


def slot(name: str, flow: str = "trip", inform: float = 0.0, **fields: Any) -> SlotReading:
    dontcare = fields.pop("dontcare", 0.0)
    given = {"requested": 0.0, **fields}
    return SlotReading(flow, name, 1 - inform - dontcare, dontcare, inform, **given)


def said(message: str, words: str, probability: float = 0.9) -> Span:
    start = message.index(words)
    return Span(start, start + len(words), probability)


def understood(
    message: str,
    *slots: SlotReading,
    starts: str | None = None,
    acts: dict[str, float] | None = None,
    carried: dict[str, tuple[Any, float]] | None = None,
    **context: Any,
) -> TaggerCommands:
    told = {
        "current_flow": "trip",
        "available_flows": (TRIP, HOTEL),
        "expected_slots": TRIP.slots,
        **context,
    }
    flows = {name: 0.9 if name == starts else 0.05 for name in ("trip", "hotel", None, starts)}
    return make_tagger_commands(
        Reading(slots, flows, acts or {}),
        message,
        DialogueContext(now=NOW, **told),
        lambda flow: (carried or {}) if flow == starts else {},
    )


def test_what_was_said_fills_a_slot_as_it_was_spelt() -> None:
    message = "to  São Tomé please"
    read = slot("destination", inform=0.9, spans=(said(message, "São Tomé"),))
    assert understood(message, read).commands == (
        SetSlot(slot_name="destination", value="São Tomé"),
    )


def test_a_flow_starts_with_what_was_said_for_it_and_what_it_takes_over() -> None:
    message = "and a hotel there for two nights"
    found = understood(
        message,
        slot("nights", "hotel", 0.8, spans=(said(message, "two"),)),
        slot("origin", inform=0.8, spans=(said(message, "there"),)),
        starts="hotel",
        carried={"city": ("Oslo", 0.9), "nights": ("5", 0.9), "stars": ("3", 0.9)},
    )
    assert found.commands == (
        StartFlow(flow_name="hotel", slots={"city": "Oslo", "nights": "two"}),
    )


def test_a_value_that_hardly_fits_is_not_taken_over() -> None:
    found = understood("a hotel", starts="hotel", carried={"city": ("Oslo", 0.2)})
    assert found.commands == (StartFlow(flow_name="hotel"),)


def test_the_flow_that_is_at_work_is_not_started_again() -> None:
    assert understood("I want to travel", starts="trip").commands == ()


def test_another_value_for_a_filled_slot_is_a_correction_and_the_same_one_is_nothing() -> None:
    message = "to Oslo"
    read = slot("destination", inform=0.9, spans=(said(message, "Oslo"),))
    assert understood(message, read, current_slots={"destination": "Lima"}).commands == (
        CorrectSlot(slot_name="destination", new_value="Oslo"),
    )
    assert understood(message, read, current_slots={"destination": "oslo"}).commands == ()


def test_no_words_fill_two_slots() -> None:
    message = "from Madrid to Paris"
    found = understood(
        message,
        slot("origin", inform=0.9, spans=(said(message, "Madrid", 0.9),)),
        slot(
            "destination",
            inform=0.9,
            spans=(said(message, "Madrid", 0.5), said(message, "Paris", 0.4)),
        ),
    )
    assert {c.slot_name: c.value for c in found.commands if isinstance(c, SetSlot)} == {
        "origin": "Madrid",
        "destination": "Paris",
    }


def test_words_that_run_on_into_another_value_end_before_it() -> None:
    message = "take rome for 3 in may"
    place = slot("destination", inform=0.4, spans=(said(message, "rome for 3 in may"),))
    people = slot("people", inform=0.8, spans=(said(message, "3"),))
    assert understood(message, place, people).commands == (
        SetSlot(slot_name="destination", value="rome"),
        SetSlot(slot_name="people", value="3"),
    )


def test_words_that_the_slots_type_refuses_give_way_to_those_it_takes() -> None:
    message = "a window seat for three"
    guesses = (said(message, "seat", 0.6), said(message, "three", 0.3))
    assert understood(message, slot("people", inform=0.9, spans=guesses)).commands == (
        SetSlot(slot_name="people", value="three"),
    )


def test_a_choice_is_given_by_its_name_and_a_boolean_as_such() -> None:
    found = understood(
        "by the window, nothing to eat",
        slot("seat", inform=0.9, values={"window": 0.8, "aisle": 0.2}),
        slot("meal", inform=0.9, values={"true": 0.1, "false": 0.9}),
    )
    assert found.commands == (
        SetSlot(slot_name="seat", value="window"),
        SetSlot(slot_name="meal", value=False),
    )


def test_an_answer_to_the_question_needs_to_be_less_sure() -> None:
    read = slot("destination", inform=0.27, spans=(said("Oslo", "Oslo"),))
    assert understood("Oslo", read).commands == ()
    assert understood("Oslo", read, waiting_for_slot="destination").commands == (
        SetSlot(slot_name="destination", value="Oslo"),
    )


def test_what_does_not_matter_is_skipped_unless_it_must_be_known() -> None:
    message = "I don't mind"
    assert understood(message, slot("seat", dontcare=0.8)).commands == (SkipSlot(slot_name="seat"),)
    assert understood(message, slot("origin", dontcare=0.8)).commands == ()


def test_a_question_about_a_slot_is_a_question() -> None:
    found = understood("which meal is there?", slot("meal", requested=0.9))
    assert found.commands == (Clarify(topic="meal"),)
    assert found.requested == {"meal": 0.9}


def test_yes_and_no_need_something_to_be_said_to() -> None:
    yes, no = {"affirm": 0.9}, {"deny": 0.9, "affirm": 0.6}
    assert understood("sure", acts=yes).commands == ()
    assert understood("sure", acts=yes, asked={"kind": "confirm"}).commands == (
        AffirmConfirmation(),
    )
    assert understood("no", acts=no, asked={"kind": "confirm"}).commands == (DenyConfirmation(),)
    offered = ShownValues(offered={"destination": "Oslo"})
    assert understood("that one", acts={"select": 0.9}, shown=offered).commands == (
        AffirmConfirmation(),
    )


def test_starting_what_was_offered_is_not_said_twice() -> None:
    found = understood("yes", starts="hotel", acts={"affirm": 0.9}, shown=ShownValues(flow="hotel"))
    assert found.commands == (StartFlow(flow_name="hotel"),)


def test_the_answer_comes_before_the_next_wish() -> None:
    message = "Oslo. And a hotel for two nights"
    found = understood(
        message,
        slot("destination", inform=0.9, spans=(said(message, "Oslo"),)),
        slot("nights", "hotel", 0.9, spans=(said(message, "two"),)),
        starts="hotel",
        waiting_for_slot="destination",
    )
    assert found.commands == (
        SetSlot(slot_name="destination", value="Oslo"),
        StartFlow(flow_name="hotel", slots={"nights": "two"}),
    )


def test_slots_of_other_flows_are_left_alone() -> None:
    read = slot("city", "hotel", 0.9, spans=(said("Oslo", "Oslo"),))
    assert understood("Oslo", read).commands == ()


def test_it_is_as_sure_as_its_weakest_part() -> None:
    read = slot("destination", inform=0.6, spans=(said("Oslo", "Oslo", 0.5),))
    found = understood("Oslo", read, starts=None)
    assert found.slots == {"destination": 0.3}
    assert found.confidence == 0.3


COUNTS = {"1": 0.1, "2": 0.2, "3": 0.7}
ROOMS = FlowBrief(
    name="rooms",
    slots=tuple(
        brief(name, "rooms", type="choice", values=dict.fromkeys(COUNTS, ()), description=text)
        for name, text in (("rooms", "How many rooms"), ("stars", "Stars of the hotel"))
    ),
)


def counted(message: str, **inform: float) -> dict[str, str]:
    found = understood(
        message,
        *(slot(name, "rooms", likely, values=COUNTS) for name, likely in inform.items()),
        current_flow="rooms",
        available_flows=(ROOMS,),
        expected_slots=ROOMS.slots,
    )
    return {c.slot_name: c.value for c in found.commands if isinstance(c, SetSlot)}


def test_a_number_is_for_the_slot_that_its_noun_names() -> None:
    assert counted("a 3 star hotel", rooms=0.9, stars=0.8) == {"stars": "3"}
    assert counted("two rooms with three stars", rooms=0.9, stars=0.9) == {
        "rooms": "2",
        "stars": "3",
    }


def test_a_number_with_the_slots_own_noun_needs_to_be_less_sure() -> None:
    assert counted("two rooms", rooms=0.2) == {"rooms": "2"}
    assert counted("two", rooms=0.2) == {}


def test_a_part_of_what_was_offered_is_all_of_it() -> None:
    message = "Innocent is fine"
    read = slot("destination", inform=0.9, spans=(said(message, "Innocent"),))
    shown = ShownValues(offered={"destination": "The Innocent"})
    assert understood(message, read, shown=shown).commands == (
        SetSlot(slot_name="destination", value="The Innocent"),
    )
    several = ShownValues(offered={"destination": ["The Innocent", "The Innocent Man"]})
    assert understood(message, read, shown=several).commands == (
        SetSlot(slot_name="destination", value="Innocent"),
    )


def test_a_yes_to_an_offered_flow_starts_it_though_another_sounds_likelier() -> None:
    reading = Reading((), {"trip": 0.1, "hotel": 0.25, None: 0.35, "car": 0.3}, {"affirm": 0.9})
    context = DialogueContext(
        now=NOW, current_flow="trip", available_flows=(TRIP, HOTEL), shown=ShownValues(flow="hotel")
    )
    found = make_tagger_commands(reading, "yes, do that", context, lambda flow: {})
    assert found.commands == (StartFlow(flow_name="hotel"),)


WAY = FlowBrief(
    name="way",
    slots=tuple(brief(name, "way") for name in ("from_city", "to_city", "pickup_day", "drop_day")),
)


def along(message: str, **words: str) -> dict[str, str]:
    found = understood(
        message,
        *(slot(name, "way", 0.9, spans=(said(message, text),)) for name, text in words.items()),
        current_flow="way",
        available_flows=(WAY,),
        expected_slots=WAY.slots,
    )
    return {c.slot_name: c.value for c in found.commands if isinstance(c, SetSlot)}


def test_from_and_to_are_never_swapped() -> None:
    swapped = along("from Madrid to Paris", from_city="Paris", to_city="Madrid")
    assert swapped == {"from_city": "Madrid", "to_city": "Paris"}
    assert along("a bus to Paris", from_city="Paris") == {"to_city": "Paris"}
    assert along("from Monday until Friday", pickup_day="Friday") == {"drop_day": "Friday"}
    assert along("I live in Paris", from_city="Paris") == {"from_city": "Paris"}


def test_half_a_word_is_never_a_value() -> None:
    assert along("for vegetarians", to_city="vegetarian") == {"to_city": "vegetarians"}


def test_what_is_taken_over_is_one_end_of_a_way_and_not_both() -> None:
    found = understood(
        "a bus there",
        starts="way",
        carried={"from_city": ("Oslo", 0.91), "to_city": ("Oslo", 0.99)},
        current_flow="none",
        available_flows=(WAY,),
        expected_slots=(),
    )
    assert found.commands == (StartFlow(flow_name="way", slots={"to_city": "Oslo"}),)


def test_a_thing_that_is_counted_again_is_no_other_thing():
    message = "make it 3 hoodies"
    hoodies = slot("destination", inform=0.9, spans=(said(message, "hoodies"),))
    again = understood(message, hoodies, current_slots={"destination": "Harbour hoodie"})
    other = understood(message, hoodies, current_slots={"destination": "Lisbon raincoat"})
    assert again.commands == ()
    assert other.commands == (CorrectSlot(slot_name="destination", new_value="hoodies"),)
