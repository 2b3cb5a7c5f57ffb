"""RecordedRunner: an action's result as it once was. The action itself never runs."""

from collections.abc import Iterable
from typing import Any

from soni.audit.placeholders import Placeholders
from soni.audit.turn import RecordedTurn
from soni.core.calls import ActionCall
from soni.core.errors import ActionError, NeedSlot
from soni.core.generation import WRITTEN
from soni.flow.write import recordable

NOT_RECORDED = "not_recorded"
"""The type of the error that an action has in a replay if its result is not known."""


class RecordedRunner:
    """Gives each call the result of the recorded call that is most like it."""

    def __init__(self, turns: Iterable[RecordedTurn], placeholders: Placeholders) -> None:
        self._placeholders = placeholders
        self._unused = [(turn.entry.seq, call) for turn in turns for call in turn.actions]
        self.has_texts = any(call.get("action") in WRITTEN for _, call in self._unused)
        self._turn = 0
        self.missing: list[str] = []
        """Actions of this turn that have no recorded result."""

    def begin(self, turn: RecordedTurn) -> None:
        """The calls of this turn come next."""
        self._turn = turn.entry.seq
        self.missing = []

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """What the action returned, said or raised then."""
        known = self._take_result(call)
        if known is None:
            self.missing.append(call.action)
            raise ActionError(NOT_RECORDED, f"no result of '{call.action}' is on record")
        for text in known.get("said") or ():
            call.say(str(text))
        if "need" in known:
            raise NeedSlot(str(known["need"]))
        if isinstance(error := known.get("error"), dict):
            raise ActionError(str(error.get("type")), str(error.get("message") or ""))
        return self._placeholders.values(known["outputs"])

    def _take_result(self, call: ActionCall) -> dict[str, Any] | None:
        key = call.key.removeprefix(f"{call.conversation_id}/")
        inputs = recordable(call.inputs)
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
            # The same action of another turn did something else, unless it was given the same.
            if any(likeness) and (best is None or likeness > best[0]):
                best = likeness, index
        return self._unused.pop(best[1])[1] if best else None


def _has_result(call: dict[str, Any]) -> bool:
    """Whether it is known how the call ended: one that was too long to record has no result."""
    return isinstance(call.get("outputs"), dict) or "error" in call or "need" in call
