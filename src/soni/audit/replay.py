"""Holding a recorded conversation again: its messages, its clock, its results; today's flows."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from soni.audit.differences import Difference, differences
from soni.audit.placeholders import Placeholders, asks_in_secret
from soni.audit.recorded import RecordedRunner
from soni.audit.turn import RecordedTurn
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.du import NLUOutput
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.message import Message
from soni.testing.clock import FrozenClock


@dataclass(frozen=True)
class ReplayedTurn:
    """A turn beside what it was."""

    then: RecordedTurn
    outcome: Literal["held", "failed", "skipped", "reset"]
    """`skipped`: it failed then, so nothing came of it. `failed`: it does so now."""

    now: RecordedTurn | None = None
    differences: tuple[Difference, ...] = ()
    missing: tuple[str, ...] = ()
    """Actions that were called, and have no result on record."""

    unknown: tuple[str, ...] = ()
    """What was not compared, because the question that it answers is masked."""

    @property
    def same(self) -> bool:
        """Whether nothing is different."""
        return not self.differences and not self.missing and self.outcome != "failed"


async def replay(config: SoniConfig, turns: Sequence[RecordedTurn]) -> AsyncIterator[ReplayedTurn]:
    """Hold a conversation again, turn by turn. No action runs, and nothing is understood anew."""
    placeholders, clock = Placeholders(config), FrozenClock()
    runner = RecordedRunner(turns, placeholders)
    nlu, store = _Silence(), open_store("memory")
    runtime = RuntimeLoop(placeholders.config, nlu=nlu, clock=clock, store=store, actions=runner)
    async with runtime:
        written = 0
        for turn in turns:
            clock.now = turn.moment
            if turn.entry.status == "reset":
                await runtime.reset(turn.entry.conversation_id)
                written += 1
                yield ReplayedTurn(turn, "reset")
            elif not turn.ok:
                yield ReplayedTurn(turn, "skipped")
            else:
                runner.begin(turn)
                placeholders.begin(turn)
                nlu.broken = turn.source == "failed"
                message = message_of(turn, placeholders)
                yield await _replay_turn(turn, message, runtime, runner, written)
                written += 1


async def _replay_turn(
    turn: RecordedTurn,
    message: Message,
    runtime: RuntimeLoop,
    runner: RecordedRunner,
    written: int,
) -> ReplayedTurn:
    try:
        await runtime.handle(message)
    except SoniError as error:
        failed = Difference("turn", "it was handled", str(error))
        return ReplayedTurn(turn, "failed", None, (failed,), tuple(runner.missing))
    journal, conversation_id = runtime.store.journal, turn.entry.conversation_id
    (entry,) = await journal.entries(conversation_id, after=written)
    now = RecordedTurn(entry)
    unknown = ("replies",) if asks_in_secret(turn) else ()
    found = tuple(differences(turn, now, unknown))
    return ReplayedTurn(turn, "held", now, found, tuple(dict.fromkeys(runner.missing)), unknown)


def message_of(turn: RecordedTurn, placeholders: Placeholders) -> Message:
    """What was sent, as far as it is on record."""
    text = turn.message
    if turn.source == "refused" and text is not None:
        text += "…"  # it was cut where it became too long
    return Message(
        text=text,
        user_id=turn.user_id,
        conversation_id=turn.entry.conversation_id,
        message_id=turn.entry.message_id,
        language=turn.language,
        session=turn.context,
        commands=None if turn.source in _WITHOUT_COMMANDS else placeholders.commands(turn),
        facts=turn.facts,
    )


_WITHOUT_COMMANDS: Final = ("api", "refused", "failed")


@dataclass
class _Silence:
    """Understanding that understands nothing, or breaks where it broke."""

    broken: bool = field(default=False)

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """No commands."""
        if self.broken:
            raise RuntimeError("understanding failed in the recorded turn")
        return NLUOutput(commands=(), source="replay")
