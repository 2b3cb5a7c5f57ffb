"""How today's understanding reads recorded messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from soni.audit.turn import RecordedTurn
from soni.commands import Command, CommandHandlerRegistry
from soni.commands.registry import UnknownCommandError
from soni.config.assistant import Assistant
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.core.protocols import NLUProvider
from soni.du import NLUOutput

_NOT_READ: Final = ("", "api", "given", "refused")
"""Sources of turns that nobody had to understand."""


@dataclass(frozen=True)
class Reading:
    """The commands that a message was understood as, and those of today in the same moment."""

    then: list[dict[str, Any]]
    now: list[dict[str, Any]]
    error: str | None = None
    """Why today's understanding gave none: the kind of its error."""

    @property
    def is_same(self) -> bool:
        """Whether the message is read as it was."""
        return self.then == self.now and self.error is None


def is_readable(turn: RecordedTurn) -> bool:
    """Whether the words that were understood are on record."""
    message = turn.message or ""
    return turn.ok and bool(message) and turn.source not in _NOT_READ and MASK not in message


class RecordedNLU:
    """Answers with what was understood, and fails where understanding failed."""

    def __init__(self) -> None:
        self._turn: RecordedTurn | None = None
        self._commands: Sequence[Any] = ()

    def prepare_message(self, turn: RecordedTurn, commands: Sequence[Any] | None) -> bool:
        """Prepare the turn; whether its commands were understood, and not given.

        What was understood is judged again by the words of the message: they may be no yes.
        """
        self._turn, self._commands = turn, commands or ()
        return turn.source != "given"

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """What was understood then."""
        if self._turn is not None and self._turn.source == "failed":
            raise RuntimeError("understanding failed in the recorded turn")
        return NLUOutput(commands=tuple(self._commands), source="replay")


class TodayNLU(RecordedNLU):
    """Asks today's provider too, and answers with what it says if `obeyed`."""

    def __init__(self, provider: NLUProvider, config: SoniConfig, *, obeyed: bool) -> None:
        super().__init__()
        self._provider = provider
        self._sensitive = Assistant(config).is_sensitive
        self._obeyed = obeyed
        self.readings: dict[int, Reading] = {}
        """By the `seq` of the turn."""

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """Read the message as today."""
        turn = self._turn
        if turn is None or not is_readable(turn):
            return await super().understand(user_message, history, context)
        then = [self._describe(command) for command in turn.said]
        try:
            output = await self._provider.understand(
                user_message=user_message, history=history, context=context
            )
        except Exception as error:
            self.readings[turn.entry.seq] = Reading(then, [], type(error).__name__)
            if self._obeyed:
                raise
        else:
            now = [self._describe(command) for command in output.commands]
            self.readings[turn.entry.seq] = Reading(then, now)
            if self._obeyed:
                return output
        return await super().understand(user_message, history, context)

    def _describe(self, raw: Any) -> dict[str, Any]:
        """A command with the fields that say something, so that old and new ones are alike."""
        try:
            command = raw if isinstance(raw, Command) else _parse_command(raw)
        except (UnknownCommandError, ValidationError):
            return dict(raw) if isinstance(raw, dict) else {"type": type(raw).__name__}
        usual = {
            name: field.get_default(call_default_factory=True)
            for name, field in type(command).model_fields.items()
        }
        told = command.mask_args(self._sensitive).items()
        return {"type": command.type} | {name: v for name, v in told if v != usual.get(name)}


def _parse_command(raw: Any) -> Command:
    return CommandHandlerRegistry.discover().parse(raw)
