"""Versions of an assistant: what identifies one, its flows as data, and flows of two mixed."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from soni.config.assistant import Assistant
from soni.config.slot import SlotConfig
from soni.config.soni_config import PlanCache, SoniConfig
from soni.core.expressions import parse_expression
from soni.core.templates import parse_template
from soni.core.texts import Text, iter_sentences

SECTIONS: Final = ("flows", "slots", "actions", "responses")
"""What a task runs on. Settings, patterns and knowledge are always those of today."""

Definition = tuple[str, str]
"""A section and a name in it."""


def compute_fingerprint(config: SoniConfig) -> str:
    """A hash of the assistant's YAML, not of its Python code."""
    # Neither the store, who watches nor where HTTP may go affects how a conversation goes.
    aside: Any = {
        "settings": {
            "persistence": True,
            "runtime": {"tracing": True},
            "background": {"webhook_secret"},
            "outgoing": True,
            "mcp": True,
            "observability": True,
            "server": True,
        }
    }
    written = config.model_dump_json(exclude=aside)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def dump_flows(config: SoniConfig) -> dict[str, Any]:
    """The flows and what they need as plain data, which `load_flows` reads."""
    return config.model_dump(mode="json", include={"version", *SECTIONS})


def fingerprint_flows(content: Mapping[str, Any]) -> str:
    """A hash of dumped flows."""
    written = json.dumps(content, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load_flows(content: Mapping[str, Any], today: SoniConfig) -> SoniConfig:
    """Dumped flows as an assistant with everything else, functions included, from today's."""
    read = SoniConfig.model_validate(dict(content))
    sections = {section: dict(getattr(read, section)) for section in SECTIONS}
    for name, flow in read.flows.items():
        # What starts a flow is today's: one that is gone cannot be started any more.
        now = today.flows.get(name)
        start = {"trigger": now.trigger if now is not None else None}
        sections["flows"][name] = flow.model_copy(update=start)
    return mix_definitions(today, sections)


def list_slots(assistant: Assistant, flow: str) -> list[str]:
    """The slots that a flow and what it calls use, in the order of their definition."""
    used = _close_over(assistant, [("flows", flow)])
    return [name for name in assistant.config.slots if ("slots", name) in used]


def mix_definitions(today: SoniConfig, sections: Mapping[str, Any]) -> SoniConfig:
    """A copy with other sections, which passes through the checks like a new assistant."""
    mixed = today.model_copy(update=dict(sections))
    mixed._sound = False
    mixed._shelf = PlanCache()
    return mixed


def overlay_flows(
    base: Assistant, old: Assistant, names: Iterable[str]
) -> tuple[SoniConfig, set[Definition]]:
    """An assistant with some flows as they were, and the definitions that these stand on.

    They come with all that they call and use. If one of that has changed, other flows that use it
    too are taken as they were, because those of `base` may not fit it.
    """
    used: set[Definition] = set()
    roots = {("flows", name) for name in names if name in old.config.flows}
    while roots - used:
        used |= _close_over(old, roots)
        # A sentence in other words breaks nothing.
        shared = {each for each in find_changes(used, base, old) if each[0] != "responses"}
        for name in base.config.flows.keys() & old.config.flows.keys():
            if shared & _close_over(base, [("flows", name)]):
                roots.add(("flows", name))
    sections = {section: dict(getattr(base.config, section)) for section in SECTIONS}
    for section, name in find_changes(used, base, old):
        sections[section][name] = getattr(old.config, section)[name]
    return mix_definitions(base.config, sections), used


def find_changes(
    definitions: Iterable[Definition], one: Assistant, other: Assistant
) -> set[Definition]:
    """Those that the two assistants define differently."""
    return {
        (section, name)
        for section, name in definitions
        if getattr(one.config, section).get(name) != getattr(other.config, section).get(name)
    }


def _close_over(assistant: Assistant, roots: Iterable[Definition]) -> set[Definition]:
    """The definitions, and all that they use."""
    todo, seen = list(roots), set[Definition]()
    while todo:
        each = todo.pop()
        if each not in seen and each[1] in getattr(assistant.config, each[0]):
            seen.add(each)
            todo += _list_uses(assistant, each)
    return seen


def _list_uses(assistant: Assistant, definition: Definition) -> Iterator[Definition]:
    section, name = definition
    config = assistant.config
    if section == "flows":
        yield from _list_flow_uses(assistant, name)
    elif section == "slots":
        yield from (("slots", each) for each in _find_slot_names(config.slots[name]))
    elif section == "responses":
        text = assistant.get_response(name)
        yield from (("slots", each) for each in _find_text_names(text))
    else:
        signature = assistant.get_signature(name)
        yield from (("slots", needed.name) for needed in signature.inputs)
        yield from (("slots", each) for each in signature.outputs or ())


def _list_flow_uses(assistant: Assistant, name: str) -> Iterator[Definition]:
    flow, plan = assistant.config.flows[name], assistant.plans[name]
    sections = {"flow": "flows", "action": "actions", "response": "responses", "slot": "slots"}
    for _, step in flow.iter_steps():
        for ref in step.all_refs():
            if ref.kind in sections:
                yield sections[ref.kind], str(ref.value)
    used = {*flow.inputs, *flow.outputs}
    for planned in plan.steps.values():
        used |= planned.reads | planned.writes | planned.guard_reads
    if flow.trigger is not None and flow.trigger.condition is not None:
        used |= parse_expression(flow.trigger.condition).names
    yield from (("slots", each) for each in used)


def _find_slot_names(slot: SlotConfig) -> Iterator[str]:
    for text in (slot.prompt, slot.help, *(each.message for each in slot.constraints)):
        yield from _find_text_names(text)
    for constraint in slot.constraints:
        yield from parse_expression(constraint.condition).names


def _find_text_names(text: Text | None) -> Iterator[str]:
    for _, sentence in iter_sentences(text) if text is not None else ():
        yield from parse_template(sentence).names
