"""ScopeManager: chooses what understanding may see."""

from collections.abc import Iterator

from soni.commands.situation import Situation
from soni.core.masking import masked_slots
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.flow.called import remembered


class ScopeManager:
    """Builds the dialogue context from the state and the configuration."""

    def get_available_flows(self, state: DialogueState, context: RuntimeContext) -> list[str]:
        """Flows the user may start now."""
        return Situation(state, context).startable_flows()

    def build(self, state: DialogueState, context: RuntimeContext) -> DialogueContext:
        """The moment, as understanding may see it."""
        situation = Situation(state, context)
        active = situation.active
        prompt = situation.prompt
        return DialogueContext(
            current_flow=active["flow_name"] if active else "none",
            current_slots=self._slots(state, context),
            available_flows=tuple(
                FlowBrief(
                    name=name,
                    description=context.config.flows[name].description,
                    examples=context.config.flows[name].trigger.examples,
                )
                for name in situation.startable_flows()
            ),
            paused_flows=tuple(task[0]["flow_name"] for task in situation.tasks[:-1]),
            expected_slots=tuple(self._expected(situation)),
            waiting_for_slot=situation.asked_slot,
            asked={key: prompt[key] for key in ("kind", "prompt", "data")} if prompt else None,
            offered=tuple(state["metadata"].get("offered") or ()),
            conversation_state=state["conversation_state"],
            now=context.clock(),
            language=context.language,
        )

    def _slots(self, state: DialogueState, context: RuntimeContext) -> dict[str, object]:
        active = state["flow_stack"][-1]["flow_id"] if state["flow_stack"] else ""
        visible = {**state["conversation_slots"], **state["flow_slots"].get(active, {})}
        return masked_slots(visible, lambda name: context.assistant.slot(name).sensitive)

    def _expected(self, situation: Situation) -> list[SlotBrief]:
        briefs: list[SlotBrief] = []
        for flow in _correctable(situation):
            plan = situation.plan(flow["flow_name"])
            briefs.extend(
                self._brief(name, flow["flow_name"], situation)
                for name in sorted(plan.asks if plan else ())
            )
        return briefs

    def _brief(self, name: str, flow: str, situation: Situation) -> SlotBrief:
        slot = situation.assistant.slot(name)
        return SlotBrief(
            name=name,
            flow=flow,
            type=slot.type,
            description=slot.description,
            examples=slot.examples,
            values=slot.values,
            required=slot.required,
        )


def _correctable(situation: Situation) -> Iterator[FlowContext]:
    """The open flows from the top, each with those that it has called and that came back."""
    for flow in reversed(situation.state["flow_stack"]):
        yield flow
        yield from remembered(flow, situation.assistant.plans)
