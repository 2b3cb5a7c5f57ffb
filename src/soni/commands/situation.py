"""Situation: what commands ask about the state and the assistant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soni.core.errors import Refusal
from soni.core.expressions import ExpressionError, is_truthy, parse_expression
from soni.core.masking import find_secrets, mask_slots
from soni.core.prompts import YES_NO_KINDS, Prompt
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.call_memory import find_filling_call, iter_memories, iter_remembered_flows
from soni.flow.stack import find_task, tasks_of
from soni.flow.values import TypedValues
from soni.slots import SlotEnv

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.config.plan import FlowPlan


@dataclass(frozen=True)
class Situation:
    """A read-only view over state and assistant."""

    state: DialogueState
    context: RuntimeContext

    @property
    def assistant(self) -> Assistant:
        """The assistant that is talking."""
        assistant: Assistant = self.context.assistant
        return assistant

    @property
    def prompt(self) -> Prompt:
        """The open question; empty if there is none."""
        return self.state["_pending_prompt"] or {}

    @property
    def asks_yes_or_no(self) -> bool:
        """Whether a confirm or a yes/no question of the system is open."""
        return self.prompt.get("kind") in YES_NO_KINDS

    @property
    def asked_slot(self) -> str | None:
        """The slot that was asked."""
        return self.prompt.get("slot")

    @property
    def asked_slots(self) -> tuple[str, ...]:
        """The asked slot, then the other empty slots of the same question."""
        asked, active = self.asked_slot, self.active
        if asked is None:
            return ()
        plan = self.get_plan(active["flow_name"]) if active else None
        planned = plan.steps.get(self.prompt.get("step") or "") if plan else None
        known = self.get_values(active["flow_id"]) if active else {}
        all_of_it = getattr(planned.step, "slots", ()) if planned else ()
        return (asked, *(name for name in all_of_it if name != asked and name not in known))

    @property
    def asks_in_private(self) -> bool:
        """Whether the question asks for a sensitive slot, so that the answer is kept only there."""
        return any(map(self.assistant.is_sensitive, self.asked_slots))

    @property
    def is_from_api(self) -> bool:
        """Whether the application, not the user, sent the commands."""
        return bool(self.state["turn"].get("api"))

    @property
    def spoken(self) -> str | None:
        """The message whose words must bear out a yes or no.

        None if there is none, if the application or a button gave the commands, or if the
        assistant takes the provider's word for it.
        """
        settings = self.assistant.config.conversation_patterns.confirmation
        given = self.state["turn"].get("given") is not None
        return None if given or settings.consent == "understood" else self.state["user_message"]

    @property
    def active(self) -> FlowContext | None:
        """The flow on top."""
        return self.state["flow_stack"][-1] if self.state["flow_stack"] else None

    @property
    def tasks(self) -> list[list[FlowContext]]:
        """Open tasks, oldest first."""
        return tasks_of(self.state["flow_stack"])

    @property
    def secrets(self) -> list[Any]:
        """Values of sensitive slots, including those of the current message."""
        held = (*self.state["flow_slots"].values(), self.state["conversation_slots"])
        known = find_secrets(held, self.assistant.is_sensitive)
        return [*known, *self.state["turn"].get("secrets", [])]

    def mask_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values with secrets masked, and copies of secrets too."""
        return mask_slots(values, self.assistant.is_sensitive, self.secrets)

    def get_plan(self, flow_name: str) -> FlowPlan | None:
        """A flow's plan; None if the assistant has no such flow (any more)."""
        return self.assistant.plans.get(flow_name)

    def find_guarded_slots(self) -> frozenset[str]:
        """Slots that the open confirm shows or guards, also in the callers of its flow."""
        active = self.active
        if self.prompt.get("kind") != "confirm" or active is None:
            return frozenset()
        plan = self.get_plan(active["flow_name"])
        names = plan.guards.get(self.prompt["step"] or "", frozenset()) if plan else frozenset()
        guarded = set(names)
        for caller in reversed(self.tasks[-1][:-1]):
            plan = self.get_plan(caller["flow_name"])
            step = plan.steps.get(caller["current_step"] or "") if plan else None
            fed = [made_of for name, made_of in step.feeds.items() if name in names] if step else ()
            names = plan.find_sources(frozenset().union(*fed)) if plan else frozenset()
            guarded |= names
        return frozenset(guarded)

    def explain_unstartable(self, flow_name: str) -> str | None:
        """Why the flow may not start now; None: it may."""
        flow = self.assistant.config.flows.get(flow_name)
        if flow is None:
            return f"unknown flow; available: {', '.join(self.list_startable_flows()) or 'none'}"
        if self.is_from_api or flow_name == self.assistant.only_flow:
            return None
        if not flow.startable:
            return "the flow has no trigger" if flow.trigger is None else "the flow is hidden"
        if flow.trigger and flow.trigger.condition and not self.is_true(flow.trigger.condition):
            return "the flow's trigger condition does not hold"
        return None

    def list_startable_flows(self) -> list[str]:
        """The flows the user may start now."""
        flows = self.assistant.config.flows
        open_ones = (name for name in flows if flows[name].startable)
        return [name for name in open_ones if self.explain_unstartable(name) is None]

    def list_unavailable_flows(self) -> list[str]:
        """The flows that users may start, but not now."""
        flows = self.assistant.config.flows
        return [name for name in flows if flows[name].startable and self.explain_unstartable(name)]

    def find_owner(self, slot: str, flow_name: str | None = None) -> FlowContext | None:
        """The flow instance that a slot name refers to.

        The instance that asks for the slot comes first, then those started now, then the stack from
        the top. A shared slot that no open flow asks for belongs to the active flow. An internal
        slot, which is never asked for, has no owner.
        """
        if self.assistant.is_internal(slot) and not self.is_from_api:
            return None
        for context in self._iter_candidates(slot):
            for flow in (context, *iter_remembered_flows(context, self.assistant.plans)):
                if flow_name in (None, flow["flow_name"]) and self.has_slot(slot, flow):
                    return flow
        return self.active if self.is_shared(slot) else None

    def is_of_asking_task(self, flow: FlowContext) -> bool:
        """Whether an instance is part of the task whose question is open."""
        asking = find_task(self.state["flow_stack"], self.prompt.get("flow_id") or "")
        known = (c for f in asking for c in (f, *iter_remembered_flows(f, self.assistant.plans)))
        return flow["flow_id"] in {context["flow_id"] for context in known}

    def has_slot(self, slot: str, flow: FlowContext) -> bool:
        """Whether the user may fill the slot in this instance, or did so in one that it called."""
        plan = self.get_plan(flow["flow_name"])
        if self.is_asking(slot, flow["flow_id"]) or (plan is not None and slot in plan.asks):
            return True
        return plan is not None and find_filling_call(slot, flow, self.assistant.plans) is not None

    def is_asking(self, slot: str, flow_id: str | None) -> bool:
        """Whether this instance has just asked for the slot."""
        return slot == self.asked_slot and flow_id == self.prompt.get("flow_id")

    def get_values(self, flow_id: str | None) -> dict[str, Any]:
        """The slots that an instance sees: the conversation's and its own."""
        own = self.state["flow_slots"].get(flow_id or "", {})
        return {**self.state["conversation_slots"], **own}

    def get_remembered_values(self, flow_id: str | None) -> dict[str, Any]:
        """The slots that an instance sees, also if it has ended and is remembered."""
        plans = self.assistant.plans
        calls = (c for flow in self.state["flow_stack"] for c in iter_memories(flow, plans))
        left = next((c["slots"] for c in calls if c["context"]["flow_id"] == flow_id), {})
        return {**left, **self.get_values(flow_id)}

    def is_different(self, slot: str, value: Any) -> bool:
        """Whether the value differs from the one that the slot has."""
        owner = self.find_owner(slot)
        stored = self.get_remembered_values(owner["flow_id"] if owner else None).get(slot)
        env = SlotEnv(now=self.context.clock(), language=self.context.language)
        config = self.assistant.get_slot_config(slot)
        try:
            coerced = self.assistant.get_slot_type(slot).coerce(value, config, env)
        except Refusal:
            return True
        return bool(coerced != stored)

    def is_true(self, condition: str | None, values: Mapping[str, Any] | None = None) -> bool:
        """Whether a condition holds for these values, by default the conversation's. None holds."""
        if condition is None:
            return True
        stored = self.state["conversation_slots"] if values is None else values
        typed = TypedValues(self.assistant, stored, self.context.session)
        try:
            return is_truthy(parse_expression(condition).evaluate(typed, self.context.clock()))
        except ExpressionError:
            return False

    def is_shared(self, slot: str) -> bool:
        """Whether the slot belongs to the conversation and not to a flow."""
        return self.assistant.is_shared(slot) and not self.assistant.is_internal(slot)

    def _iter_candidates(self, slot: str) -> Iterator[FlowContext]:
        stack = self.state["flow_stack"]
        by_id = {context["flow_id"]: context for context in stack}
        asking = [self.prompt.get("flow_id")] if slot == self.asked_slot else []
        first = [*asking, *self.state["turn"].get("started", [])]
        yield from (by_id[flow_id] for flow_id in first if flow_id in by_id)
        for task in reversed(self.tasks):
            yield from reversed(task)
