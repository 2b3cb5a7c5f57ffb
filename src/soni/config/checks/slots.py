"""Slots: their functions, texts, values and defaults."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.checks.texts import check_expression, check_sentences
from soni.config.positions import Path
from soni.config.slot import SlotConfig
from soni.core.errors import Refusal, describe_value
from soni.slots import SlotEnv

# A fixed day: whether a default fits its type does not depend on the date.
_ANY_DAY: Final = datetime(2026, 1, 1)


def check_slots(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every declared slot."""
    functions = assistant.functions
    for name, slot in assistant.config.slots.items():
        path: Path = ("slots", name)
        if report.functions_known:
            _check_function(report, (*path, "validator"), slot.validator, functions.validators)
            _check_function(report, (*path, "normalizer"), slot.normalizer, functions.normalizers)
        check_sentences(report, (*path, "prompt"), slot.prompt, scopes.anywhere)
        check_sentences(report, (*path, "help"), slot.help, scopes.anywhere)
        for index, constraint in enumerate(slot.constraints):
            here = (*path, "constraints", index)
            check_expression(report, (*here, "if"), constraint.condition, scopes.anywhere)
            check_sentences(report, (*here, "message"), constraint.message, scopes.anywhere)
        _check_values(report, path, slot)
        _check_refusal(assistant, report, path, slot)
        _check_default(assistant, report, name, slot)


def _check_function(
    report: Report, path: Path, name: str | None, functions: Mapping[str, Any]
) -> None:
    kind = str(path[-1])
    if name is not None and name not in functions:
        remedy = f"mark a function of that name with @{kind} in actions.py"
        report.add_unknown(path, kind, name, functions, code="E502", remedy=remedy)


def _check_values(report: Report, path: Path, slot: SlotConfig) -> None:
    if slot.kind.has_values and not slot.values:
        remedy = "list them: `values: [small, large]`"
        report.add((*path, "type"), "a choice needs values", code="E310", remedy=remedy)
    if slot.values and not slot.kind.has_values:
        message = f"a slot of type {slot.type} has no values"
        remedy = "write `type: choice`, or remove them"
        report.add((*path, "values"), message, code="E311", remedy=remedy, on="key")


def _check_refusal(assistant: Assistant, report: Report, path: Path, slot: SlotConfig) -> None:
    name = slot.kind.refusal
    if assistant.get_response(name) is None:
        message = f"type {slot.type} has no sentence to refuse a value with"
        remedy = f"write `{name}` under `responses`, or in `responses` of the type itself"
        known = sorted(slot.kind.responses)
        report.add((*path, "type"), message, code="E313", remedy=remedy, available=known)


def _check_default(assistant: Assistant, report: Report, name: str, slot: SlotConfig) -> None:
    if slot.default is None or (slot.kind.has_values and not slot.values):
        return
    env = SlotEnv(_ANY_DAY, assistant.config.settings.language)
    try:
        assistant.get_slot_type(name).coerce(slot.default, slot, env)
    except Refusal:
        message = f"the default does not fit type {slot.type}: {describe_value(slot.default)}"
        names = slot.values if slot.kind.has_values else ()
        remedy = "give a default that the slot would take from a user"
        path = ("slots", name, "default")
        report.add(path, message, code="E312", remedy=remedy, available=names)
