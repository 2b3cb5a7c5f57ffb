"""Actions with `confirm: true`: no way may lead to them but through a confirm's yes."""

from collections.abc import Iterator

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.flow import FlowConfig
from soni.core.constants import CONTINUE, END
from soni.steps import StepConfig


def check_confirms(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every flow's ways to the actions that need a yes."""
    for name, flow in assistant.config.flows.items():
        unconfirmed = _unconfirmed(flow)
        for index, step in enumerate(flow.steps):
            action = next((ref.value for ref in step.all_refs() if ref.kind == "action"), None)
            if action is None or step.step not in unconfirmed:
                continue
            if assistant.signature(action).confirm:
                report.add(
                    ("flows", name, "steps", index, "call"),
                    f"action '{action}' can be reached without the yes of a confirm step",
                    remedy="lead every way to it through a confirm step's yes",
                )


def _unconfirmed(flow: FlowConfig) -> set[str]:
    """The steps that can be reached without any yes."""
    index_of = {step.step: index for index, step in reversed(list(enumerate(flow.steps)))}
    seen: set[str] = set()
    todo = [flow.steps[0].step]
    while todo:
        here = todo.pop()
        if here in index_of and here not in seen:
            seen.add(here)
            todo += _ways(flow, index_of[here])
    return seen


def _ways(flow: FlowConfig, index: int) -> Iterator[str]:
    """Where control may go from a step, a confirm's yes left out."""
    step = flow.steps[index]
    following = flow.steps[index + 1].step if index + 1 < len(flow.steps) else END
    after = step.jump_to if step.jump_to not in (None, CONTINUE) else following
    assert after is not None
    targets = {ref.edge: ref.value for ref in step.refs() if ref.kind == "target"}
    for edge, target in targets.items():
        if edge != "on_yes":
            yield after if target == CONTINUE else target
    if flow.on_error is not None:
        yield flow.on_error
    if step.type != "confirm" and "else" not in targets:
        yield after
    if isinstance(step.when, str):
        yield following
