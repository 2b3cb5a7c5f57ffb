"""What people want in a turn, made into commands with an eye on the conversation's state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    Disambiguate,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.core.types import DialogueState
from soni.flow.call_memory import iter_memories
from tests.property.generators import Made
from tests.property.values import refused, taken

_NONSENSE: tuple[Any, ...] = (
    {"type": "Teleport"},
    {"type": "SetSlot"},
    {"type": "StartFlow", "flow_name": ["book"]},
    {},
    "CancelFlow",
    None,
    {"type": "CancelFlow", "reason": {"not": "text"}},
    StartFlow(flow_name="nowhere"),
    SetSlot(slot_name="_error", value=True),
    SetSlot(slot_name="session", value={"vip": True}),
    SetSlot(slot_name="city", value="x" * 250, flow_name="nowhere"),
    CorrectSlot(slot_name="receipt", new_value=0),
    SkipSlot(slot_name="nothing"),
    DenyConfirmation(slot_to_change="nothing"),
    Disambiguate(flow_names=()),
    ResumeFlow(flow_name="nowhere"),
    Clarify(topic="{pin} \ud800"),
)


@dataclass(frozen=True)
class Scene:
    """The conversation as somebody who takes part in it sees it."""

    made: Made
    state: DialogueState

    @property
    def prompt(self) -> dict[str, Any]:
        return self.state["_pending_prompt"] or {}

    @property
    def handed_off(self) -> bool:
        return bool(self.state["metadata"].get("handoff"))

    @property
    def slots(self) -> list[str]:
        return list(self.made.config.slots)

    @property
    def filled(self) -> list[str]:
        """Slots of the active flow that have a value."""
        stack = self.state["flow_stack"]
        own = self.state["flow_slots"].get(stack[-1]["flow_id"], {}) if stack else {}
        known = {**self.state["conversation_slots"], **own} if stack else {}
        return [name for name in self.made.said if name in known]

    @property
    def filled_somewhere(self) -> list[str]:
        """The same for callers, called flows that came back, and paused tasks."""
        known = {*self.filled, *(name for own in self.state["flow_slots"].values() for name in own)}
        for flow in self.state["flow_stack"]:
            known.update(*(called["slots"] for called in iter_memories(flow, self.made.plans)))
        return [name for name in self.made.said if name in known]

    def value(self, slot: str, pick: int) -> Any:
        config = self.made.config.slots.get(slot)
        return taken(config, pick) if config is not None else pick % 5

    def any_flow(self, pick: int) -> str:
        flows = list(self.made.config.flows)
        return flows[pick % len(flows)]

    def some_slots(self, pick: int) -> dict[str, Any]:
        """Up to three slots, the last one perhaps with a value it refuses."""
        names = [self.slots[(pick // step) % len(self.slots)] for step in (1, 7, 49)][: pick % 4]
        values = {name: self.value(name, pick + at) for at, name in enumerate(names)}
        if names and pick % 5 == 4:
            values[names[-1]] = refused(self.made.config.slots[names[-1]], pick)
        return values

    def words(self, command: Any) -> str:
        """How somebody might have said it; values are in the message as well."""
        if not isinstance(command, Command):
            return "blah"
        said = [f"{name} {value}" for name, value in command.get_touched_slots().items()]
        opening = _SAID.get(command.type, "").format(flow=getattr(command, "flow_name", ""))
        return " ".join([opening, *said]).strip() or "hm"

    def plainly(self, command: Any) -> str:
        """The same for somebody who only answers, and tells secrets only if asked for them."""
        said = command.get_touched_slots() if isinstance(command, Command) else {}
        if self.prompt.get("slot") in said:
            return str(said[self.prompt["slot"]])
        if any(self.made.sensitive(name) for name in said) or not isinstance(command, Command):
            return "blah"
        return self.words(command)


_SAID = {
    "AffirmConfirmation": "yes",
    "DenyConfirmation": "no",
    "CancelFlow": "cancel",
    "StartFlow": "let us {flow}",
    "HumanHandoff": "a person please",
}


def _go_on(scene: Scene, pick: int) -> list[Any]:
    """The answer that the question asks for; without a question, something to do."""
    if len(scene.state["flow_stack"]) > 1 and pick % 8 == 7:
        return [ResumeFlow()]
    kind, data = scene.prompt.get("kind"), scene.prompt.get("data", {})
    if kind == "collect":
        slot = scene.prompt["slot"]
        return [SetSlot(slot_name=slot, value=scene.value(slot, pick))]
    if kind == "disambiguate":
        names = data["flow_names"]
        return [StartFlow(flow_name=names[pick % len(names)])]
    if kind == "confirm" and pick % 4 == 1 and scene.filled:
        return _correct(scene, pick)
    if kind is not None:
        return [DenyConfirmation() if pick % 4 == 3 else AffirmConfirmation()]
    return _start(scene, pick)


def _correct(scene: Scene, pick: int) -> list[Any]:
    """Another value for something said before; before anything was said, just go on."""
    if not scene.filled:
        return _go_on(scene, pick)
    slot = scene.filled[pick % len(scene.filled)]
    value = scene.value(slot, pick // 3)
    if pick % 3 == 0:
        return [SetSlot(slot_name=slot, value=value)]
    return [CorrectSlot(slot_name=slot, new_value=value)]


def _correct_elsewhere(scene: Scene, pick: int) -> list[Any]:
    """The same in any open task, and in the flows that it has called."""
    if not scene.filled_somewhere:
        return _go_on(scene, pick)
    slot = scene.filled_somewhere[pick % len(scene.filled_somewhere)]
    stack = scene.state["flow_stack"]
    flow_name = (None, None, stack[pick % len(stack)]["flow_name"] if stack else None)[pick % 3]
    value = scene.value(slot, pick // 3)
    return [CorrectSlot(slot_name=slot, new_value=value, flow_name=flow_name)]


def _invalid(scene: Scene, pick: int) -> list[Any]:
    slot = scene.prompt.get("slot")
    if slot not in scene.slots or pick % 4 == 3:
        declared = [name for name in scene.filled if name in scene.slots]
        slot = declared[0] if declared else scene.slots[pick % len(scene.slots)]
    value = refused(scene.made.config.slots[slot], pick)
    if pick % 3 == 2:
        return [CorrectSlot(slot_name=slot, new_value=value)]
    return [SetSlot(slot_name=slot, value=value)]


def _start(scene: Scene, pick: int) -> list[Any]:
    flows = scene.made.config.flows
    startable = [name for name in flows if flows[name].startable] or list(flows)
    return [StartFlow(flow_name=startable[pick % len(startable)])]


def _start_another(scene: Scene, pick: int) -> list[Any]:
    return [StartFlow(flow_name=scene.any_flow(pick), another=True)]


def _start_with_slots(scene: Scene, pick: int) -> list[Any]:
    return [StartFlow(flow_name=scene.any_flow(pick), slots=scene.some_slots(pick))]


def _fill_many(scene: Scene, pick: int) -> list[Any]:
    given = scene.some_slots(pick | 3)
    return [SetSlot(slot_name=name, value=value) for name, value in given.items()]


def _set_anything(scene: Scene, pick: int) -> list[Any]:
    """Any slot of any flow: also one of a task that is paused, or of none."""
    slot = (*scene.slots, "times")[pick % (len(scene.slots) + 1)]
    flow_name = (None, scene.any_flow(pick))[pick % 2]
    value = scene.value(slot, pick)
    if pick % 2:
        return [CorrectSlot(slot_name=slot, new_value=value, flow_name=flow_name)]
    return [SetSlot(slot_name=slot, value=value, flow_name=flow_name)]


def _deny_slot(scene: Scene, pick: int) -> list[Any]:
    slots = scene.filled or scene.slots
    return [DenyConfirmation(slot_to_change=slots[pick % len(slots)])]


def _skip(scene: Scene, pick: int) -> list[Any]:
    return [SkipSlot(slot_name=(None, None, *scene.slots)[pick % (len(scene.slots) + 2)])]


def _resume(scene: Scene, pick: int) -> list[Any]:
    return [ResumeFlow(flow_name=(None, scene.any_flow(pick))[pick % 2])]


def _disambiguate(scene: Scene, pick: int) -> list[Any]:
    flows = list(scene.made.config.flows)
    return [Disambiguate(flow_names=tuple(flows[pick % 2 :]))]


ACTS: dict[str, Callable[[Scene, int], list[Any]]] = {
    "go_on": _go_on,
    "correct": _correct,
    "correct_elsewhere": _correct_elsewhere,
    "invalid": _invalid,
    "start": _start,
    "start_another": _start_another,
    "start_with_slots": _start_with_slots,
    "fill_many": _fill_many,
    "set_anything": _set_anything,
    "deny_slot": _deny_slot,
    "skip": _skip,
    "resume": _resume,
    "disambiguate": _disambiguate,
    "affirm": lambda scene, pick: [AffirmConfirmation()],
    "deny": lambda scene, pick: [DenyConfirmation()],
    "cancel": lambda scene, pick: [CancelFlow(reason=(None, "too slow")[pick % 2])],
    "clarify": lambda scene, pick: [Clarify(topic=("", "why", "count", "the moon")[pick % 4])],
    "chit_chat": lambda scene, pick: [ChitChat(hint=(None, "hello")[pick % 2])],
    "out_of_scope": lambda scene, pick: [OutOfScope(topic=(None, "tax")[pick % 2])],
    "handoff": lambda scene, pick: [HumanHandoff(reason=(None, "angry")[pick % 2])],
    "repeat_last": lambda scene, pick: [RepeatLast()],
    "nonsense": lambda scene, pick: [_NONSENSE[pick % len(_NONSENSE)]],
}
