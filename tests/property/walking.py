"""Walking: every move is made on a real runtime, and everything is looked at after each turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.audit.replay import replay
from soni.audit.turn import RecordedTurn
from soni.core.constants import MASK
from soni.core.errors import NotAllowedError
from soni.core.storage import JournalEntry
from soni.core.transitions import StateTransitionValidator
from tests.property.effects import Effects
from tests.property.functions import Call
from tests.property.generators import Made
from tests.property.invariants import Step, assert_no_secret, check
from tests.property.promises import Promises
from tests.property.walks import USER, Event, Move, Walker, event_of, is_refused
from tests.talking import FrozenClock


async def walked(made: Made, moves: list[Move]) -> list[Step]:
    """Walk, check after every turn, and walk the same way again."""
    with told_of(made) as told:
        steps, events, record, _ = await _walk(made, moves, told, Effects(made))
        assert await _again(made, events) == record, "the same walk, a second time, reads otherwise"
    return steps


async def walked_and_replayed(made: Made, moves: list[Move]) -> list[Step]:
    """Walk over layered flows, check after every turn, and hold it again from its journal."""
    with told_of(made) as told:
        steps, _, _, journal = await _walk(made, moves, told, Effects(made), Promises(made))
        turns = [RecordedTurn(entry) for entry in journal]
        async for again in replay(made.ready([]), turns):
            # Two secrets in one message are one mask: why the first was dropped is not known.
            hidden = {"decisions", "results"} if MASK in (again.then.message or "") else set()
            other = [each for each in again.differences if each.what not in hidden]
            assert not other, f"{again.then.message!r} reads otherwise: {other}"
            assert not again.missing, f"{again.missing} ran, and should not have"
    return steps


@contextmanager
def told_of(made: Made) -> Iterator[list[str]]:
    """What happened, to be told if it fails."""
    told: list[str] = []
    try:
        yield told
    except BaseException as error:
        error.add_note("\n  ".join([made.story(), "Walk:", *told]))
        raise


async def _walk(
    made: Made, moves: list[Move], told: list[str], *watchers: Effects | Promises
) -> tuple[list[Step], list[Event], list[Any], list[JournalEntry]]:
    calls: list[Call] = []
    clock, steps, events, record = FrozenClock(), [], [], []
    async with RuntimeLoop(made.ready(calls), clock=clock) as runtime:
        walker = Walker(runtime, clock)
        for move in moves:
            before = await runtime.get_state(USER)
            event = event_of(move, made, before)
            events.append(event)
            told.append(str(event))
            known = len(calls)
            with moves_seen() as seen:
                turn = await _done(made, walker, event, before)
            after = await runtime.get_state(USER)
            record.append((turn.messages if turn else None, after))
            if turn is None:
                continue
            told.append(f"  {turn.messages}")
            step = Step(made, event, before, turn, calls[known:])
            check_stored(after, turn.state)
            check_moves(step, seen)
            check(step)
            for watcher in watchers:
                watcher.check(step)
            steps.append(step)
        journal = await runtime.store.journal.entries(USER)
        assert_no_secret(json.dumps([entry.data for entry in journal], ensure_ascii=False))
        assert all(entry.status in ("ok", "reset") for entry in journal)
    return steps, events, record, list(journal)


async def _again(made: Made, events: list[Event]) -> list[Any]:
    clock, record = FrozenClock(), []
    async with RuntimeLoop(made.ready([]), clock=clock) as runtime:
        walker = Walker(runtime, clock)
        for event in events:
            turn = await _done(made, walker, event, await runtime.get_state(USER))
            record.append((turn.messages if turn else None, await runtime.get_state(USER)))
    return record


async def _done(made: Made, walker: Walker, event: Event, before: Any) -> Any:
    """Only calls of the API that make no sense may be refused, and then nothing happens."""
    if not is_refused(made, event, before):
        return await walker.do(event)
    with pytest.raises(NotAllowedError):
        await walker.do(event)
    assert await walker.runtime.get_state(USER) == before
    return None


def check_stored(stored: Any, returned: Any) -> None:
    """The state comes back from the store as it was returned, but for secrets in what was said."""
    differing = {key for key in stored if stored[key] != returned[key]} - {"replies"}
    assert not differing, {key: (stored[key], returned[key]) for key in differing}
    for kept, said in zip(stored["replies"], returned["replies"], strict=True):
        masked = re.escape(kept["text"]).replace(re.escape(MASK), ".+")
        assert re.fullmatch(masked, said["text"], re.DOTALL), (kept, said)
        assert kept.keys() == said.keys()


@contextmanager
def moves_seen() -> Iterator[list[tuple[str, str]]]:
    """Every move that the validator was asked about."""
    seen: list[tuple[str, str]] = []
    validate = StateTransitionValidator.validate_transition

    def watched(from_state: str, to_state: str) -> None:
        validate(from_state, to_state)
        seen.append((str(from_state), str(to_state)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StateTransitionValidator, "validate_transition", watched)
        yield seen


def check_moves(step: Step, seen: list[tuple[str, str]]) -> None:
    """The state came from where it was to where it is by validated moves and no others."""
    here = step.before["conversation_state"]
    for source, target in seen:
        assert source == here, f"moved to {source} past the validator: {here} -> {seen}"
        here = target
    assert here == step.after["conversation_state"], f"{here} is not where it ended: {seen}"
