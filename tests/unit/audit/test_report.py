"""What a report counts, on conversations whose figures can be told by hand."""

import math
import tracemalloc
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig
from soni.audit.report.figures import Figures
from soni.audit.report.summary import Period, make_group_key, summarize_journal
from soni.audit.source import open_journal
from soni.commands import Clarify, CorrectSlot
from soni.persistence import open_store
from tests.unit.audit.holding import SHOP, Said, held, shop, written

LATER = datetime.fromisoformat("2026-03-09T00:00:00+00:00").timestamp()


def at(text: str) -> float:
    return datetime.fromisoformat(f"{text}+00:00").timestamp()


async def figures_of(config: SoniConfig, since: float = -math.inf, until: float = LATER) -> Figures:
    async with open_journal(config) as journal:
        return await summarize_journal(journal, Period(since, until, timeout=1800))


async def reported(folder: Path, *conversations: tuple[str, Sequence[Said]]) -> Figures:
    config = shop(folder)
    await held(config, *conversations)
    return await figures_of(config)


CORRECTED: Said = ("no, 4", {"commands": [CorrectSlot(slot_name="count", new_value=4)]})


async def test_every_task_has_one_outcome(tmp_path: Path) -> None:
    figures = await reported(
        tmp_path / "shop",
        ("done", ["buy", "pen", "3", "4711", "yes"]),
        ("corrects", ["buy", "pen", "3", CORRECTED, "4711", "yes"]),
        ("cancels", ["buy", "pen", "cancel"]),
        ("returns", ["buy", ("hours", {"after": 4000})]),
        ("vanishes", ["buy", "pen", "3"]),
        ("wants a person", ["buy", "talk to a person", "hello?"]),
        ("begins anew", ["buy", "/reset", "hours"]),
        ("digresses", ["buy", "hours", "pen", "cancel"]),
    )
    buy, hours = figures.flows["buy"].to_dict(), figures.flows["hours"].to_dict()
    assert buy == {
        "started": 8,
        "completed": 2,
        "cancelled": 2,
        "abandoned": 3,
        "handed_off": 1,
        "failed": 0,
        "open": 0,
        "completion": 0.25,
        "turns": {"median": 5, "p90": 6},
        "corrections": 1,
        "reached": {"collect_item": 8, "collect_count": 5, "collect_pin": 3, "sure": 2},
        "left_at": {"collect_item": 3, "collect_count": 2, "collect_pin": 1},
    }
    assert (hours["started"], hours["completed"], hours["turns"]["median"]) == (3, 3, 1)
    assert figures.tasks.total_started == 11
    assert figures.conversations == 8
    assert figures.resets == 1
    assert figures.corrections == 1
    assert figures.handoffs.list_most(5) == [("requested by the user", 1)]


async def test_a_task_is_open_while_its_session_lasts(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", ["buy"]))
    soon = await figures_of(config, until=at("2026-03-02T10:20:00"))
    assert soon.flows["buy"].outcomes == {"open": 1}
    assert soon.flows["buy"].completion is None
    late = await figures_of(config, until=at("2026-03-02T11:20:00"))
    assert late.flows["buy"].outcomes == {"abandoned": 1}


async def test_a_failure_is_counted_at_the_step_that_failed(tmp_path: Path) -> None:
    yaml = SHOP.replace("        on_error: none_left\n", "")
    yaml = yaml[: yaml.index("        jump_to: end")] + yaml[yaml.index("  hours:") :]
    config = shop(tmp_path / "shop", yaml)
    await held(config, ("ann", ["buy", "moon", "1"]))
    buy = (await figures_of(config)).flows["buy"]
    assert buy.outcomes == {"failed": 1}
    assert buy.left_at == {"action_price_of": 1}


async def test_a_called_flow_is_part_of_its_task(tmp_path: Path) -> None:
    yaml = """
    version: "1"
    flows:
      trip:
        trigger: {examples: [trip]}
        steps: [{call: identify}, {collect: city, message: Where?}]
      identify:
        steps: [{collect: name, message: Who?}]
    """
    config = shop(tmp_path / "shop", yaml)
    await held(config, ("ann", ["trip", "Ann", "Rome"]), ("bob", ["trip", "cancel"]))
    figures = await figures_of(config)
    assert set(figures.flows) == {"trip"}
    assert figures.flows["trip"].outcomes == {"completed": 1, "cancelled": 1}
    assert figures.flows["trip"].left_at == {"identify.collect_name": 1}
    assert figures.flows["trip"].turns.counts == {3: 1}


async def test_what_was_not_understood_is_grouped_and_masked(tmp_path: Path) -> None:
    figures = await reported(
        tmp_path / "shop",
        ("ann", ["Bla bla!", "bla   BLA", "my number is 600 123 456", "write bob@example.com!"]),
        ("bob", ["Ñam, ñam", "ñam, ñam."]),
    )
    assert figures.not_understood.list_most(9) == [
        ("bla bla", 2),
        ("ñam, ñam", 2),
        ("my number is ••••", 1),
        ("write ••••", 1),
    ]
    assert figures.not_understood.total == 6


async def test_rejections_refusals_and_questions_without_an_answer(tmp_path: Path) -> None:
    weather: Said = ("is it raining?", {"commands": [Clarify(topic="is it raining?")]})
    unknown: Said = ("boom", {"commands": [{"type": "Explode"}]})
    figures = await reported(
        tmp_path / "shop", ("ann", ["buy", "pen", "12", "99", weather, unknown])
    )
    assert figures.refused == {"count": 2}
    assert figures.unanswered.list_most(5) == [("is it raining", 1)]
    ((reason, times),) = figures.rejected.list_most(5)
    assert reason.startswith("explode: ")
    assert times == 1


async def test_only_the_time_that_was_asked_for_is_counted(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    day: Said = ("hours", {"after": 86_400})
    await held(config, ("ann", ["buy", day, "cancel", "buy", "cancel"]))
    figures = await figures_of(config, since=at("2026-03-03T00:00:00"))
    # The task that began the day before is not of this day, whatever became of it.
    assert {name: dict(flow.outcomes) for name, flow in figures.flows.items()} == {
        "hours": {"completed": 1},
        "buy": {"cancelled": 1},
    }
    assert (figures.turns, figures.conversations) == (4, 1)
    before = await figures_of(config, until=at("2026-03-03T00:00:00"))
    assert (before.turns, set(before.flows)) == (1, {"buy"})
    nothing = await figures_of(config, since=at("2026-03-05T00:00:00"))
    assert (nothing.turns, nothing.conversations) == (0, 0)


async def test_a_journal_of_nonsense_is_counted_without_a_crash() -> None:
    store = open_store("memory")
    nonsense: list[dict[str, Any]] = [
        {},
        {
            "events": "x",
            "commands": [1, None],
            "state": [],
            "replies": 3,
            "timings": {"total": "x"},
        },
        {"events": [{"event": "flow_completed"}, {"event": "flow_started"}, {"event": {}}]},
        {"state": {"before": {"stack": [None, 3]}, "after": {"stack": "abc", "step": 1}}},
        {"message": "hi", "source": "local", "commands": [{"to": [3], "decision": "rewritten"}]},
        {"clock": "yesterday", "about": {"at": 1e300}},
        {"timings": {"total": -3}, "commands": [{"to": 3, "args": []}]},
    ]
    await written(store, "ann", *nonsense)
    figures = await summarize_journal(store.journal, Period(-math.inf, math.inf, 1800))
    assert figures.turns == len(nonsense)


async def test_what_an_author_typed_is_no_customers(tmp_path: Path) -> None:
    store = open_store("memory")
    said = {"message": "bla", "source": "local", "replies": ["?"]}
    await written(store, "ann", said, {**said, "facts": {"by_hand": True}})
    figures = await summarize_journal(store.journal, Period(-math.inf, math.inf, 1800))
    assert (figures.turns, figures.not_understood.total) == (1, 1)


async def test_a_changed_journal_is_named(tmp_path: Path) -> None:
    store = open_store("memory")
    for user in ("ann", "bob"):
        await written(store, user, {"message": "a"}, {"message": "b"})
    store.journal._entries["bob"][0].data["message"] = "c"  # type: ignore[attr-defined]
    figures = await summarize_journal(store.journal, Period(-math.inf, math.inf, 1800))
    assert (figures.changed, figures.changed_count) == (["bob"], 1)
    assert figures.turns == 4


async def test_a_report_takes_no_more_room_for_more_turns() -> None:
    async def room(conversations: int) -> int:
        store = open_store("memory")
        for number in range(conversations):
            turns = [
                {"message": f"word{number * 40 + turn}", "source": "local", "replies": ["?"]}
                for turn in range(40)
            ]
            await written(store, f"user{number}", *turns)
        tracemalloc.start()
        await summarize_journal(store.journal, Period(-math.inf, math.inf, 1800))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    await room(2)
    assert await room(120) < 2 * await room(20)


@pytest.mark.parametrize(
    ("said", "group"),
    [
        ("  Hola,  ¿qué tal? ", "hola, ¿qué tal"),
        ("", ""),
        ("card 4111-1111-1111-1111 please", "card •••• please"),
        ("in 2026", "in ••••"),
        ("send 50", "send 50"),
        ("x" * 300, "x" * 200 + "…"),
    ],
)
def test_texts_are_grouped(said: str, group: str) -> None:
    assert make_group_key(said) == group
