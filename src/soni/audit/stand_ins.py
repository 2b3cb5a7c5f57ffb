"""Stand-ins for secrets and for results of actions in an exported test."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from soni.audit.turn import RecordedTurn
from soni.commands import CommandHandlerRegistry
from soni.commands.consent import CONSENT_REASONS
from soni.commands.registry import UnknownCommandError
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.core.generation import TEXT_ACTIONS
from soni.testing.stubs import make_stub_error


class StandIns:
    """Replaces sensitive values with the slot's first example, if it has one."""

    def __init__(self, config: SoniConfig) -> None:
        self._slots = config.slots
        self.notes: list[str] = []

    def is_sensitive(self, name: str) -> bool:
        """Whether a slot's values are masked in the journal."""
        return name in self._slots and self._slots[name].sensitive

    def fill_command(
        self, said: Mapping[str, Any], refused: Collection[Any] = ()
    ) -> dict[str, Any]:
        """A command with values that a slot may take; what it `refused` nobody can make up."""
        slot = said.get("slot_name")
        if slot in refused and MASK in said.values():
            self.notes.append(
                f"a value of '{slot}' was refused and is not on record: write one in place of "
                f"{MASK} that is refused for the same reason"
            )
            return dict(said)
        return {
            key: self.fill_values(value)
            if isinstance(value, dict)
            else self._fill_value(str(slot), value)
            for key, value in said.items()
        }

    def fill_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by slot, none of them masked."""
        return {name: self._fill_value(name, value) for name, value in values.items()}

    def _fill_value(self, slot: str, value: Any) -> Any:
        if value != MASK:
            return value
        known = self._slots.get(slot)
        if known is not None and known.examples:
            return known.examples[0]
        self.notes.append(
            f"the value of '{slot}' is not on record: write a made-up one in place of {MASK}, "
            "or give the slot `examples`"
        )
        return MASK


class RecordedResults:
    """The recorded results of actions, as stubs."""

    def __init__(self, turns: Sequence[RecordedTurn], stand_ins: StandIns) -> None:
        self._stand_ins = stand_ins
        self.notes: list[str] = []
        self._by_turn = {turn.entry.seq: self._make_stubs(turn) for turn in turns}
        every: dict[str, list[Any]] = {}
        for stubs in self._by_turn.values():
            for name, result in stubs.items():
                every.setdefault(name, []).append(result)
        self.throughout = {
            name: results[0]
            for name, results in every.items()
            if all(result == results[0] for result in results)
        }
        """Results that were the same whenever the action ran."""

    def find_changed_results(self, turn: RecordedTurn) -> dict[str, Any]:
        """Results that hold in a turn, and were different in others."""
        stubs = self._by_turn[turn.entry.seq]
        return {name: stub for name, stub in stubs.items() if name not in self.throughout}

    def _make_stubs(self, turn: RecordedTurn) -> dict[str, Any]:
        stubs: dict[str, Any] = {}
        for call in turn.actions:
            name, number = str(call.get("action")), turn.entry.turn
            if name in TEXT_ACTIONS:
                # No model writes in a test, so its texts need no stub.
                continue
            stub = self._make_stub(call)
            if stub is None:
                self.notes.append(f"turn {number}: a stub cannot do what '{name}' did there")
            elif name in stubs and stubs[name] != stub:
                self.notes.append(
                    f"turn {number}: '{name}' gave several results, and a stub gives only one"
                )
            else:
                stubs[name] = stub
            if call.get("said"):
                self.notes.append(f"turn {number}: '{name}' spoke, and a stub is silent")
        return stubs

    def _make_stub(self, call: Mapping[str, Any]) -> Any:
        error, outputs = call.get("error"), call.get("outputs")
        if isinstance(error, dict):
            message = {"message": error["message"]} if error.get("message") else {}
            return {"error": error.get("type"), **message}
        if not isinstance(outputs, dict) or make_stub_error(outputs) is not None:
            return None
        return self._stand_ins.fill_values(outputs)


def list_commands(turn: RecordedTurn, stand_ins: StandIns) -> list[dict[str, Any]]:
    """What was said in a turn, with values that a slot may take."""
    refused = list_refused_slots(turn)
    said = [command for made in turn.commands for command in _list_judged(made)]
    return _drop_unreadable([stand_ins.fill_command(command, refused) for command in said])


def _list_judged(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A command as it counts once the words of the message have been asked for a yes or no.

    Commands of a test count as they are, since they go past understanding.
    """
    judged = made.get("reason") in CONSENT_REASONS
    if judged and made.get("decision") == "rejected":
        return []
    if judged and made["to"]:
        return [{**_as_args(each), "type": str(each.get("command"))} for each in made["to"]]
    if made.get("added") and not judged:
        return []
    return [{**made["args"], "type": str(made.get("command"))}]


def _as_args(made: Mapping[str, Any]) -> dict[str, Any]:
    args = made.get("args")
    return dict(args) if isinstance(args, dict) else {}


def list_effective_commands(turn: RecordedTurn, stand_ins: StandIns) -> list[dict[str, Any]]:
    """The commands without those that had no effect."""
    refused = list_refused_slots(turn)
    failed = {each.get("command") for each in turn.results if each.get("result") != "success"}
    done = [
        stand_ins.fill_command(command)
        for made in turn.commands
        if made.get("decision") != "rejected"
        for command in _list_judged(made)
    ]
    took = [each for each in done if each.get("slot_name") not in refused]
    return _drop_unreadable([each for each in took if each["type"] not in failed])


def list_refused_slots(turn: RecordedTurn) -> Collection[Any]:
    """The slots that did not take a value."""
    return {write.get("slot") for write in turn.writes if "refused" in write}


def _drop_unreadable(commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    registry, readable = CommandHandlerRegistry.discover(), []
    for said in commands:
        try:
            registry.parse(said)
        except (UnknownCommandError, ValidationError):
            continue  # it was rejected, and only what can be read may be written
        readable.append({said["type"]: {k: v for k, v in said.items() if k != "type"}})
    return readable
