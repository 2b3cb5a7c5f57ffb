"""Names that are left over when a flow starts, and the two ends of a way."""

from datetime import UTC, datetime

import pytest

from soni.du.context import DialogueContext, SlotBrief
from soni.du.local.tagging.counting import extract_place
from soni.du.local.tagging.values import assign_unclaimed_names
from soni.du.local.values.route import find_route
from soni.du.tagger.reading import SlotReading, Span
from soni.language import find_language

CONTEXT = DialogueContext(now=datetime(2026, 3, 2, 10, tzinfo=UTC))


def slot(name: str, type_: str = "string", **more: object) -> SlotBrief:
    return SlotBrief.model_validate({"name": name, "flow": "meet", "type": type_, **more})


SLOTS = (
    slot("trainer"),
    slot("gym"),
    slot("level", "choice", values={"Sprint": (), "Marathon": ()}),
)


def read(message: str, name: str, words: str, inform: float, likely: float = 0.95) -> SlotReading:
    start = message.index(words)
    span = Span(start, start + len(words), likely)
    return SlotReading("meet", name, 0, 0, inform, 0, spans=(span,))


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("is there a class at Iron House on friday", "Iron House"),
        ("the machines of O'Leary are broken", "O'Leary"),
        ("Okonkwo cancelled on me again", "Okonkwo"),
    ],
)
def test_a_name_that_is_left_over_is_meant(message: str, name: str) -> None:
    told = [read(message, "trainer", name, 0.1, 1.0)]
    assert assign_unclaimed_names(message, SLOTS, told, {}, CONTEXT) == {"trainer": name}


def test_a_name_is_for_the_likelier_of_two() -> None:
    message = "could Petra help me"
    told = [read(message, "gym", "Petra", 0.05), read(message, "trainer", "Petra", 0.1)]
    assert assign_unclaimed_names(message, SLOTS, told, {}, CONTEXT) == {"trainer": "Petra"}


@pytest.mark.parametrize(
    ("message", "words", "likely"),
    [
        # No name.
        ("the machines are broken", "machines", 1.0),
        # A name, but hardly there.
        ("at Iron House", "Iron House", 0.5),
        # A sentence begins with a capital.
        ("Machines are broken", "Machines", 0.9),
        ("It is bad. Machines are broken", "Machines", 0.9),
        # A day, a choice, a shout.
        ("something for Friday", "Friday", 1.0),
        ("the Marathon thing", "Marathon", 1.0),
        ("A CLASS AT IRON HOUSE", "IRON HOUSE", 1.0),
    ],
)
def test_what_only_looks_like_a_name_is_not_meant(message: str, words: str, likely: float) -> None:
    assert not assign_unclaimed_names(
        message, SLOTS, [read(message, "gym", words, 0.1, likely)], {}, CONTEXT
    )


def test_a_name_that_has_a_slot_is_not_for_another() -> None:
    message = "book Petra Lang for me"
    told = [read(message, "gym", "Petra", 0.2)]
    assert not assign_unclaimed_names(message, SLOTS, told, {"trainer": "Petra Lang"}, CONTEXT)
    assert not assign_unclaimed_names(message, SLOTS, told, {"gym": "Iron House"}, CONTEXT)


@pytest.mark.parametrize(
    ("said", "slot_name", "place"),
    [
        ("lamp on Church Lane", "street", "Church Lane"),
        ("outside the bakery in Mill Road", "road", "Mill Road"),
        ("Church Lane", "street", "Church Lane"),
        ("Hill on Sea", "town", "Hill on Sea"),
        ("lamp on the corner", "street", "lamp on the corner"),
        ("painting by Frida Kahlo", "item", "painting by Frida Kahlo"),
    ],
)
def test_a_street_is_told_by_its_name_alone(said: str, slot_name: str, place: str) -> None:
    assert extract_place(said, slot_name, find_language("en")) == place


WAY = (slot("from_quay"), slot("to_quay"))


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("water taxi Rialto to San Marco at noon", ("Rialto", "San Marco")),
        ("Rialto to Lido please", ("Rialto", "Lido")),
        ("Tickets Rialto to Lido", ("Rialto", "Lido")),
        ("for two people, Ca d'Oro - Murano", None),
        ("two people, Santa Lucia - Murano", ("Santa Lucia", "Murano")),
    ],
)
def test_names_with_a_to_between_are_both_ends(message: str, ends: tuple[str, str] | None) -> None:
    found = find_route(message, WAY, find_language("en"))
    assert found == ({} if ends is None else dict(zip(("from_quay", "to_quay"), ends, strict=True)))


@pytest.mark.parametrize(
    "message",
    [
        "Ticket to Lido",
        "I have to get to Murano",
        "open Monday to Friday?",
        "TICKET TO LIDO",
        "the one next to Rialto",
    ],
)
def test_what_stands_before_to_is_not_always_a_place(message: str) -> None:
    assert find_route(message, WAY, find_language("en")) == {}


def test_slots_that_are_no_two_ends_get_none() -> None:
    sent = (slot("from_account"), slot("recipient", description="Who the money goes to"))
    assert find_route("send Rent to Anna", sent, find_language("en")) == {}
