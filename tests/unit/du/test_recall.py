"""What people say is forgotten once it is understood."""

import gc
from datetime import UTC, datetime
from typing import Any

import pytest

from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief
from soni.du.context import Task

_TRIP = FlowBrief(
    name="book_trip",
    description="Book a trip to some town",
    examples=("I want to book a trip", "book a trip to Rome", "quiero reservar un viaje"),
    slots=(
        SlotBrief(name="town", flow="book_trip", description="Town to travel to"),
        SlotBrief(name="day", flow="book_trip", type="date", description="Day of departure"),
        SlotBrief(
            name="class", flow="book_trip", type="choice", values={"first": (), "second": ()}
        ),
    ),
)
_MENU = FlowBrief(name="see_menu", examples=("show me the menu", "what is on the menu"))


def kept(word: str) -> list[Any]:
    """What still has another text with a word in it."""
    gc.collect()
    return [
        (type(holder), text)
        for holder in gc.get_objects()
        for text in gc.get_referents(holder)
        if isinstance(text, str) and text is not word and word in text.lower()
    ]


async def hear(message: str, language: str, asked: str | None) -> None:
    where: dict[str, Any] = {}
    if asked:
        where = {
            "current_flow": "book_trip",
            "expected_slots": _TRIP.slots,
            "waiting_for_slot": asked,
            "asked": {"kind": "collect", "prompt": "?", "data": {}},
        }
    context = DialogueContext(
        available_flows=(_TRIP, _MENU),
        now=datetime(2026, 3, 2, 10, tzinfo=UTC),
        language=language,
        **where,
    )
    await LocalNLU().understand(message, [], context)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "please bok me a tripp to {} tomorow, thanks"),
        ("en", "no wait, to {} on fryday"),
        ("es", "pues quiero reservar un viaje a {} mañana, gracias"),
        ("es", "mejor a {}, por favor"),
    ],
)
async def test_nothing_of_a_message_is_kept(language: str, said: str) -> None:
    # What stands in this file is kept by Python itself, and so is what another test has said.
    word = f"qwel{chr(ord('a') + len(said) % 26)}mora"
    for asked in (None, "town", "day", "class"):
        await hear(said.format(word), language, asked)
    assert kept(word) == []


@pytest.mark.parametrize(
    "message", ["cancel the trip", "back to the menu", "finish the trip first"]
)
async def test_nothing_of_what_was_said_before_is_kept(message: str) -> None:
    word = f"qwel{len(message)}mora"
    context = DialogueContext(
        available_flows=(_TRIP, _MENU),
        current_flow="book_trip",
        current_slots={"town": word},
        expected_slots=_TRIP.slots,
        waiting_for_slot="day",
        asked={"kind": "collect", "prompt": "When?", "data": {}},
        paused_flows=("see_menu",),
        others=(Task(flow="see_menu", slots={"dish": word}, open=True),),
        now=datetime(2026, 3, 2, 10, tzinfo=UTC),
    )
    await LocalNLU().understand(message, [], context)
    del context
    assert kept(word) == []
