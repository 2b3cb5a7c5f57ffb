"""Names that authors give: whether texts, expressions and targets can use them."""

import re
import unicodedata
from typing import Final, Literal

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.flow import FlowConfig
from soni.config.positions import Path
from soni.core.constants import CALLER, RESERVED_TARGETS
from soni.core.errors import clip
from soni.core.paths import NAME_PATTERN

_STEP_ID_PATTERN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NAME: Final = re.compile(NAME_PATTERN)

_LETTERS_REMEDY: Final = "use letters a to z, digits and `_`, and begin with a letter"

# Words that an expression reads as something other than a slot.
_RESERVED_WORDS: Final = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "yield"}
    | {"true", "false", "null", "True", "False", "None", CALLER}
)


def check_names(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Names of flows, slots, actions and steps."""
    config = assistant.config
    for name in config.flows:
        _check_name(report, ("flows", name), "a flow", name)
    for name in config.actions:
        _check_name(report, ("actions", name), "an action", name)
    for name in config.slots:
        _check_slot_name(report, ("slots", name), name, on_key=True)
    for flow_name, flow in config.flows.items():
        for name in flow.inputs:
            _check_slot_name(report, ("flows", flow_name, "inputs", name), name, on_key=True)
        _check_steps(report, ("flows", flow_name), flow)


def _check_steps(report: Report, path: Path, flow: FlowConfig) -> None:
    first: dict[str, Path] = {}
    for inner, step in flow.iter_steps():
        here = (*path, *inner)
        _check_id(report, (*here, "step"), step.step)
        if step.step in first:
            before = report.describe_line((*first[step.step], "step"))
            message = f"the step id '{step.step}' is used twice; first {before}"
            remedy = "give each step of a flow its own id"
            report.add((*here, "step"), message, code="E212", remedy=remedy)
        first.setdefault(step.step, here)
        for ref in step.all_refs():
            if ref.kind == "slot" and ref.writes:
                on_key = bool(ref.path) and ref.path[-1] == ref.value
                _check_slot_name(report, (*here, *ref.path), ref.value, on_key=on_key)


def _check_id(report: Report, path: Path, step_id: str) -> None:
    if step_id in RESERVED_TARGETS:
        message = f"'{step_id}' is a target of its own and cannot be a step id"
        remedy = f"rename the step, e.g. {step_id}_step"
        report.add(path, message, code="E211", remedy=remedy)
    elif _STEP_ID_PATTERN.fullmatch(step_id) is None:
        remedy = "use letters a to z, digits, `_` and `-`, and begin with a letter"
        message = f"'{clip(step_id)}' cannot be a step id"
        report.add(path, message, code="E210", remedy=remedy)


def _check_name(report: Report, path: Path, what: str, name: str) -> None:
    if _NAME.fullmatch(name) is None:
        message = f"'{clip(name)}' cannot be the name of {what}"
        report.add(path, message, code="E210", remedy=_LETTERS_REMEDY, on="key")


def _check_slot_name(report: Report, path: Path, name: str, *, on_key: bool) -> None:
    on: Literal["key", "value"] = "key" if on_key else "value"
    message = f"'{clip(name)}' cannot be the name of a slot"
    if _NAME.fullmatch(name) is None or name.startswith("_"):
        report.add(path, message, code="E210", remedy=_LETTERS_REMEDY, on=on)
    elif name in _RESERVED_WORDS:
        remedy = "choose another: this word means something else in expressions"
        report.add(path, message, code="E211", remedy=remedy, on=on)


def check_triggers(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """No two flows may be started by the same words, unless a condition tells them apart."""
    first: dict[tuple[str, str | None], str] = {}
    for name, flow in assistant.config.flows.items():
        if flow.trigger is None or not flow.startable:
            continue
        for index, example in enumerate(flow.trigger.examples):
            said = _normalise_example(example)
            other = first.setdefault((said, flow.trigger.condition), name)
            if said and other != name:
                path = ("flows", name, "trigger", "examples", index)
                message = f"'{clip(example)}' starts flow '{other}' as well"
                remedy = "keep it in one of the two, or give each flow a condition of its own"
                report.add(path, message, code="E409", remedy=remedy)


def _normalise_example(example: str) -> str:
    """The words alone, without case, punctuation and extra spaces."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", example).casefold()))
