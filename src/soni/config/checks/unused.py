"""Slots and responses that nothing uses. Only worth saying once no name is misspelt."""

from collections.abc import Iterator

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.signature import ActionSignature
from soni.config.wording import find_nearest
from soni.core.expressions import parse_expression
from soni.core.responses import OPTIONAL
from soni.core.templates import parse_template
from soni.core.texts import Text, sentences
from soni.slots import own_responses
from soni.steps import Ref, names_in


def check_unused(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every slot and every response of the author's own."""
    flows = assistant.config.flows.values()
    refs = [ref for flow in flows for _, step in flow.iter_steps() for ref in step.all_refs()]
    said = {ref.value for ref in refs if ref.kind == "response"}
    refusals = (slot.kind.refusal for slot in assistant.config.slots.values())
    known = [*dict.fromkeys([*own_responses(), *OPTIONAL, *refusals])]
    for name in assistant.config.responses:
        if name not in (*said, *known):
            message = f"nothing says response '{name}'"
            own = f"say it in a step, `- {{type: say, response: {name}}}`, or remove it"
            guess = find_nearest(name, known)
            remedy = f"{guess} otherwise {own}" if guess else own
            report.add(("responses", name), message, code="W602", remedy=remedy, on="key")
    called = _list_called_actions(assistant, refs)
    # Such a function may read or fill any slot, and nobody knows before it runs.
    free = any(each.outputs is None or each.wants_context or each.accepts_any for each in called)
    if report.functions_known and not free:
        used = {*_in_flows(assistant), *_in_steps(refs, called), *_in_texts(assistant)}
        for name in assistant.config.slots.keys() - used:
            message = f"nothing uses slot '{name}'"
            remedy = f"ask for it in a step, `- collect: {name}`, or remove it"
            report.add(("slots", name), message, code="W603", remedy=remedy, on="key")


def _list_called_actions(assistant: Assistant, refs: list[Ref]) -> list[ActionSignature]:
    names = {ref.value for ref in refs if ref.kind == "action"}
    handoff = assistant.config.settings.handoff.action
    return [assistant.signature(name) for name in (*names, *([handoff] if handoff else ()))]


def _in_flows(assistant: Assistant) -> Iterator[str]:
    for flow in assistant.config.flows.values():
        yield from (*flow.inputs, *flow.outputs)
        if flow.trigger is not None and flow.trigger.condition is not None:
            yield from parse_expression(flow.trigger.condition).names


def _in_steps(refs: list[Ref], called: list[ActionSignature]) -> Iterator[str]:
    for ref in refs:
        yield from names_in(ref)
        if ref.kind == "slot":
            yield ref.value
    for signature in called:
        yield from (needed.name for needed in signature.inputs)
        yield from signature.outputs or ()


def _in_texts(assistant: Assistant) -> Iterator[str]:
    """What responses and knowledge read, and what slots read of each other."""
    for name in assistant.config.responses:
        yield from _find_names(assistant.response(name))
    for name, slot in assistant.config.slots.items():
        read = {*_find_names(slot.prompt), *_find_names(slot.help)}
        for constraint in slot.constraints:
            read.update(
                _find_names(constraint.message), parse_expression(constraint.condition).names
            )
        yield from read - {name}
    for entry in assistant.config.knowledge:
        yield from _find_names(entry.answer)
        yield from parse_expression(entry.when).names if entry.when is not None else ()


def _find_names(text: Text | None) -> Iterator[str]:
    for _, sentence in sentences(text) if text is not None else ():
        yield from parse_template(sentence).names
