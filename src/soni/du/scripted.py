"""ScriptedNLU: understanding from a script, for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from soni.core.errors import SoniError
from soni.du.context import DialogueContext, NLUOutput


class ScriptError(SoniError):
    """The conversation and the script do not fit together."""


class ScriptedNLU:
    """Answers from a list (commands per turn) or a dict (message -> commands).

    A missing entry fails the turn; `finish()` fails for entries nobody used.
    """

    def __init__(self, script: Sequence[Sequence[Any]] | Mapping[str, Sequence[Any]]) -> None:
        self._script = dict(script) if isinstance(script, Mapping) else list(script)
        self._used: set[Any] = set()
        self._turn = 0

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands written for this turn, or for this message."""
        if isinstance(self._script, dict):
            if user_message not in self._script:
                raise ScriptError(
                    f"the script has no entry for the message '{user_message}'; "
                    f"it has: {', '.join(map(repr, self._script)) or 'none'}"
                )
            self._used.add(user_message)
            return NLUOutput(commands=tuple(self._script[user_message]), source="scripted")
        if self._turn >= len(self._script):
            raise ScriptError(
                f"the script has {len(self._script)} turns; "
                f"turn {self._turn + 1} ('{user_message}') has no entry"
            )
        commands = self._script[self._turn]
        self._used.add(self._turn)
        self._turn += 1
        return NLUOutput(commands=tuple(commands), source="scripted")

    def finish(self) -> None:
        """Raise `ScriptError` if an entry was never used."""
        entries = list(self._script) if isinstance(self._script, dict) else range(len(self._script))
        unused = [entry for entry in entries if entry not in self._used]
        if unused:
            raise ScriptError(f"unused entries of the script: {', '.join(map(repr, unused))}")
