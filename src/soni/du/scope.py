"""ScopeManager: what understanding may see of the conversation."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from soni.commands.situation import Situation
from soni.config.assistant import Assistant
from soni.core.texts import list_variations
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.du.context import DialogueContext, FlowBrief, ShownValues, SlotBrief, Task
from soni.du.nearest import find_nearest_flows
from soni.flow.call_memory import iter_remembered_flows

MAX_QUESTIONS: Final = 500
"""The most known questions that understanding compares a message with."""

MAX_BARRED_FLOWS: Final = 24
"""Enough to notice that a flow is wanted which may not start."""


class ScopeManager:
    """Builds the `DialogueContext` of a message from the state and the configuration."""

    def __init__(self) -> None:
        # Briefs depend on the configuration alone, so they are made once and not every turn.
        self._briefs: dict[str, FlowBrief] = {}
        self._of: Assistant | None = None
        self._questions: dict[str, tuple[str, ...]] = {}

    def get_available_flows(self, state: DialogueState, context: RuntimeContext) -> list[str]:
        """Flows the user may start now."""
        return Situation(state, context).list_startable_flows()

    async def build(self, state: DialogueState, context: RuntimeContext) -> DialogueContext:
        """The context of the message in `state`: what may happen now, secrets masked."""
        situation = Situation(state, context)
        active, prompt = situation.active, situation.prompt
        values = situation.get_values(active["flow_id"] if active else None)
        barred = situation.list_unavailable_flows()[:MAX_BARRED_FLOWS]
        moment = DialogueContext(
            current_flow=active["flow_name"] if active else "none",
            current_slots=situation.mask_values(values),
            available_flows=tuple(self._list_briefs(situation.list_startable_flows(), situation)),
            barred_flows=tuple(self._list_briefs(barred, situation)),
            paused_flows=tuple(task[0]["flow_name"] for task in situation.tasks[:-1]),
            expected_slots=tuple(self._list_expected_slots(situation)),
            waiting_for_slot=situation.asked_slot,
            asked={key: prompt[key] for key in ("kind", "prompt", "data")} if prompt else None,
            offered=tuple(state["metadata"].get("offered") or ()),
            also_asked=situation.asked_slots[1:],
            shown=ShownValues(confirmed=_list_confirmed_values(situation)),
            others=tuple(_iter_other_tasks(situation)),
            known_questions=self._list_known_questions(situation),
            conversation_state=state["conversation_state"],
            now=context.clock(),
            language=context.language,
        )
        return await _limit_flows(moment, situation)

    def _list_briefs(self, names: Sequence[str], situation: Situation) -> list[FlowBrief]:
        self._reset_cache(situation.assistant)
        for name in names:
            if name not in self._briefs:
                self._briefs[name] = _make_flow_brief(name, situation.assistant)
        return [self._briefs[name] for name in names]

    def _reset_cache(self, assistant: Assistant) -> None:
        if self._of is not assistant:
            self._briefs, self._questions, self._of = {}, {}, assistant

    def _list_known_questions(self, situation: Situation) -> tuple[str, ...]:
        self._reset_cache(situation.assistant)
        language = situation.context.language
        if language not in self._questions:
            entries = situation.assistant.config.knowledge
            asked = (one for entry in entries for one in list_variations(entry.question, language))
            self._questions[language] = tuple(islice(asked, MAX_QUESTIONS))
        return self._questions[language]

    def _list_expected_slots(self, situation: Situation) -> list[SlotBrief]:
        briefs: list[SlotBrief] = []
        for flow in _iter_correctable_flows(situation):
            briefs.extend(_iter_slot_briefs(flow["flow_name"], situation.assistant))
        asked, active = situation.asked_slot, situation.active
        if asked and active and all(brief.name != asked for brief in briefs):
            # An action may need a slot that no step asks for.
            briefs.append(_make_slot_brief(asked, active["flow_name"], situation.assistant))
        return briefs


async def _limit_flows(moment: DialogueContext, situation: Situation) -> DialogueContext:
    """The moment with the flows nearest to the message, if there are more than a provider gets."""
    flows, limit = moment.available_flows, situation.context.config.settings.nlu.max_flows
    if len(flows) <= limit:
        return moment
    # Lazy: assistants with few flows and another provider need none of the offline rules.
    from soni.du.local.exact import read_plain_answer

    message = situation.state["user_message"] or ""
    at_work = {flow["flow_name"] for flow in situation.state["flow_stack"]}
    near: Sequence[FlowBrief]
    if read_plain_answer(message, moment) is not None:
        # Which flows are near does not matter, and finding them would take a model.
        near = sorted(flows, key=lambda flow: flow.name not in at_work)[:limit]
    else:
        near = await find_nearest_flows(message, flows, at_work, limit, moment.language)
    return moment.model_copy(update={"available_flows": tuple(near)})


def _make_flow_brief(name: str, assistant: Assistant) -> FlowBrief:
    flow = assistant.config.flows[name]
    return FlowBrief(
        name=name,
        description=flow.description,
        examples=flow.trigger.examples if flow.trigger else (),
        slots=tuple(_iter_slot_briefs(name, assistant)),
    )


def _iter_slot_briefs(flow: str, assistant: Assistant) -> Iterator[SlotBrief]:
    for name in sorted(_list_asked_slots(flow, assistant)):
        yield _make_slot_brief(name, flow, assistant)


def _list_asked_slots(flow: str, assistant: Assistant) -> frozenset[str]:
    plan = assistant.plans.get(flow)
    return plan.asks if plan else frozenset()


def _make_slot_brief(name: str, flow: str, assistant: Assistant) -> SlotBrief:
    slot = assistant.get_slot_config(name)
    return SlotBrief(
        name=name,
        flow=flow,
        type=slot.type,
        description=slot.description,
        examples=slot.examples,
        values=slot.values,
        required=slot.required,
        sensitive=slot.sensitive,
    )


def _list_confirmed_values(situation: Situation) -> dict[str, Any]:
    """The values that the open confirmation shows or guards, without sensitive ones."""
    active = situation.active
    values = (
        situation.mask_values(situation.get_remembered_values(active["flow_id"])) if active else {}
    )
    return {
        name: values[name]
        for name in sorted(situation.find_guarded_slots())
        if name in values and not situation.assistant.is_sensitive(name)
    }


def _iter_other_tasks(situation: Situation) -> Iterator[Task]:
    """Callers of the active flow, paused tasks from the top, and the task that ended last."""
    state, assistant = situation.state, situation.assistant
    callers = [[flow] for task in situation.tasks[-1:] for flow in reversed(task[:-1])]
    for flows in (*callers, *reversed(situation.tasks[:-1])):
        slots = (state["flow_slots"].get(flow["flow_id"], {}) for flow in flows)
        values = {name: value for own in slots for name, value in own.items()}
        told = situation.mask_values(values).items()
        known = {name: value for name, value in told if not assistant.is_sensitive(name)}
        asked = {name for flow in flows for name in _list_asked_slots(flow["flow_name"], assistant)}
        found = (name for name in known if name not in asked and not assistant.is_declared(name))
        yield Task(flow=flows[0]["flow_name"], slots=known, found=tuple(found), open=True)
    ended = state["metadata"].get("last_task")
    if ended:
        yield Task(flow=ended["flow"], slots=ended["slots"])


def _iter_correctable_flows(situation: Situation) -> Iterator[FlowContext]:
    """The open flows from the top, each followed by the finished flows that it called."""
    for flow in reversed(situation.state["flow_stack"]):
        yield flow
        yield from iter_remembered_flows(flow, situation.assistant.plans)
