"""FlowManager: every operation on the flow stack and the slots, as deltas."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from soni.core.constants import FlowContextState
from soni.core.errors import FlowStackLimitError, SoniError, UnknownFlowError
from soni.core.masking import find_secrets, mask_slots
from soni.core.protocols import Clock, NewId
from soni.core.records import TraceEvent
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, Metadata, Overwrite, StateUpdate
from soni.flow.stack import (
    archive_context,
    find_last_step,
    find_task,
    insert_task,
    open_context,
    settle_stack,
    tasks_of,
)
from soni.limit_strategies import AskUser, EndTask, LimitReached, OpenTask, limit_strategies

if TYPE_CHECKING:
    from soni.config.models import SoniConfig


@dataclass(frozen=True)
class FlowDelta:
    """An immutable change. A field that is None changes nothing."""

    flow_stack: list[FlowContext] | None = None
    flow_slots: dict[str, dict[str, Any] | None] | Overwrite | None = None
    """Merged per instance; `{flow_id: None}` removes one, `Overwrite` replaces all."""

    conversation_slots: dict[str, Any] | Overwrite | None = None
    metadata: Metadata | None = None
    messages: Overwrite | None = None
    trace: list[TraceEvent] | Overwrite | None = None

    def updates(self) -> StateUpdate:
        """The change as a state update."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return cast(StateUpdate, given)


T = TypeVar("T")

# Only short values of a completed task are kept, so that the state stays small.
_KEPT_CHARS = 200


def make_random_id(flow_name: str) -> str:
    """An id for use outside a runtime, which seeds its own."""
    return f"{flow_name}_{uuid.uuid4().hex[:8]}"


class FlowManager:
    """Starts, ends and orders flow instances and stores their slots. Never changes a state.

    A subclass can replace any operation: `RuntimeLoop(config, flow_manager=Mine(config))`.
    """

    def __init__(
        self, config: SoniConfig, new_id: NewId | None = None, clock: Clock | None = None
    ) -> None:
        self.config = config
        self._new_id = new_id or make_random_id
        self._clock = clock or (lambda: datetime.now(UTC))

    def bind_turn(self, new_id: NewId, clock: Clock, config: SoniConfig | None = None) -> Self:
        """The same manager with the ids and the time of one turn, so that it replays exactly.

        `config` is that of the turn, if some of its flows are of another version.
        """
        manager = copy(self)
        manager._new_id, manager._clock = new_id, clock
        manager.config = config or self.config
        return manager

    # --- the stack ---

    def push_flow(
        self,
        state: DialogueState,
        flow_name: str,
        inputs: dict[str, Any] | None = None,
        reason: str | None = None,
        called_by: str | None = None,
        *,
        below: str | None = None,
    ) -> tuple[str, FlowDelta]:
        """Put a new instance on the stack: on top, or right below the task holding `below`.

        A called flow belongs to its caller's task and does not count against the limit. Raises
        `UnknownFlowError` for a flow that is not configured, `FlowStackLimitError` at the limit.
        """
        if flow_name not in self.config.flows:
            raise UnknownFlowError(flow_name, self.config.flows)
        room = FlowDelta() if called_by else self._make_room(state, flow_name, below)
        state = apply_updates(state, room.updates())
        flow_id = self._new_id(flow_name)
        fresh = open_context(flow_id, flow_name, self._now(), reason, called_by)
        stack = insert_task(state["flow_stack"], [fresh], below)
        given = {**self.find_archived_inputs(state, flow_name), **(inputs or {})}
        delta = FlowDelta(
            flow_stack=settle_stack(stack, self._now(), reason),
            flow_slots={flow_id: given},
            trace=[self._make_flow_event("flow_started", fresh)],
        )
        return flow_id, _join_deltas(room, delta)

    def pop_flow(
        self,
        state: DialogueState,
        outputs: dict[str, Any] | None = None,
        result: str = "completed",
        reason: str | None = None,
    ) -> FlowDelta:
        """End the top instance: archive it, free its slots, make the one below active.

        `result` is how it ended: completed, cancelled, abandoned or error.
        """
        _check_end(result)
        if not state["flow_stack"]:
            return FlowDelta()
        top: FlowContext = {**state["flow_stack"][-1], "outputs": dict(outputs or {})}
        return self._end_flow(state, [top], state["flow_stack"][:-1], result, reason)

    def pop_task(
        self,
        state: DialogueState,
        result: str,
        reason: str | None = None,
        *,
        root: str | None = None,
    ) -> FlowDelta:
        """End a whole task, called flows included: the top one, or the one holding `root`."""
        _check_end(result)
        stack = state["flow_stack"]
        if not stack:
            return FlowDelta()
        task = find_task(stack, root or stack[-1]["flow_id"])
        rest = [context for context in stack if context not in task]
        return self._end_flow(state, list(reversed(task)), rest, result, reason)

    def raise_task(
        self,
        state: DialogueState,
        flow_id: str,
        reason: str | None = None,
        *,
        below: str | None = None,
    ) -> FlowDelta:
        """Bring a paused task, as it is, to the top, or right below the task holding `below`."""
        task = find_task(state["flow_stack"], flow_id)
        rest = [context for context in state["flow_stack"] if context not in task]
        return FlowDelta(
            flow_stack=settle_stack(insert_task(rest, task, below), self._now(), reason),
            trace=[
                self.make_event("flow_resumed", flow_id=flow_id, flow_name=task[0]["flow_name"])
            ],
        )

    def update_context(self, state: DialogueState, flow_id: str, **changes: Any) -> FlowDelta:
        """Change fields of one instance on the stack."""
        return FlowDelta(
            flow_stack=[
                cast(FlowContext, {**flow, **changes}) if flow["flow_id"] == flow_id else flow
                for flow in state["flow_stack"]
            ]
        )

    def get_active_context(self, state: DialogueState) -> FlowContext | None:
        """The instance on top of the stack."""
        return state["flow_stack"][-1] if state["flow_stack"] else None

    # --- slots ---

    def set_slot(
        self, state: DialogueState, slot_name: str, value: Any, flow_id: str | None = None
    ) -> FlowDelta:
        """Store a value that has passed the slot writer."""
        if self._is_shared(slot_name):
            return FlowDelta(conversation_slots={slot_name: value})
        owner = flow_id or self._get_active_id(state)
        return FlowDelta(flow_slots={owner: {slot_name: value}}) if owner else FlowDelta()

    def unset_slots(self, state: DialogueState, names: Sequence[str], flow_id: str) -> FlowDelta:
        """Unset slots. Null is a value, so all slots are replaced instead of merged."""
        own = state["flow_slots"].get(flow_id, {})
        kept = {name: value for name, value in own.items() if name not in names}
        shared = state["conversation_slots"].items()
        return FlowDelta(
            flow_slots=Overwrite({**state["flow_slots"], flow_id: kept}),
            conversation_slots=Overwrite({n: value for n, value in shared if n not in names}),
        )

    def get_slot(self, state: DialogueState, slot_name: str, flow_id: str | None = None) -> Any:
        """A slot's stored value in an instance (the active one by default), or None."""
        return self.get_slots(state, flow_id or self._get_active_id(state)).get(slot_name)

    def get_slots(self, state: DialogueState, flow_id: str | None) -> dict[str, Any]:
        """What an instance sees: the conversation's slots and its own."""
        own = state["flow_slots"].get(flow_id, {}) if flow_id else {}
        return {**state["conversation_slots"], **own}

    # --- bounds ---

    def prune_state(self, state: DialogueState) -> FlowDelta:
        """Drop slots without an instance, and the oldest flows, messages and events.

        How many of them stay is in `settings.memory_management`.
        """
        memory = self.config.settings.memory_management
        open_ids = {context["flow_id"] for context in state["flow_stack"]}
        orphans = {flow_id: None for flow_id in state["flow_slots"] if flow_id not in open_ids}
        archive = state["metadata"].get("completed_flows", [])
        messages, trace = state["messages"], state["trace"]
        return FlowDelta(
            flow_slots=dict(orphans) if orphans else None,
            metadata={"completed_flows": self._keep_newest(archive)}
            if len(archive) > memory.max_completed_flows
            else None,
            messages=Overwrite(keep_newest(messages, memory.max_history_messages))
            if len(messages) > memory.max_history_messages
            else None,
            trace=Overwrite(keep_newest(trace, memory.max_trace_events))
            if len(trace) > memory.max_trace_events
            else None,
        )

    def make_event(self, name: str, **data: Any) -> TraceEvent:
        """An entry for the trace."""
        return {"event": name, "timestamp": self._now(), "data": data}

    # --- inside ---

    def _make_flow_event(self, name: str, flow: FlowContext, **data: Any) -> TraceEvent:
        flow_id, flow_name, caller = flow["flow_id"], flow["flow_name"], flow["called_by"]
        return self.make_event(name, flow_id=flow_id, flow_name=flow_name, called_by=caller, **data)

    def _end_flow(
        self,
        state: DialogueState,
        gone: list[FlowContext],
        rest: Sequence[FlowContext],
        result: str,
        reason: str | None,
    ) -> FlowDelta:
        now, outcome = self._now(), FlowContextState(result)
        archived = [archive_context(context, outcome, now, reason) for context in gone]
        archive = state["metadata"].get("completed_flows", [])
        return FlowDelta(
            flow_stack=settle_stack(rest, now),
            flow_slots={context["flow_id"]: None for context in gone},
            metadata={
                "completed_flows": self._keep_newest([*archive, *archived]),
                **self._summarise_last_task(state, gone, outcome),
            },
            trace=[
                self._make_flow_event(
                    f"flow_{result}", context, step=find_last_step(context), reason=reason
                )
                for context in gone
            ],
        )

    def _summarise_last_task(
        self, state: DialogueState, gone: list[FlowContext], outcome: FlowContextState
    ) -> Metadata:
        """The slots of a completed task, for references such as "and a hotel there"."""
        if outcome is not FlowContextState.COMPLETED or gone[0]["called_by"] is not None:
            return {}
        slots = state["flow_slots"].get(gone[0]["flow_id"], {})
        kept = {name: value for name, value in slots.items() if self._may_be_kept(name, value)}
        # A value that quotes a secret would outlive it.
        held = (*state["flow_slots"].values(), state["conversation_slots"])
        told = mask_slots(kept, self._is_sensitive, find_secrets(held, self._is_sensitive))
        return {"last_task": {"flow": gone[0]["flow_name"], "slots": told}}

    def _is_sensitive(self, name: str) -> bool:
        slot = self.config.slots.get(name)
        return slot is not None and slot.sensitive

    def _may_be_kept(self, name: str, value: Any) -> bool:
        plain = isinstance(value, bool | int | float) or (
            isinstance(value, str) and len(value) <= _KEPT_CHARS
        )
        return name in self.config.slots and not self._is_sensitive(name) and plain

    def _make_room(self, state: DialogueState, flow_name: str, spared: str | None) -> FlowDelta:
        """If the limit of open tasks is reached, let the configured strategy decide."""
        limits = self.config.settings.flow_management
        depth, name = limits.max_stack_depth, limits.on_limit_reached
        tasks = tuple(
            OpenTask(root["flow_id"], root["flow_name"], root["started_at"])
            for root, *_ in tasks_of(state["flow_stack"])
        )
        if len(tasks) < depth:
            return FlowDelta()
        decision = limit_strategies()[name].decide(LimitReached(flow_name, depth, tasks))
        # The task that the new one goes below must not be ended for it.
        if isinstance(decision, EndTask) and decision.flow_id != spared:
            return self._end_for_room(state, decision.flow_id, tasks)
        raise FlowStackLimitError(depth, flow_name, name, asks=isinstance(decision, AskUser))

    def _end_for_room(
        self, state: DialogueState, flow_id: str, tasks: Sequence[OpenTask]
    ) -> FlowDelta:
        open_ids = [task.flow_id for task in tasks]
        if flow_id not in open_ids:
            raise SoniError(
                f"settings.flow_management.on_limit_reached: the strategy "
                f"'{self.config.settings.flow_management.on_limit_reached}' wants to end "
                f"'{flow_id}', which is no open task; open: {', '.join(open_ids)}"
            )
        return self.pop_task(state, "cancelled", "Cancelled: stack depth limit", root=flow_id)

    def find_archived_inputs(self, state: DialogueState, flow_name: str) -> dict[str, Any]:
        """Declared `{from: flow.output}`: the output of the last completed instance."""
        flow = self.config.flows.get(flow_name)
        given = {}
        for name, spec in flow.inputs.items() if flow else ():
            if spec.source is None:
                continue
            source_flow, _, output = spec.source.partition(".")
            value = self._find_last_output(state, source_flow, output)
            if value is not None:
                given[name] = value
        return given

    def _find_last_output(self, state: DialogueState, flow_name: str, output: str) -> Any:
        for context in reversed(state["metadata"].get("completed_flows", [])):
            finished = context["flow_state"] == FlowContextState.COMPLETED.value
            if finished and context["flow_name"] == flow_name:
                return context["outputs"].get(output)
        return None

    def _keep_newest(self, archive: list[FlowContext]) -> list[FlowContext]:
        return keep_newest(archive, self.config.settings.memory_management.max_completed_flows)

    def _is_shared(self, slot_name: str) -> bool:
        slot = self.config.slots.get(slot_name)
        return slot is not None and slot.scope == "conversation"

    def _get_active_id(self, state: DialogueState) -> str | None:
        context = self.get_active_context(state)
        return context["flow_id"] if context else None

    def _now(self) -> float:
        return self._clock().timestamp()


def keep_newest(entries: Sequence[T], limit: int) -> list[T]:
    """The last entries, `limit` of them at most."""
    return list(entries[-limit:]) if limit else []


def _check_end(result: str) -> None:
    ends = [state.value for state in FlowContextState if state.is_end]
    if result not in ends:
        raise ValueError(
            f"'{result}' is no end of a flow; a flow ends as one of: {', '.join(ends)}"
        )


def _join_deltas(first: FlowDelta, second: FlowDelta) -> FlowDelta:
    joined: Any = merge_updates(first.updates(), second.updates())
    return FlowDelta(**joined)


def merge_delta(updates: StateUpdate, delta: FlowDelta) -> None:
    """Add a delta to updates that were collected before it."""
    updates.update(merge_updates(updates, delta.updates()))
