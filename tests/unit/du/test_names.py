"""Names as they are called, whatever stands around them in a message."""

from datetime import UTC, datetime

import pytest

from soni.du.context import DialogueContext, SlotBrief
from soni.du.local.tagging.counting import clean_name, strip_article
from soni.du.local.tagging.values import make_values
from soni.du.tagger.reading import SlotReading, Span
from soni.language import find_language


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("the Lisbon raincoat", "Lisbon raincoat"),
        ("the left mirror", "left mirror"),
        ("a Big Mac", "Big Mac"),
        ("some extra towels", "extra towels"),
        ("The Hobbit", "The Hobbit"),
        ("the Hague", "the Hague"),
        ("the Phantom of the Opera", "the Phantom of the Opera"),
        ("my sister", "my sister"),
    ],
)
def test_an_article_is_kept_only_where_it_is_a_part_of_the_name(said, name):
    assert strip_article(said, find_language("en")) == name


@pytest.mark.parametrize(
    ("message", "said", "name"),
    [
        ("can we look round 22 Mill Lane", "round 22 Mill Lane", "22 Mill Lane"),
        ("put it under The Smiths", "under The Smiths", "The Smiths"),
        ("tickets for The Lion King", "Lion King", "The Lion King"),
        ("The Golf is broken", "Golf", "Golf"),
        ("from In Bruges", "In Bruges", "In Bruges"),
        ("to bed", "to bed", "to bed"),
    ],
)
def test_a_name_begins_behind_what_leads_to_it(message, said, name):
    assert clean_name(message.index(said), said, message, find_language("en")) == name


LOST = SlotBrief(name="lost", flow="flow", description="What was lost")
LINING = SlotBrief(
    name="lining", flow="flow", type="choice", values={"silk": (), "wool": ("woollen",)}
)


def told(message: str, *ends: str) -> str:
    """The value of a thing for which the tagger had several guesses, the likeliest first."""
    start = message.index(ends[0].split()[0])
    spans = tuple(
        Span(start, message.index(end, start) + len(end), 0.9 / (at + 1))
        for at, end in enumerate(ends)
    )
    reading = SlotReading("flow", "lost", 0.0, 0.0, 1.0, 0.0, spans=spans)
    context = DialogueContext(now=datetime(2026, 3, 2, 10, tzinfo=UTC))
    briefs = {"lost": LOST, "lining": LINING}
    return make_values({"lost": reading}, briefs, message, context)[0].value


@pytest.mark.parametrize(
    ("message", "ends", "value"),
    [
        ("a red bag with a yellow strap", ("red bag", "strap"), "red bag with a yellow strap"),
        ("a red coat with a silk lining", ("red coat", "lining"), "red coat"),
        ("a red bag with my name on it", ("red bag", "name"), "red bag"),
        ("a red bag on the belt", ("red bag", "belt"), "red bag"),
    ],
)
def test_what_a_thing_has_belongs_to_its_description(message, ends, value):
    assert told(message, *ends) == value


@pytest.mark.parametrize(
    ("message", "said", "slot"),
    [
        ("send it to Sun Pharmacy", "Sun Pharmacy", "pharmacy"),
        ("use the Hotel Astoria", "Hotel Astoria", "hotel"),
        ("it is Sun Cream", "Sun Cream", "lost"),
    ],
)
def test_a_name_is_for_the_slot_that_it_is_called_by(message, said, slot):
    start = message.index(said)
    span = Span(start, start + len(said), 0.9)
    sure = {"lost": 0.9, "pharmacy": 0.5, "hotel": 0.5}
    filled = {
        name: SlotReading("flow", name, 0.0, 0.0, likely, 0.0, spans=(span,))
        for name, likely in sure.items()
    }
    briefs = {name: SlotBrief(name=name, flow="flow") for name in sure}
    context = DialogueContext(now=datetime(2026, 3, 2, 10, tzinfo=UTC))
    assert [one.slot for one in make_values(filled, briefs, message, context)] == [slot]
