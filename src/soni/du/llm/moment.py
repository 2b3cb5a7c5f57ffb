"""Moment: what a language model is told of a conversation, the changing parts last."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.commands.telling import Names, Need
from soni.core.prompts import YES_NO_KINDS
from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.slots import SlotEnv, slot_types

MESSAGES: Final = 4
"""How many earlier messages are told."""

LENGTH: Final = 300
"""Characters that are told of one of them, or of a stored value."""

EXAMPLES: Final = 2


@dataclass(frozen=True)
class Choices:
    """What a command can be about now: the part of a moment that its schema depends on."""

    names: tuple[tuple[Names, tuple[str, ...]], ...]
    given: frozenset[Need]

    def of(self, kind: Names) -> tuple[str, ...]:
        """The names of a sort that there are now."""
        return dict(self.names).get(kind, ())


@dataclass(frozen=True)
class Moment:
    """The moment of a message, for the model to read."""

    context: DialogueContext
    flows: tuple[FlowBrief, ...]
    """Those that the message can be about, of all that may start."""

    history: Sequence[Any] = ()

    @property
    def choices(self) -> Choices:
        """What can be named now."""
        context = self.context
        asked = [name for name in (context.waiting_for_slot, *context.also_asked) if name]
        slots = dict.fromkeys((*asked, *(slot.name for slot in context.expected_slots)))
        known = {*context.current_slots, *(n for t in context.others if t.open for n in t.slots)}
        names = {
            Names.STARTABLE: tuple(flow.name for flow in self.flows),
            Names.PAUSED: tuple(dict.fromkeys(context.paused_flows)),
            Names.SLOTS: tuple(slots),
            Names.FILLED: tuple(name for name in slots if name in known),
            Names.CONFIRMED: tuple(context.shown.confirmed),
        }
        return Choices(tuple(names.items()), frozenset(self._given()))

    def _given(self) -> Iterator[Need]:
        context = self.context
        if context.current_flow != "none":
            yield Need.TASK
        if context.paused_flows:
            yield Need.PAUSED
        if context.waiting_for_slot is not None:
            yield Need.SLOT_ASKED
        kind = (context.asked or {}).get("kind")
        types = {slot.name: slot.type for slot in context.expected_slots}
        is_boolean = types.get(context.waiting_for_slot or "") == "boolean"
        # Of several flows that were offered, "none" is a no as well.
        if kind in (*YES_NO_KINDS, "disambiguate") or is_boolean:
            yield Need.YES_OR_NO

    @property
    def env(self) -> SlotEnv:
        """What values depend on beside themselves."""
        return SlotEnv(now=self.context.now, language=self.context.language)

    def slot(self, name: str | None) -> SlotBrief | None:
        """A slot that may be filled now, by its name."""
        slots = self.context.expected_slots
        return next((slot for slot in slots if slot.name == name), None)

    def __str__(self) -> str:
        return "\n".join((*self._lasting(), *self._passing()))

    @property
    def brief(self) -> str:
        """What an example of another time says of its moment: enough to see what was asked."""
        context = self.context
        flow = [f"Open flow: {context.current_flow}"] if context.current_flow != "none" else []
        asked = context.asked
        question = [f"Question that is open: {self._question(asked)}"] if asked is not None else []
        return "\n".join((*flow, *question))

    def _lasting(self) -> Iterator[str]:
        if self.flows:
            yield "Flows that can start:"
            yield from map(_flow, self.flows)

    def _passing(self) -> Iterator[str]:
        context = self.context
        if context.current_flow != "none":
            yield f"Open flow: {context.current_flow}"
        if context.paused_flows:
            yield f"Paused flows: {', '.join(context.paused_flows)}"
        if context.expected_slots:
            yield "Slots:"
            shown = {name: self._shown(name, v) for name, v in context.current_slots.items()}
            yield from slot_lines(context.expected_slots, shown)
        yield from said_before(self.history)
        if context.asked is not None:
            yield f"Question that is open: {self._question(context.asked)}"

    def _shown(self, name: str, value: Any) -> Any:
        """A stored value as people write it; models take its parts for a form to fill."""
        slot = self.slot(name)
        kind = slot_types().get(slot.type) if slot else None
        if kind is None or not isinstance(value, Mapping):
            return value
        return kind.show(value, self.context.language)

    def _question(self, asked: Mapping[str, Any]) -> str:
        slots = [name for name in (self.context.waiting_for_slot, *self.context.also_asked) if name]
        about = f", asks for {', '.join(slots)}" if slots else ""
        if Need.YES_OR_NO in self._given():
            about += ", yes or no"
        options = (asked.get("data") or {}).get("options") or [
            option.get("label", "") for option in self.context.offered
        ]
        offered = f", offers {quoted(options)}" if options else ""
        return f"{quoted(asked['prompt'])}{about}{offered}"


def slot_lines(slots: Sequence[SlotBrief], filled: Mapping[str, Any]) -> Iterator[str]:
    """A line for each slot: name, type, what it is, its values, and the one it has."""
    for slot in {slot.name: slot for slot in reversed(slots)}.values():
        parts = [f"- {slot.name} ({slot.type})"]
        parts += [f": {slot.description}"] if slot.description else []
        parts += [f"; one of {quoted(list(slot.values))}"] if slot.values else []
        parts += [f"; such as {quoted(slot.examples[:EXAMPLES])}"] if slot.examples else []
        parts += [f"; has {quoted(filled[slot.name])}"] if slot.name in filled else []
        yield "".join(parts)


def said_before(history: Sequence[Any]) -> Iterator[str]:
    """The last messages, each on a line."""
    for message in history[-MESSAGES:]:
        who = "Person" if getattr(message, "type", "") == "human" else "Assistant"
        yield f"{who} said: {quoted(str(getattr(message, 'content', '')))}"


def quoted(value: Any) -> str:
    """Data as JSON: whatever a person wrote, it cannot end the quotes around it."""
    return json.dumps(_short(value), ensure_ascii=False, default=str)


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LENGTH:
        return value[:LENGTH] + " ..."
    if isinstance(value, list | tuple):
        return [_short(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _short(item) for key, item in value.items()}
    return value


def _flow(flow: FlowBrief) -> str:
    examples = f"; such as {quoted(flow.examples[:EXAMPLES])}" if flow.examples else ""
    return f"- {flow.name}: {flow.description}{examples}"
