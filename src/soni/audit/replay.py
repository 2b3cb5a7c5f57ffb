"""Replays a recorded conversation with its messages, clock and results, on today's flows."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, Literal, cast

from soni.audit.differences import Difference, find_differences
from soni.audit.placeholders import Placeholders, has_mask, has_masked_topic
from soni.audit.reading import Reading, RecordedNLU, TodayNLU
from soni.audit.turn import RecordedTurn
from soni.config.soni_config import SoniConfig
from soni.core.calls import ActionCall
from soni.core.errors import ActionError, NeedSlot, SoniError
from soni.core.generation import TEXT_ACTIONS
from soni.core.protocols import NLUProvider
from soni.core.records import ForkOrigin, TurnFacts
from soni.core.storage import Store
from soni.flow.plain import make_recordable
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import Message
from soni.testing.stubs import FrozenClock

NOT_RECORDED = "not_recorded"
"""The type of the error that an action has in a replay if its result is not known."""


class RecordedRunner:
    """Answers each action call with the recorded result of the most similar call."""

    def __init__(self, turns: Iterable[RecordedTurn], placeholders: Placeholders) -> None:
        self._placeholders = placeholders
        self._unused = [(turn.entry.seq, call) for turn in turns for call in turn.actions]
        self.has_texts = any(call.get("action") in TEXT_ACTIONS for _, call in self._unused)
        self._turn = 0
        self.missing: list[str] = []
        """Actions of this turn that have no recorded result."""

    def begin_turn(self, turn: RecordedTurn) -> None:
        """Prepare the results of this turn."""
        self._turn = turn.entry.seq
        self.missing = []

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """The recorded result, messages or error of the action."""
        known = self._take_result(call)
        if known is None:
            self.missing.append(call.action)
            raise ActionError(NOT_RECORDED, f"no result of '{call.action}' is on record")
        for text in known.get("said") or ():
            call.say(str(text))
        if "need" in known:
            raise NeedSlot(str(known["need"]))
        if isinstance(error := known.get("error"), dict):
            is_known = error.get("outcome_known") is not False
            kind, message = str(error.get("type")), str(error.get("message") or "")
            raise ActionError(kind, message, outcome_known=is_known)
        return self._placeholders.fill_values(known["outputs"])

    def _take_result(self, call: ActionCall) -> dict[str, Any] | None:
        key = call.key.removeprefix(f"{call.conversation_id}/")
        inputs = make_recordable(call.inputs)
        best: tuple[tuple[bool, ...], int] | None = None
        for index, (seq, known) in enumerate(self._unused):
            if known.get("action") != call.action or not _has_result(known):
                continue
            likeness = (
                seq == self._turn and known.get("key") == key,
                seq == self._turn and known.get("inputs") == inputs,
                seq == self._turn,
                known.get("inputs") == inputs,
            )
            # A result of another turn counts only if the inputs are the same.
            if any(likeness) and (best is None or likeness > best[0]):
                best = likeness, index
        return self._unused.pop(best[1])[1] if best else None


@dataclass(frozen=True)
class ReplayedTurn:
    """A replayed turn beside the recorded one."""

    then: RecordedTurn
    outcome: Literal["held", "failed", "skipped", "reset"]
    """`skipped`: it failed then, so nothing came of it. `failed`: it does so now."""

    now: RecordedTurn | None = None
    differences: tuple[Difference, ...] = ()
    missing: tuple[str, ...] = ()
    """Actions that were called, and have no result on record."""

    unknown: tuple[str, ...] = ()
    """What was not compared, because the question that it answers is masked."""

    reading: Reading | None = None
    """How today's understanding reads the message; None: it was not asked."""

    @property
    def is_same(self) -> bool:
        """Whether nothing is different."""
        read_alike = self.reading is None or self.reading.is_same
        held_alike = not self.differences and not self.missing and self.outcome != "failed"
        return read_alike and held_alike


async def replay(config: SoniConfig, turns: Sequence[RecordedTurn]) -> AsyncIterator[ReplayedTurn]:
    """Replay a conversation turn by turn. No action runs, and the NLU is not asked."""
    async for turn in _hold_again(config, turns, RecordedNLU()):
        yield turn


async def replay_today(
    config: SoniConfig, turns: Sequence[RecordedTurn], provider: NLUProvider
) -> AsyncIterator[ReplayedTurn]:
    """Replay a conversation as it goes if today's understanding reads its messages.

    Each reading is compared in the recorded moment, whatever was read differently before.
    """
    judge = TodayNLU(provider, config, obeyed=False)
    held = [turn async for turn in _hold_again(config, turns, judge)]
    readings = judge.readings
    if not all(each.is_same for each in readings.values()):
        reader = TodayNLU(provider, config, obeyed=True)
        held = [turn async for turn in _hold_again(config, turns, reader)]
    for turn in held:
        reading = readings.get(turn.then.entry.seq)
        told = reading is not None and not reading.is_same
        # Decisions about other commands say nothing that the commands do not.
        found = tuple(each for each in turn.differences if not (told and each.what == "decisions"))
        yield replace(turn, reading=reading, differences=found)


@dataclass(frozen=True)
class ForkTarget:
    """The conversation that a replay is written to."""

    store: Store
    """Is open, and stays so."""

    conversation_id: str
    user_id: str
    origin: ForkOrigin
    delay: timedelta = timedelta()
    """How much later than then it takes place."""

    def adapt(self, message: Message) -> Message:
        """A message as one of this conversation. Ids of messages are others' own."""
        facts: TurnFacts = {**message.facts, "forked_from": self.origin}
        return replace(
            message,
            conversation_id=self.conversation_id,
            user_id=self.user_id,
            message_id=None,
            facts=facts,
        )


def make_origin(turns: Sequence[RecordedTurn]) -> ForkOrigin:
    """Where a fork comes from that goes on after these turns, and whose words they are."""
    last = turns[-1].entry
    users = (user for turn in turns for user in (turn.user_id, *turn.entry.copied_users))
    return {
        "conversation_id": last.conversation_id,
        "seq": last.seq,
        "user_ids": list(dict.fromkeys(users)),
    }


async def fork(
    config: SoniConfig, turns: Sequence[RecordedTurn], target: ForkTarget
) -> list[ReplayedTurn]:
    """Hold turns again in a new conversation, which then stands where the last of them ended.

    No action runs. A sensitive value is not on record, so a placeholder stands in its slot.
    """
    return [turn async for turn in _hold_again(config, turns, RecordedNLU(), target)]


class _BorrowedStore:
    """A store that somebody else opens and closes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """It is still needed."""


async def _hold_again(
    config: SoniConfig,
    turns: Sequence[RecordedTurn],
    nlu: RecordedNLU,
    target: ForkTarget | None = None,
) -> AsyncIterator[ReplayedTurn]:
    placeholders, clock = Placeholders(config), FrozenClock()
    runner = RecordedRunner(turns, placeholders)
    store = cast(Store, _BorrowedStore(target.store)) if target else open_store("memory")
    # A fork is gone on with: where nothing is masked, its assistant is the real one.
    used = config if target and not any(map(has_mask, turns)) else placeholders.config
    runtime = RuntimeLoop(used, nlu=nlu, clock=clock, store=store, actions=runner)
    async with runtime:
        written = 0
        for turn in turns:
            clock.now = turn.moment + (target.delay if target else timedelta())
            if turn.entry.status == "reset":
                await runtime.reset(turn.entry.conversation_id)
                written += 1
                yield ReplayedTurn(turn, "reset")
            elif not turn.ok:
                yield ReplayedTurn(turn, "skipped")
            else:
                runner.begin_turn(turn)
                placeholders.begin_turn(turn)
                message = rebuild_message(turn, placeholders)
                message = target.adapt(message) if target else message
                if nlu.prepare_message(turn, message.commands):
                    message = replace(message, commands=None)
                yield await _replay_turn(turn, message, runtime, runner, written)
                written += 1


async def _replay_turn(
    turn: RecordedTurn, message: Message, runtime: RuntimeLoop, runner: RecordedRunner, written: int
) -> ReplayedTurn:
    try:
        await runtime.handle(message)
    except SoniError as error:
        failed = Difference("turn", "it was handled", str(error))
        return ReplayedTurn(turn, "failed", None, (failed,), tuple(runner.missing))
    (entry,) = await runtime.store.journal.entries(message.conversation_id, after=written)
    now = RecordedTurn(entry)
    unknown = ("replies",) if has_masked_topic(turn) else ()
    found = tuple(find_differences(turn, now, unknown))
    return ReplayedTurn(turn, "held", now, found, tuple(dict.fromkeys(runner.missing)), unknown)


def rebuild_message(turn: RecordedTurn, placeholders: Placeholders) -> Message:
    """The message that was sent, as far as it is recorded."""
    text = placeholders.fill_message(turn)
    if turn.source == "refused" and text is not None:
        text += "…"  # it was cut where it became too long
    return Message(
        text=text,
        user_id=turn.user_id,
        conversation_id=turn.entry.conversation_id,
        message_id=turn.entry.message_id,
        language=turn.language,
        session=turn.context,
        commands=None if turn.source in _WITHOUT_COMMANDS else placeholders.fill_commands(turn),
        facts=turn.facts,
    )


_WITHOUT_COMMANDS: Final = ("api", "refused", "failed")


def _has_result(call: dict[str, Any]) -> bool:
    """Whether the result is recorded. It is not if it was too long."""
    return isinstance(call.get("outputs"), dict) or "error" in call or "need" in call
