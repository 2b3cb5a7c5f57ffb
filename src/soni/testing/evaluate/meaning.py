"""The meaning of commands at a moment, normalised so that spellings compare equal."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.commands import Command, CommandHandlerRegistry, CorrectSlot, SetSlot, StartFlow
from soni.commands.base import Place
from soni.commands.list_choice import PageTurn, pick_item
from soni.commands.output import make_slot_env
from soni.commands.policy import CommandPolicy
from soni.commands.situation import Situation
from soni.config.assistant import Assistant
from soni.core.errors import Refusal
from soni.core.types import FlowContext
from soni.flow.stack import find_flow
from soni.flow.voice import Voice
from soni.flow.write import SlotWriter

_IGNORED_FIELDS: Final = frozenset({"reason", "confidence"})
"""Fields that say how or why, not what."""

_VALUE_TYPES: Final = frozenset({SetSlot.__name__, CorrectSlot.__name__})
_SLOT_AND_FLOW_PLACES: Final = (Place.START, Place.SET, Place.CORRECT)


@dataclass(frozen=True, order=True)
class Unit:
    """One unit of meaning: a command, or a value of a slot."""

    type: str
    of: str = ""
    """The flow, or the slot with its flow."""

    value: str = ""
    """What a write would store, as JSON."""

    @property
    def text(self) -> str:
        """The value as people read it."""
        return str(json.loads(self.value)) if self.value.startswith('"') else self.value

    def __str__(self) -> str:
        return " ".join(part for part in (self.type, self.of, self.text) if part)


Meaning = frozenset[Unit]


def reduce_to_types(commands: Sequence[dict[str, Any]]) -> Meaning:
    """The types alone. Repetitions are numbered, so that they count separately."""
    times = Counter(str(command.get("type")) for command in commands)
    return frozenset(
        Unit(name, f"({at})" if at > 1 else "")
        for name, count in times.items()
        for at in range(1, count + 1)
    )


def drop_values(meaning: Meaning) -> Meaning:
    """The meaning without values of slots."""
    return frozenset(unit for unit in meaning if unit.type not in _VALUE_TYPES)


class Interpreter:
    """Interprets commands as the conversation would at one moment.

    `amounts` are slots for money whose expected value names no currency: only the amount is
    compared.
    """

    def __init__(self, situation: Situation, amounts: frozenset[str] = frozenset()) -> None:
        self._situation = situation
        self._amounts = amounts
        self._registry = CommandHandlerRegistry.discover()

    async def interpret(self, commands: Sequence[Any]) -> Meaning:
        """The meaning: values as a write would store them, without the wording."""
        _, decisions = CommandPolicy(self._registry).clean(commands, self._situation)
        units: set[Unit] = set()
        meant: list[Command] = []
        for decision in decisions:
            if decision.said is None:
                units.add(Unit(decision.command, "unreadable"))
            elif decision.decision == "rewritten":
                meant += decision.becomes
            elif not decision.added:
                # Rejected commands count too: they were understood.
                meant.append(decision.said)
        new = {c.flow_name for c in meant if isinstance(c, StartFlow) and self._is_new(c)}
        for command in _expand_starts(meant):
            units.add(await self._make_unit(command, new))
        return frozenset(units)

    def is_refused(self, commands: Sequence[Any]) -> bool:
        """Whether a flow or a slot of these commands does not exist at the moment."""
        _, decisions = CommandPolicy(self._registry).clean(commands, self._situation)
        return any(
            each.decision == "rejected"
            and each.said is not None
            and each.said.place in _SLOT_AND_FLOW_PLACES
            for each in decisions
        )

    async def _make_unit(self, command: Command, new: set[str]) -> Unit:
        if isinstance(command, SetSlot | CorrectSlot):
            value = command.value if isinstance(command, SetSlot) else command.new_value
            return await self._make_slot_unit(command.slot_name, value, command.flow_name, new)
        hidden = _IGNORED_FIELDS | command.quotes
        args = {key: value for key, value in command.dump_args().items() if key not in hidden}
        if isinstance(command, StartFlow):
            another = command.another and self._is_open(command.flow_name)
            return Unit(command.type, command.flow_name, "another" if another else "")
        if command.type == "ResumeFlow":
            return Unit(command.type, args["flow_name"] or self._find_last_paused())
        if command.type == "SkipSlot":
            return Unit(command.type, args["slot_name"] or self._situation.asked_slot or "")
        if command.type == "Disambiguate":
            return Unit(command.type, ", ".join(sorted(args["flow_names"])))
        told = (str(value) for value in args.values() if value is not None)
        return Unit(command.type, " ".join(told))

    async def _make_slot_unit(
        self, slot: str, value: Any, flow_name: str | None, new: set[str]
    ) -> Unit:
        """A unit for a value. If the slot is filled and not asked, it is a correction."""
        situation = self._situation
        if situation.is_shared(slot):
            asked = slot == situation.asked_slot
            filled = slot in situation.state["conversation_slots"] and not asked
            stored = await self._store_value(slot, value, situation.active)
            return Unit("CorrectSlot" if filled else "SetSlot", slot, stored)
        started = self._find_started_flow(slot, flow_name, new)
        owner = None if started else situation.find_owner(slot, flow_name)
        where = started or (owner["flow_name"] if owner else flow_name)
        of = f"{where}.{slot}" if where else slot
        stored = await self._store_value(slot, value, owner)
        filled = (
            owner is not None
            and not situation.is_asking(slot, owner["flow_id"])
            and slot in situation.get_remembered_values(owner["flow_id"])
        )
        return Unit("CorrectSlot" if filled else "SetSlot", of, stored)

    def _find_started_flow(self, slot: str, flow_name: str | None, new: set[str]) -> str | None:
        """The flow that the same message starts, if the slot is for that one."""
        if flow_name is None and slot == self._situation.asked_slot:
            return None
        for name in sorted(new if flow_name is None else new & {flow_name}):
            plan = self._situation.get_plan(name)
            if plan is not None and slot in plan.asks:
                return name
        return None

    async def _store_value(self, slot: str, value: Any, owner: FlowContext | None) -> str:
        situation, context = self._situation, self._situation.context
        assistant, env = situation.assistant, make_slot_env(context)
        voice = Voice(assistant, context.language, "", context.session)
        flow = find_flow(situation.state["flow_stack"], owner["flow_id"]) if owner else None
        try:
            value = pick_item(slot, value, flow, situation, voice) if flow else value
            if isinstance(value, PageTurn):
                return _dump_json(f"page {value.page + 1}")
            written = await SlotWriter(assistant).write(
                slot, value, {}, env, voice, collected=not isinstance(value, dict)
            )
            return _dump_json(self._simplify_money(slot, written.value))
        except Refusal:
            return self._coerce_value(slot, value)

    def _coerce_value(self, slot: str, value: Any) -> str:
        """The coerced value, for a value that a write would refuse."""
        config = self._situation.assistant.get_slot_config(slot)
        try:
            stored = config.kind.coerce(value, config, make_slot_env(self._situation.context))
            return _dump_json(self._simplify_money(slot, stored))
        except Refusal:
            return _dump_json(value if isinstance(value, dict | list) else str(value).strip())

    def _simplify_money(self, slot: str, stored: Any) -> Any:
        return stored.get("amount") if slot in self._amounts and stored else stored

    def _is_new(self, command: StartFlow) -> bool:
        return command.another or not self._is_open(command.flow_name)

    def _is_open(self, flow_name: str) -> bool:
        return any(task[0]["flow_name"] == flow_name for task in self._situation.tasks)

    def _find_last_paused(self) -> str:
        tasks = self._situation.tasks
        return tasks[-2][0]["flow_name"] if len(tasks) > 1 else ""


def find_bare_amounts(commands: Sequence[Any], assistant: Assistant) -> frozenset[str]:
    """The slots for money to which commands give an amount without a currency."""
    registry = CommandHandlerRegistry.discover()
    return frozenset(
        slot
        for command in commands
        for slot, value in registry.parse(command).get_touched_slots().items()
        if assistant.get_slot_type(slot).dimension == "money" and _is_numeric(value)
    )


def _is_numeric(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _expand_starts(commands: Sequence[Command]) -> Iterator[Command]:
    """Split a start with values into separate commands."""
    for command in commands:
        if isinstance(command, StartFlow):
            yield command.model_copy(update={"slots": {}})
            for slot, value in command.slots.items():
                yield SetSlot(slot_name=slot, value=value, flow_name=command.flow_name)
        else:
            yield command


def _dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
