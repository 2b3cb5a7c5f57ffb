"""Prints a replay: each turn and its differences."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from difflib import ndiff
from pathlib import Path
from typing import Any

from rich.text import Text

from soni.audit.differences import Difference
from soni.audit.placeholders import has_mask
from soni.audit.reading import Reading
from soni.audit.replay import ReplayedTurn, replay, replay_today
from soni.audit.source import Chain, keeps_all, open_journal, read_entries
from soni.audit.turn import RecordedTurn
from soni.cli.text import (
    format_named,
    format_plural,
    format_value,
    make_console,
    print_lines,
    to_one_line,
)
from soni.cli.trace.render import render_verdict
from soni.cli.trace.run import choose_conversation, read_turns
from soni.config.soni_config import SoniConfig
from soni.config.version import compute_fingerprint
from soni.core.constants import MASK
from soni.core.errors import SoniError
from soni.du.providers import open_provider


async def run_replay(
    config: SoniConfig, user: str, conversation: str | None, *, as_json: bool, today: bool = False
) -> bool:
    """Replay and print every turn. Returns whether nothing differs."""
    turns, chain = await _load_turns(config, user, conversation)
    console = make_console()
    different = count = 0
    readings = []
    held = _replay_today(config, turns) if today else replay(config, turns)
    async for turn in held:
        count += turn.outcome in ("held", "failed")
        different += not turn.is_same
        readings += [turn.reading] if turn.reading is not None else []
        if as_json:
            console.print(Text(json.dumps(_make_plain_turn(turn))), soft_wrap=True)
        else:
            print_lines(console, _render_turn(turn))
    if not as_json:
        if readings:
            print_lines(console, _render_readings(readings))
        print_lines(console, _render_summary(config, turns, different, count))
        if chain.broken is not None:
            console.print(render_verdict(chain), soft_wrap=True)
    return not different and chain.broken is None


async def _replay_today(
    config: SoniConfig, turns: list[RecordedTurn]
) -> AsyncIterator[ReplayedTurn]:
    provider = open_provider(config)
    try:
        async for turn in replay_today(config, turns, provider):
            yield turn
    finally:
        close = getattr(provider, "aclose", None)
        if close is not None:
            await close()


async def _load_turns(
    config: SoniConfig, user: str, conversation: str | None
) -> tuple[list[RecordedTurn], Chain]:
    if conversation is None and _is_file(user):
        turns, chain = [], Chain(is_pruned=not keeps_all(config))
        for entry in read_entries(Path(user)):
            chain.check_entry(entry)
            turns.append(RecordedTurn(entry))
    else:
        async with open_journal(config) as journal:
            found = await choose_conversation(journal, user, conversation)
            turns, chain = await read_turns(journal, found, is_pruned=not keeps_all(config))
    if len({turn.entry.conversation_id for turn in turns}) > 1:
        raise SoniError(f"{user} holds several conversations; a replay takes one")
    if not turns:
        raise SoniError(f"{user} holds no conversation")
    return turns, chain


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a user's id may be nothing that could name a file
        return False


def _render_turn(turn: ReplayedTurn) -> Iterator[Text]:
    number = f"turn {turn.then.entry.turn}"
    said = to_one_line(turn.then.message or str(turn.then.facts.get("api", "")))
    if turn.outcome == "reset":
        yield Text(f"- {number}  the conversation was reset", "dim")
    elif turn.outcome == "skipped":
        why = "was erased" if turn.then.entry.status == "erased" else "failed then"
        yield Text(f"- {number}  {why}, so it is not held again", "dim")
    elif turn.is_same:
        yield Text.assemble(("✓ ", "green"), number, (f"  {said}", "dim"))
    else:
        yield Text.assemble(("✗ ", "bold red"), (number, "bold"), (f"  {said}", "dim"))
    if turn.unknown:
        skipped = ", ".join(turn.unknown)
        yield Text(f"    what was asked is masked, so its {skipped} were not compared", "dim")
    for name in turn.missing:
        yield Text(f"    action {to_one_line(name)}: not recorded, so it failed", "red")
    for difference in (*_find_reading_difference(turn), *turn.differences):
        yield Text(f"    {difference.what}:")
        yield from _render_difference(difference)


def _find_reading_difference(turn: ReplayedTurn) -> Iterator[Difference]:
    reading = turn.reading
    if reading is not None and not reading.is_same:
        now: list[Any] = [*map(_name_command, reading.now)] or [
            f"nothing ({reading.error or 'no command'})"
        ]
        yield Difference("understood", [*map(_name_command, reading.then)], now)


def _name_command(command: dict[str, Any]) -> dict[str, Any]:
    return {str(command["type"]): {key: v for key, v in command.items() if key != "type"}}


def _render_difference(difference: Difference) -> Iterator[Text]:
    styles = {"- ": "green", "+ ": "red", "  ": ""}
    for line in ndiff(_format_entries(difference.then), _format_entries(difference.now)):
        # Lines of `ndiff` that mark single letters do not help with sentences.
        if line[:2] in styles:
            yield Text(f"      {line}", styles[line[:2]])


def _format_entries(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [f"{to_one_line(str(name))}: {format_value(item)}" for name, item in data.items()]
    if isinstance(data, list):
        return [format_named(item) for item in data]
    return [format_value(data)]


def _render_readings(readings: list[Reading]) -> Iterator[Text]:
    changed = sum(not each.is_same for each in readings)
    yield Text()
    yield Text(f"{changed} of {format_plural(len(readings), 'message')} understood differently")


def _render_summary(
    config: SoniConfig, turns: list[RecordedTurn], different: int, count: int
) -> Iterator[Text]:
    yield Text()
    if any(map(has_mask, turns)):
        yield Text(
            f"sensitive values are not on record: {MASK} stands in for them, and their slots "
            "took it as they took the value then",
            "yellow",
        )
    first = turns[0].entry.turn
    if first > 1:
        text = f"the journal begins with turn {first}: what was before is not on record"
        yield Text(text, "yellow")
    versions = {turn.version for turn in turns if turn.version is not None}
    if versions and versions != {compute_fingerprint(config)}:
        yield Text("the assistant was changed since the conversation was recorded", "dim")
    if different:
        yield Text("- then  + now", "dim")
        yield Text(f"{different} of {count} turns are different", "bold red")
    else:
        yield Text(f"{format_plural(count, 'turn')}, no differences", "bold green")


def _make_plain_turn(turn: ReplayedTurn) -> dict[str, Any]:
    return {
        "turn": turn.then.entry.turn,
        "seq": turn.then.entry.seq,
        "outcome": turn.outcome,
        "same": turn.is_same,
        "not_recorded": list(turn.missing),
        "differences": [asdict(each) for each in turn.differences],
        **({"understood": asdict(turn.reading)} if turn.reading is not None else {}),
    }
