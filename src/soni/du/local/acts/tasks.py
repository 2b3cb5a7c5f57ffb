"""Tasks that are resumed or cancelled by name."""

from collections.abc import Mapping, Sequence
from typing import Any

from soni.du.context import FlowBrief
from soni.du.local.answers.answers import find_answer
from soni.du.local.view import View
from soni.du.local.words.mentions import find_named_flow, find_named_slot
from soni.du.local.words.words import extract_words, normalise

KnownValues = Mapping[str, Mapping[str, Any]]
"""By flow, the values of its slots."""


def find_resumed_task(text: str, view: View) -> str | None:
    """The paused task that a message resumes, named by its words or by a value in it."""
    context = view.context
    ways = (view.lang.pattern(f"cues.{name}") for name in ("resume", "flow_first", "first_flow"))
    match = next((m for one in ways if (m := one.fullmatch(text.strip()))), None)
    if match is None or not context.paused_flows:
        return None
    # "The first of May" where a day is asked.
    if view.asked is not None and find_answer(text, view.asked, view) is not None:
        return None
    flows = _list_flows_named((*context.paused_flows, context.current_flow), view)
    flows.sort(key=lambda flow: flow.name == context.current_flow)
    named = _find_flow(match["flow"], flows, _list_known_values(view), view)
    return named.name if named is not None and named.name in context.paused_flows else None


def find_paused_task(said: str, view: View, *, least: float = 0.5) -> str | None:
    """The paused task with this name, or with a value like it: "finish the hoodie"."""
    flows = _list_flows_named(view.context.paused_flows, view)
    named = find_named_flow(said, flows, view.lang, least=least, known=_list_known_values(view))
    return named.name if named is not None else None


def _list_flows_named(names: Sequence[str], view: View) -> list[FlowBrief]:
    return [flow for flow in view.context.available_flows if flow.name in names]


def _list_known_values(view: View) -> KnownValues:
    return {task.flow: task.slots for task in view.context.others if task.open}


def is_task_given_up(text: str, view: View) -> bool:
    """Whether a message cancels the active task, by its name or as a whole."""
    if view.is_idle:
        return False
    context = view.context
    active = [flow for flow in context.available_flows if flow.name == context.current_flow]
    over = view.lang.pattern("task.given_up").fullmatch(normalise(text))
    if over is not None:
        # "I don't want breakfast after all" gives up the breakfast.
        itself = view.lang.words("task.itself")
        what = " ".join(word for word in over["what"].split() if word not in itself)
        named = find_named_slot(what, view.active, view.lang)
        return not what or (named is None and _find_flow(what, active, {}, view) is not None)
    match = view.lang.pattern("cues.cancel").fullmatch(text.strip())
    if match is None:
        return False
    if view.lang.pattern("task.whole").fullmatch(normalise(match["flow"])):
        return True
    optional = [slot for slot in (view.asked,) if slot is not None and not slot.required]
    if find_named_slot(match["flow"], optional, view.lang):
        # Cancelling an optional slot skips it.
        return False
    # "Stop the bike squeaking" is about the bike.
    known = {context.current_flow: context.current_slots}
    words = extract_words(normalise(match["flow"]), view.lang) - view.lang.words("task.beside")
    return bool(words) and all(_find_flow(word, active, known, view) for word in words)


def _find_flow(
    text: str, flows: list[FlowBrief], known: KnownValues, view: View
) -> FlowBrief | None:
    """The flow by its words, or by a gerund of them: "ordering"."""
    doing = view.lang.pattern("task.doing").sub(r"\1", text)
    named = (find_named_flow(one, flows, view.lang, known=known) for one in (text, doing))
    return next(filter(None, named), None)
