"""`replay_today`: recorded messages, read by the understanding of today."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soni.audit.reading import Reading
from soni.audit.replay import ReplayedTurn, replay_today
from soni.audit.turn import RecordedTurn
from soni.commands import ChitChat, SetSlot, StartFlow
from soni.config.models import SoniConfig
from soni.du.providers import open_provider
from soni.du.scripted import ScriptedNLU
from tests.unit.audit.holding import BUYING, SHOP, held, shop, turns_of

BUY = {"type": "StartFlow", "flow_name": "buy"}


def _set(slot: str, value: object) -> dict[str, object]:
    return {"slot_name": slot, "value": value, "type": "SetSlot"}


async def _today(
    config: SoniConfig, turns: Sequence[RecordedTurn], provider: Any = None
) -> list[ReplayedTurn]:
    asked = provider or open_provider(config)
    return [turn async for turn in replay_today(config, turns, asked)]


async def test_the_same_understanding_reads_the_same(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", ["hello there", *BUYING, "hours", "/reset", *BUYING[:2]]))
    replayed = await _today(config, await turns_of(config))
    assert [(turn.then.message, turn.differences) for turn in replayed if not turn.is_same] == []
    assert replayed[1].reading == Reading([BUY], [BUY])


async def test_a_message_whose_words_are_not_on_record_is_not_read(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    press = ("pen", {"commands": [SetSlot(slot_name="item", value="pen")]})
    await held(config, ("ann", ["buy", press, "3", "4711", "yes", ("/push", {"text": "Sale!"})]))
    replayed = await _today(config, await turns_of(config))
    assert [turn.reading is not None for turn in replayed] == [
        True, False, True, False, True, False,
    ]  # fmt: skip
    assert all(turn.is_same for turn in replayed)


async def test_each_message_is_judged_in_the_moment_in_which_it_was_said(tmp_path: Path) -> None:
    """The first is not understood any more; the others would be, if the first had been."""
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING[:2]))
    pen = SetSlot(slot_name="item", value="pen")
    script = ScriptedNLU({"buy": [ChitChat()], "pen": [pen]})
    first, second = await _today(config, await turns_of(config), script)
    assert first.reading is not None
    assert first.reading.then == [BUY]
    assert [each["type"] for each in first.reading.now] == ["ChitChat"]
    assert second.reading == Reading([_set("item", "pen")], [_set("item", "pen")])


async def test_the_conversation_goes_on_as_it_would_today(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING[:2]))
    start = StartFlow(flow_name="buy", slots={"item": "pen"})
    script = ScriptedNLU({"buy": [start], "pen": [SetSlot(slot_name="item", value="pen")]})
    first, second = await _today(config, await turns_of(config), script)
    replies = {each.what: (each.then, each.now) for each in first.differences}["replies"]
    assert replies == (["Which item?"], ["How many?"])
    assert "decisions" not in {each.what for each in first.differences}
    assert second.reading is not None and second.reading.is_same
    assert "replies" not in {each.what for each in second.differences}


async def test_an_edited_flow_is_told_from_another_reading(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING[:2]))
    edited = shop(tmp_path / "shop", SHOP.replace("How many?", "What number?"))
    _, second = await _today(edited, await turns_of(config))
    assert second.reading is not None and second.reading.is_same
    assert [each.what for each in second.differences] == ["replies"]


async def test_an_understanding_that_fails_today_is_a_difference(tmp_path: Path) -> None:
    class Broken:
        async def understand(self, **given: Any) -> Any:
            raise ConnectionError("no network")

    config = shop(tmp_path / "shop")
    await held(config, ("ann", ["buy"]))
    (turn,) = await _today(config, await turns_of(config), Broken())
    assert turn.reading == Reading([BUY], [], "ConnectionError")
    assert not turn.is_same
