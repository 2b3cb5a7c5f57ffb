"""Answers that an assistant's configuration gives by itself."""

from collections.abc import Iterable, Iterator

from soni.commands.output import voice_of
from soni.commands.situation import Situation
from soni.core.prompts import YES_NO_KINDS
from soni.core.types import FlowContext
from soni.dm.topic import Topic
from soni.flow.voice import Voice, make_label
from soni.steps.ui import list_options

# Longer lists are paged by the step that asks.
_MAX_LISTED = 20


class ConfigAnswers:
    """Answers about the open question, the slots of the task and the flows that may start."""

    def __init__(self, situation: Situation, topic: Topic) -> None:
        self._situation = situation
        self._topic = topic
        self._voice: Voice = voice_of(situation.state, situation.context)

    def explain_question(self) -> list[str]:
        """Why the question is asked and what may be answered, or one of both if asked for."""
        prompt = self._situation.prompt
        asked = self._situation.asked_slot
        reason = self._render_help(asked, prompt["flow_id"] or "") if asked is not None else None
        return self._explain_refusal(reason, self._iter_options(self._topic.is_which))

    def explain_other_slot(self) -> list[str]:
        """Help and options of another slot of the task, which the user named."""
        situation, topic = self._situation, self._topic
        asked = situation.asked_slot
        if asked is not None and topic.is_about(asked):
            return []
        for flow in list_task_flows(situation):
            plan = situation.get_plan(flow["flow_name"])
            named = [name for name in sorted(plan.asks if plan else ()) if topic.is_about(name)]
            # In "shoe size" the name is not "size".
            for name in sorted(named, key=len, reverse=True):
                asks_back = topic.is_why or topic.is_which
                if name in situation.get_values(flow["flow_id"]) and not asks_back:
                    # "What is the size?" asks which one it is.
                    continue
                values = situation.assistant.get_slot_config(name).values
                if said := self._explain_refusal(self._render_help(name, flow["flow_id"]), values):
                    return said
        return []

    def list_abilities(self) -> list[str]:
        """The flows that may start now, by name and description."""
        flows, named = self._situation.assistant.config.flows, []
        for name in self._situation.list_startable_flows():
            about = flows[name].description.strip().rstrip(".")
            named.append(f"{make_label(name)} ({about})" if about else make_label(name))
        listed = ", ".join(named)
        return [self._voice.render_response("what_i_can_do", flows=listed)] if named else []

    def describe_flow(self) -> list[str]:
        """The description of the flow that the user asks about."""
        flows = self._situation.assistant.config.flows
        active = [flow["flow_name"] for flow in list_task_flows(self._situation)]
        names = active or self._situation.list_startable_flows()
        for name in names:
            flow = flows.get(name)
            if flow is None or not flow.description:
                continue
            examples = flow.trigger.examples if flow.trigger else ()
            own = self._topic.is_bare and bool(active)
            if own or self._topic.is_covered_by((make_label(name), flow.description, *examples)):
                return [flow.description]
        return []

    def _explain_refusal(self, reason: str | None, offered: Iterable[str]) -> list[str]:
        why = [reason] if reason else []
        listed = list(offered)
        more = ["…"] if len(listed) > _MAX_LISTED else []
        options = ", ".join([*listed[:_MAX_LISTED], *more])
        which = [self._voice.render_response("value_options", values=options)] if options else []
        if self._topic.is_why:
            return why or which
        if self._topic.is_which:
            return which or why
        return [*why, *which]

    def _render_help(self, name: str, flow_id: str) -> str | None:
        slot = self._situation.assistant.get_slot_config(name)
        if slot.help is None:
            return None
        return self._voice.render_text(slot.help, self._situation.get_values(flow_id))

    def _iter_options(self, wanted: bool) -> Iterator[str]:
        """The possible answers to the open question; yes and no only if `wanted`."""
        prompt, situation = self._situation.prompt, self._situation
        data, asked = prompt.get("data") or {}, situation.asked_slot
        slot = situation.assistant.get_slot_config(asked) if asked else None
        if data.get("options"):
            yield from data["options"]
        elif slot is not None and slot.values:
            yield from slot.values
        elif data.get("ui"):
            yield from (option["label"] for option in list_options(data["ui"]))
        elif prompt.get("kind") == "disambiguate":
            yield from (make_label(name) for name in data["flow_names"])
        elif self._is_changing():
            plan = situation.get_plan(situation.state["flow_stack"][-1]["flow_name"])
            known = plan.asks if plan else frozenset()
            yield from sorted(make_label(name) for name in situation.find_guarded_slots() & known)
        elif wanted and (prompt.get("kind") in YES_NO_KINDS or (slot and slot.kind.is_polar)):
            yield self._voice.render_response("yes")
            yield self._voice.render_response("no")

    def _is_changing(self) -> bool:
        active = self._situation.active
        asked = self._situation.prompt.get("kind") == "confirm"
        return asked and active is not None and active["progress"]["changing"]


def list_task_flows(situation: Situation) -> list[FlowContext]:
    """The flows of the active task, the innermost first."""
    tasks = situation.tasks
    return list(reversed(tasks[-1])) if tasks else []
