"""Moment: the dialogue context as a prompt, the parts that change last."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.commands.command_schema import NameSet, Precondition
from soni.core.constants import MASK
from soni.du.context import DialogueContext, FlowBrief, SlotBrief, Task
from soni.du.llm.grounding import find_copied_words, quote_json
from soni.du.llm.rules import OfflineRules
from soni.du.llm.value_parts import is_readable, is_stored_value
from soni.du.local.view import View
from soni.slots import SlotEnv

MAX_MESSAGES: Final = 4
"""The most earlier messages in a prompt."""

MAX_LENGTH: Final = 300
"""The most characters of a message or a stored value."""

MAX_EXAMPLES: Final = 2


@dataclass(frozen=True)
class AnswerChoices:
    """The names and needs that the schema of an answer depends on."""

    names: tuple[tuple[NameSet, tuple[str, ...]], ...]
    given: frozenset[Precondition]

    def list_names(self, kind: NameSet) -> tuple[str, ...]:
        """The names of a kind that are possible now."""
        return dict(self.names).get(kind, ())


@dataclass(frozen=True)
class Moment:
    """The dialogue context of a message; `str(moment)` is its part of the prompt."""

    context: DialogueContext
    flows: tuple[FlowBrief, ...]
    """The flows in the prompt: of all that may start, those most like the message."""

    history: Sequence[Any] = ()

    @property
    def choices(self) -> AnswerChoices:
        """What can be named now."""
        context = self.context
        expected = [slot.name for slot in context.expected_slots]
        slots = dict.fromkeys((*context.asked_slots, *expected))
        known = {*context.current_slots, *(n for t in context.others if t.open for n in t.slots)}
        names = {
            NameSet.STARTABLE: tuple(flow.name for flow in self.flows),
            NameSet.PAUSED: tuple(dict.fromkeys(context.paused_flows)),
            NameSet.SLOTS: tuple(slots),
            NameSet.FILLED: tuple(name for name in slots if name in known),
            # What no step asks for cannot be asked for again.
            NameSet.CONFIRMED: tuple(name for name in context.shown.confirmed if name in slots),
        }
        return AnswerChoices(tuple(names.items()), frozenset(self._iter_needs()))

    def _iter_needs(self) -> Iterator[Precondition]:
        context = self.context
        if context.current_flow != "none":
            yield Precondition.TASK
        if context.paused_flows:
            yield Precondition.PAUSED
        if context.waiting_for_slot is not None:
            yield Precondition.SLOT_ASKED
        if View(context).asks_yes_or_no:
            yield Precondition.YES_OR_NO

    @property
    def rules(self) -> OfflineRules:
        """The offline rules for this context."""
        return OfflineRules(self.context)

    @property
    def env(self) -> SlotEnv:
        """The environment for reading values: the time and the language."""
        return SlotEnv(now=self.context.now, language=self.context.language)

    def find_slot(self, name: str | None) -> SlotBrief | None:
        """A slot that may be filled now, by its name."""
        return next((slot for slot in self.context.expected_slots if slot.name == name), None)

    def __str__(self) -> str:
        return "\n".join(self._iter_lines())

    @property
    def brief(self) -> str:
        """A short form for demos: the open flow and the open question."""
        return "\n".join((*self._iter_open_flow(), *self._iter_open_question()))

    def _iter_open_flow(self) -> Iterator[str]:
        if self.context.current_flow != "none":
            yield f"Open flow: {self.context.current_flow}"

    def _iter_open_question(self) -> Iterator[str]:
        if self.context.asked is not None:
            yield f"Question that is open: {self._format_question(self.context.asked)}"

    def _iter_lines(self) -> Iterator[str]:
        context = self.context
        if self.flows:
            yield "Flows that can start:"
            yield from map(_format_flow, self.flows)
        yield from self._iter_open_flow()
        if context.paused_flows:
            yield f"Paused flows: {', '.join(context.paused_flows)}"
        if context.expected_slots:
            yield "Slots:"
            yield from format_slots(context.expected_slots)
        # The lines so far stay the same while a flow is open; those from here on change.
        slots = {slot.name for slot in context.expected_slots}
        known = {name: value for name, value in context.current_slots.items() if name in slots}
        filled = {name: self._show_value(name, value) for name, value in known.items()}
        if filled:
            yield f"Filled so far: {quote_value(filled)}"
        yield from format_history(self._list_earlier_messages())
        yield from self._iter_open_question()

    def _list_earlier_messages(self) -> Sequence[Any]:
        """The history without the open question at its end."""
        asked = (self.context.asked or {}).get("prompt")
        ends = bool(self.history) and getattr(self.history[-1], "content", None) == asked
        return self.history[:-1] if ends else self.history

    def has_value(self, value: str, slot: SlotBrief) -> bool:
        """Whether a slot has a value already."""
        return is_stored_value(value, self.context.current_slots.get(slot.name), slot, self.env)

    def may_fill(self, value: str, slot: SlotBrief) -> bool:
        """Whether a value may be set.

        A value for an open slot is passed on even if its type refuses it, so that the user hears
        why. Small models fill all other slots too: there the type must accept the value.
        """
        must_read = slot.kind.has_form and not self.is_open(slot.name)
        return not must_read or is_readable(value, slot, self.env)

    def is_open(self, slot: str) -> bool:
        """Whether a slot was asked for, or has a value that may change."""
        return slot in self.context.asked_slots or slot in self.context.current_slots

    def may_mean(self, value: str, slot: SlotBrief) -> bool:
        """Whether a message may mean a value that it does not say: one that is known or asked."""
        context, env = self.context, self.env
        if self.has_value(value, slot):
            # Otherwise every message could be taken to repeat the present value.
            return False
        shown = {**context.shown.confirmed, **context.shown.offered}
        known = (context.current_slots, *(task.slots for task in context.others))
        values = [shown.get(slot.name), *(v for slots in known for v in slots.values())]
        asked = str((context.asked or {}).get("prompt", ""))
        is_known = any(is_stored_value(value, v, slot, env) for v in values if v is not None)
        return is_known or find_copied_words(value, asked) is not None

    def list_known_values(self, task: Task) -> dict[str, Any]:
        """The values of another task's slots, without results of actions."""
        named = {name: v for name, v in task.slots.items() if name not in task.found}
        shown = {name: self._show_value(name, v, (Mapping, list)) for name, v in named.items()}
        return {name: v for name, v in shown.items() if isinstance(v, str | bool | int | float)}

    def _show_value(self, name: str, value: Any, parted: tuple[type, ...] = (Mapping,)) -> Any:
        """A stored value as people write it: models take a mapping for a form to fill."""
        slot = self.find_slot(name)
        if slot is None or not isinstance(value, parted):
            return value
        # A partly masked value cannot be formatted.
        return MASK if MASK in str(value) else slot.kind.show(value, self.context.language)

    def _format_question(self, asked: Mapping[str, Any]) -> str:
        slots = self.context.asked_slots
        about = f", asks for {', '.join(slots)}" if slots else ""
        if View(self.context).asks_what_to_change:
            about += ", asks what to change"
        elif Precondition.YES_OR_NO in self._iter_needs():
            about += ", yes or no"
        labels = [option.get("label", "") for option in self.context.offered]
        options = (asked.get("data") or {}).get("options") or labels
        offered = f", offers {quote_value(options)}" if options else ""
        return f"{quote_value(asked['prompt'])}{about}{offered}"


def format_slots(slots: Sequence[SlotBrief]) -> Iterator[str]:
    """A line for each slot: name, type, what it is, its values."""
    for slot in {slot.name: slot for slot in reversed(slots)}.values():
        parts = [f"- {slot.name} ({slot.type})"]
        parts += [f": {slot.description}"] if slot.description else []
        parts += [f"; one of {quote_value(list(slot.values))}"] if slot.values else []
        parts += [f"; such as {quote_value(slot.examples[:MAX_EXAMPLES])}"] if slot.examples else []
        yield "".join(parts)


def format_history(history: Sequence[Any]) -> Iterator[str]:
    """The last messages, each on a line."""
    for message in history[-MAX_MESSAGES:]:
        who = "Person" if getattr(message, "type", "") == "human" else "Assistant"
        yield f"{who} said: {quote_value(str(getattr(message, 'content', '')))}"


def quote_value(value: Any) -> str:
    """Data in quotes, long texts cut."""
    return quote_json(_shorten_value(value))


def _shorten_value(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_LENGTH:
        return value[:MAX_LENGTH] + " ..."
    if isinstance(value, list | tuple):
        return [_shorten_value(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _shorten_value(item) for key, item in value.items()}
    return value


def _format_flow(flow: FlowBrief) -> str:
    examples = f"; such as {quote_value(flow.examples[:MAX_EXAMPLES])}" if flow.examples else ""
    return f"- {flow.name}: {flow.description}{examples}"
