"""Moment: the tagger's input, made of texts and of flags for each slot and flow.

Training builds its moments here too, so that the model sees the same input in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.core.constants import MASK
from soni.du.context import DialogueContext, ShownValues, SlotBrief
from soni.du.tagger.mentions import (
    format_words,
    holds_value,
    make_title,
    measure_overlap,
    normalise_author_text,
    normalise_words,
    speak_identifier,
)
from soni.slots import Dimension, SlotType


@dataclass(frozen=True)
class MomentFacts:
    """The parts of a `DialogueContext` that flags are computed from."""

    message: str
    """Normalised, as `system` is."""

    system: str
    flow: str
    requested: frozenset[str]
    shown: ShownValues
    current: Mapping[str, Any]
    tasks: Mapping[str, Mapping[str, Any]]
    elsewhere: frozenset[str]
    titles: Mapping[str, str]

    @classmethod
    def from_context(cls, message: str, system: str, context: DialogueContext) -> "MomentFacts":
        """The facts of a context."""
        flows = context.available_flows
        tasks: dict[str, Mapping[str, Any]] = {}
        for task in context.others:
            tasks.setdefault(task.flow, task.slots)
        return cls(
            message=normalise_words(message),
            system=normalise_words(system),
            flow=context.current_flow,
            requested=frozenset(context.asked_slots),
            shown=context.shown,
            current=context.current_slots,
            tasks=tasks,
            elsewhere=frozenset(name for slots in tasks.values() for name in slots),
            titles={flow.name: make_title(flow.name, flow.description) for flow in flows},
        )

    def get_title(self, flow: str) -> str:
        """The text that stands for a flow."""
        return self.titles.get(flow) or speak_identifier(flow)

    def get_filled(self, name: str, flows: tuple[str, ...]) -> Any | None:
        """The value that a slot has in the active flow, or else in another of these."""
        if self.current.get(name) is not None:
            return self.current[name]
        others = (self.tasks[flow] for flow in flows if flow in self.tasks and flow != self.flow)
        return next((slots[name] for slots in others if slots.get(name) is not None), None)

    def list_shown(self, name: str) -> list[str]:
        """The values of a slot in the system's last message, normalised."""
        shown: list[Any] = []
        for values in (self.shown.confirmed, self.shown.offered, self.shown.informed):
            value = values.get(name)
            if isinstance(value, list | tuple):
                shown.extend(value)
            elif value is not None:
                shown.append(value)
        return [format_words(value) for value in shown]


SLOT_FLAGS = (
    *("requested", "alone", "confirmed", "offered", "informed", "filled", "active", "required"),
    *("fresh", "known", "restated", "shown_said", "choice_said", "choice_in_system"),
    *("text", "choice", "boolean", "number", "money", "date", "time", "other"),
)
FLOW_FLAGS = (
    *("active", "open", "before", "offered", "named", "asked", "ready", "shared", "first"),
    "choice_said",
)
TURN_FLAGS = ("yes_or_no", "asked", "flow", "offered", "confirmed", "informed", "idle", "silent")
CHOICE_FLAGS = ("said", "only", "overlap", "in_system", "current", "shown", "boolean")

_KINDS: dict[Dimension | None, str] = {
    **{"count": "number", "number": "number", "money": "money"},
    **{"day": "date", "moment": "date", "time": "time", "duration": "time"},
}
_KIND_FLAGS = SLOT_FLAGS[-8:]
_YES_OR_NO = ("confirm", "cancel", "limit", "disambiguate")


@dataclass(frozen=True)
class Choice:
    """A value that a slot may have."""

    value: str
    text: str
    flags: tuple[float, ...]


@dataclass(frozen=True)
class MomentSlot:
    """A slot; flows that have it with the same name, type and description share it."""

    name: str
    flows: tuple[str, ...]
    text: str
    home: str
    """The text of its flow, the active one if possible."""

    kind: str
    flags: tuple[float, ...]
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class MomentFlow:
    """A flow that may start."""

    name: str
    text: str
    slots: tuple[str, ...]
    flags: tuple[float, ...]


@dataclass(frozen=True)
class Source:
    """A value known in this conversation, and its origin."""

    name: str
    text: str
    kind: str
    value: Any
    where: str
    """current, others, offered or told."""

    flow: str = ""


@dataclass(frozen=True)
class Moment:
    """The input of the tagger for one message."""

    message: str
    system: str
    slots: tuple[MomentSlot, ...]
    flows: tuple[MomentFlow, ...]
    flags: tuple[float, ...]
    sources: tuple[Source, ...] = ()


_SlotsByFlow = Mapping[tuple[str, str], MomentSlot]


def classify_kind(slot_type: SlotType) -> str:
    """The tagger's own, coarser kind of a slot type."""
    if slot_type.is_free_text:
        return "text"
    if slot_type.has_values:
        return "choice"
    return "boolean" if slot_type.is_polar else _KINDS.get(slot_type.dimension, "other")


def make_moment(message: str, history: Sequence[Any], context: DialogueContext) -> Moment:
    """The tagger's input for a message in its dialogue context."""
    system = find_system_text(message, history)
    facts = MomentFacts.from_context(message, system, context)
    slots = tuple(_make_slot(group, facts) for group in _group_briefs(context))
    kinds = {(flow, slot.name): slot for slot in slots for flow in slot.flows}
    return Moment(
        message=message,
        system=system,
        slots=slots,
        flows=tuple(_iter_flows(context, facts, kinds)),
        flags=_make_turn_flags(context, system),
        sources=tuple(_iter_sources(context, kinds)),
    )


def find_system_text(message: str, history: Sequence[Any]) -> str:
    """What the system has said since the user's last message."""
    said: list[str] = []
    items = list(history)
    if items and items[-1].type == "human" and items[-1].content == message:
        items.pop()
    for item in reversed(items):
        if item.type == "human":
            break
        if item.type == "ai" and isinstance(item.content, str):
            said.append(item.content.strip())
    return " ".join(reversed(said))


def _group_briefs(context: DialogueContext) -> list[list[SlotBrief]]:
    groups: dict[tuple[str, str, str], dict[str, SlotBrief]] = {}
    offered = (brief for flow in context.available_flows for brief in flow.slots)
    for brief in (*context.expected_slots, *offered):
        key = (brief.name, brief.type, brief.description)
        groups.setdefault(key, {}).setdefault(brief.flow, brief)
    return [list(group.values()) for group in groups.values()]


def _make_slot(group: list[SlotBrief], facts: MomentFacts) -> MomentSlot:
    seen = next((brief for brief in group if brief.flow == facts.flow), group[0])
    flows = tuple(brief.flow for brief in group)
    kind = classify_kind(seen.kind)
    filled = facts.get_filled(seen.name, flows)
    choices = tuple(_iter_choices(seen, kind, filled, facts))
    message, shown = facts.message, facts.shown
    flags = {
        "requested": seen.name in facts.requested,
        "alone": facts.requested == {seen.name},
        "confirmed": seen.name in shown.confirmed,
        "offered": seen.name in shown.offered,
        "informed": seen.name in shown.informed,
        "filled": filled is not None,
        "active": facts.flow in flows,
        "required": any(brief.required for brief in group),
        "fresh": facts.flow in flows and not facts.current,
        "known": seen.name in facts.elsewhere,
        "restated": filled is not None and holds_value(message, format_words(filled)),
        "shown_said": any(holds_value(message, value) for value in facts.list_shown(seen.name)),
        "choice_said": any(choice.flags[0] for choice in choices),
        "choice_in_system": any(choice.flags[3] for choice in choices),
    } | {name: name == kind for name in _KIND_FLAGS}
    text = make_title(seen.name, seen.description)
    numbers = tuple(float(flags[name]) for name in SLOT_FLAGS)
    return MomentSlot(seen.name, flows, text, facts.get_title(seen.flow), kind, numbers, choices)


def _iter_choices(brief: SlotBrief, kind: str, filled: Any, facts: MomentFacts) -> Iterator[Choice]:
    """The values of a choice by their names; those of a boolean as sentences."""
    texts: dict[str, tuple[str, ...]]
    if kind == "boolean":
        meant = brief.description.strip() or speak_identifier(brief.name)
        texts = {"true": (f"yes, {meant}",), "false": (f"no, not {meant}",)}
    elif kind == "choice":
        texts = {str(value): (str(value), *same) for value, same in brief.values.items()}
    else:
        return
    forms = {value: [*map(normalise_author_text, given)] for value, given in texts.items()}
    said = {v for v, given in forms.items() if any(holds_value(facts.message, f) for f in given)}
    current = format_words(filled) if filled is not None else ""
    shown = facts.list_shown(brief.name)
    for value, given in texts.items():
        flags = (
            value in said,
            said == {value},
            max(measure_overlap(facts.message, form) for form in forms[value]),
            any(holds_value(facts.system, form) for form in forms[value]),
            current == normalise_author_text(value),
            normalise_author_text(value) in shown,
            kind == "boolean",
        )
        text = ", ".join(speak_identifier(form) or form for form in given[:4])
        yield Choice(value, text, tuple(map(float, flags)))


def _iter_flows(
    context: DialogueContext, facts: MomentFacts, slots: _SlotsByFlow
) -> Iterator[MomentFlow]:
    known = {*context.current_slots, *context.shown.offered, *facts.elsewhere}
    active = {name for flow, name in slots if flow == context.current_flow}
    for flow in context.available_flows:
        names = tuple(brief.name for brief in flow.slots)
        needed = [brief.name for brief in flow.slots if brief.required]
        flags = (
            flow.name == context.current_flow,
            flow.name in context.paused_flows,
            flow.name in facts.tasks,
            flow.name == context.shown.flow,
            measure_overlap(facts.message, normalise_author_text(speak_identifier(flow.name))),
            not facts.requested.isdisjoint(names),
            sum(name in known for name in needed) / max(1, len(needed)),
            sum(name in active for name in names) / max(1, len(names)),
            facts.flow == "none" and not facts.tasks,
            any(slots[flow.name, name].flags[12] for name in names if (flow.name, name) in slots),
        )
        yield MomentFlow(flow.name, facts.get_title(flow.name), names, tuple(map(float, flags)))


def _make_turn_flags(context: DialogueContext, system: str) -> tuple[float, ...]:
    asked = (context.asked or {}).get("kind")
    flags = (
        asked in _YES_OR_NO or bool(context.shown.confirmed) or context.shown.flow is not None,
        context.waiting_for_slot is not None or bool(context.also_asked),
        context.shown.flow is not None,
        bool(context.shown.offered),
        bool(context.shown.confirmed),
        bool(context.shown.informed),
        context.current_flow == "none",
        not system,
    )
    return tuple(map(float, flags))


def _iter_sources(context: DialogueContext, slots: _SlotsByFlow) -> Iterator[Source]:
    active, shown = context.current_flow, context.shown
    given = [
        (active, context.current_slots, "current"),
        *((task.flow, task.slots, "others") for task in context.others),
        (active, shown.offered, "offered"),
        (active, {**shown.informed, **shown.confirmed}, "told"),
    ]
    named = {name: slot for (_, name), slot in slots.items()}
    for flow, values, where in given:
        for name, value in values.items():
            slot = slots.get((flow, name)) or named.get(name)
            text, kind = (slot.text, slot.kind) if slot else (speak_identifier(name), "text")
            # A masked secret is no value.
            if value is not None and MASK not in str(value):
                yield Source(name, text, kind, value, where, flow)
