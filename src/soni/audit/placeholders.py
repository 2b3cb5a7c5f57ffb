"""Placeholders for sensitive values, which the journal masks, in a replay."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from soni.audit.turn import RecordedTurn
from soni.commands.consent import NO_PLAIN_ANSWER
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.decorators import validator


class Placeholders:
    """Replaces masked values, and accepts or refuses them as the record says."""

    def __init__(self, config: SoniConfig) -> None:
        self._slots = {name: slot for name, slot in config.slots.items() if slot.sensitive}
        self._judgements: dict[str, list[str | None]] = {}
        self._changed: set[str] = set()
        self._turn = 0
        self._held: dict[str, Any] = {}
        self.config = self._replace_sensitive_slots(config)
        """The assistant, but what its sensitive slots take is decided here."""

    def begin_turn(self, turn: RecordedTurn) -> None:
        """Prepare the values of this turn."""
        self._turn = turn.entry.seq
        self._judgements = {}
        for write in turn.writes:
            refused = write.get("refused")
            words = refused if isinstance(refused, str) else None
            self._judgements.setdefault(str(write.get("slot")), []).append(words)
        stayed = {name for new in turn.slots.values() for name in new} | turn.shared.keys()
        self._changed = stayed if turn.stack else set(self._slots)

    def fill_commands(self, turn: RecordedTurn) -> list[dict[str, Any]]:
        """The commands of a turn with placeholders for masked values."""
        return [
            {
                key: self.fill_values(value)
                if isinstance(value, dict)
                else self._fill_value(str(command.get("slot_name")), value)
                for key, value in command.items()
            }
            for command in turn.said
        ]

    def fill_message(self, turn: RecordedTurn) -> str | None:
        """The message; a masked yes or no is said as what was made of it."""
        slot = self._slots.get(str(turn.before.get("waiting_for")))
        if turn.message != MASK or slot is None or not slot.kind.is_polar:
            return turn.message
        if any(made.get("reason") == NO_PLAIN_ANSWER for made in turn.commands):
            return turn.message
        accepted = (made for made in turn.commands if made.get("decision") != "rejected")
        denied = any(made.get("command") == "DenyConfirmation" for made in accepted)
        return "no" if denied else "yes"

    def fill_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values with placeholders for masked ones."""
        return {name: self._fill_value(name, value) for name, value in values.items()}

    def _fill_value(self, slot: str, value: Any) -> Any:
        if value != MASK or slot not in self._slots:
            return value
        kind = self._slots[slot]
        if kind.kind.is_polar:
            return "yes"
        if kind.kind.has_values:
            return next(iter(kind.values))
        # Each new value gets another placeholder, so that a correction is seen as a change.
        if slot in self._changed or slot not in self._held:
            self._held[slot] = f"{MASK}{self._turn}"
        return self._held[slot]

    def _replace_sensitive_slots(self, config: SoniConfig) -> SoniConfig:
        functions = config.functions
        slots = dict(config.slots)
        for name, slot in self._slots.items():
            kept = slot.kind.is_polar or slot.kind.has_values
            loose: dict[str, Any] = {"normalizer": None, "constraints": ()}
            loose |= {} if kept else {"type": "text"}
            slots[name] = slot.model_copy(update={**loose, "validator": _name_judge(name)})
        own = (functions.actions, functions.validators, functions.normalizers)
        marked = [function for kind in own for function in kind.values()]
        judges = [self._make_judge(name) for name in self._slots]
        return config.model_copy(update={"slots": slots}).with_functions([*marked, *judges])

    def _make_judge(self, slot: str) -> Callable[[Any], bool]:
        @validator(_name_judge(slot))
        def judge(value: Any) -> bool:
            known = self._judgements.get(slot)
            words = known.pop(0) if known else None
            if words is not None:
                raise ValueError(words)
            return True

        return judge


def has_mask(turn: RecordedTurn) -> bool:
    """Whether the turn's input is masked, so that only a placeholder is known."""
    given = (turn.message, turn.said, turn.actions, turn.context, turn.facts)
    return MASK in json.dumps(given, ensure_ascii=False)


def has_masked_topic(turn: RecordedTurn) -> bool:
    """Whether the topic of a question is masked: no slot holds it."""
    return any("slot_name" not in command and MASK in command.values() for command in turn.said)


def _name_judge(slot: str) -> str:
    # Contains a space, so it cannot equal a name of the author.
    return f"replay of {slot}"
