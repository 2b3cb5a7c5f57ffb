"""What the inspector shows of journals, new and old."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from soni import RuntimeLoop
from soni.audit.inspection import inspect_turns
from soni.audit.turn import RecordedTurn
from soni.du.context import NLUOutput
from soni.persistence import open_store
from tests.talking import assistant

TRIP = """
slots:
  city: {prompt: Which city?}
  day: {prompt: Which day?}
flows:
  book:
    trigger: {examples: [book]}
    steps:
      - call: choose
      - collect: day
  choose:
    outputs: [city]
    steps:
      - collect: city
      - {step: sure, confirm: "{city}?"}
"""
SAID: list[tuple[str, Any]] = [
    ("book", {"type": "StartFlow", "flow_name": "book"}),
    ("to Rome", {"type": "SetSlot", "slot_name": "city", "value": "Rome"}),
    ("yes", {"type": "AffirmConfirmation"}),
]


class SpokenNLU:
    """Understands what is written above."""

    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        return NLUOutput(commands=[dict(SAID)[user_message]])


async def hold_trip() -> list[RecordedTurn]:
    async with RuntimeLoop(assistant(TRIP), nlu=SpokenNLU(), store=open_store("memory")) as runtime:
        for text, _ in SAID:
            await runtime.turn(text, "ann")
        return [RecordedTurn(entry) for entry in await runtime.store.journal.entries("ann")]


def find_slots(view: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(slot["flow"], slot["name"]): slot for slot in view["slots"] if slot["open"]}


async def test_a_value_that_a_called_flow_brought_keeps_the_words_of_an_earlier_turn() -> None:
    views = list(inspect_turns(await hold_trip()))
    assert [(flow["flow"], flow["paused"]) for flow in views[1]["stack"]] == [
        ("book", False),
        ("choose", False),
    ]
    city = find_slots(views[2])["book", "city"]
    assert (city["value"], city["turn"]) == ("Rome", 2)
    assert city["evidence"]["words"] == "Rome"
    assert city["evidence"]["through"] == "flow"


async def test_entries_of_older_versions_are_shown_without_what_they_do_not_say() -> None:
    old = []
    for turn in await hold_trip():
        data = {k: v for k, v in turn.entry.data.items() if k not in ("evidence", "unset")}
        places = data["state"].items()
        data["state"] = {
            when: {k: v for k, v in place.items() if k != "steps"} for when, place in places
        }
        old.append(RecordedTurn(replace(turn.entry, data=data)))
    views = list(inspect_turns(old))
    assert [flow["step"] for flow in views[1]["stack"]] == [None, "sure"]
    assert find_slots(views[1])["choose", "city"]["evidence"] is None
    assert find_slots(views[2])["book", "city"]["value"] == "Rome"
