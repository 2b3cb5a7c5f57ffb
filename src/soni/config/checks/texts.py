"""Texts and expressions: whether they parse, and whether the names in them exist."""

import re
from collections.abc import Callable
from typing import Any, Final

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scope, Scopes
from soni.config.definitions import Response
from soni.config.positions import Path
from soni.core.errors import NotationError
from soni.core.expressions import Expression, is_expression, parse_braced, parse_expression
from soni.core.filters import FILTERS
from soni.core.templates import TemplateError, parse_template
from soni.core.texts import OPTIONAL_RESPONSES, Text, iter_sentences
from soni.slots import collect_responses

# The answer to these has an effect, so they must say exactly what the author wrote.
_DECISIVE_RESPONSES: Final = ("cancel_confirm", "flow_limit_ask", "confirm_change", "disambiguate")
# Labels of buttons, which users press or repeat.
_LABEL_RESPONSES: Final = ("yes", "no", "more", "more_options")


def check_sentences(report: Report, path: Path, text: Text | None, scope: Scope) -> None:
    """All sentences of a text."""
    for inner, sentence in iter_sentences(text) if text is not None else ():
        check_text(report, (*path, *inner), sentence, scope)


def check_text(report: Report, path: Path, text: str, scope: Scope) -> None:
    """One sentence with `{names}` in it."""
    try:
        template = parse_template(text)
    except NotationError as error:
        _report_error(report, path, text, error)
        return
    for placeholder in template.placeholders:
        name, offset = placeholder.path[0], placeholder.offset
        part = (text, offset, text.index("}", offset) + 1 - offset)
        if not scope.has_name(name):
            _report_unknown_name(report, path, name, scope, part)
        used = placeholder.filter
        if used is not None and used not in FILTERS:
            hint = "use one of these, or none"
            report.add_unknown(path, "filter", used, FILTERS, code="E303", remedy=hint, part=part)


def check_expression(report: Report, path: Path, text: str, scope: Scope) -> None:
    """A condition."""
    if is_expression(text):
        remedy = "write it without the braces: they make an expression of a value"
        report.add(path, "a condition is an expression anyway", code="E302", remedy=remedy)
        return
    _check_template_names(report, path, text, parse_expression, scope)


def check_value(report: Report, path: Path, value: Any, scope: Scope) -> None:
    """A literal, which is always fine, or a `{{ expression }}`."""
    if is_expression(value):
        _check_template_names(report, path, value, parse_braced, scope)


def _check_template_names(
    report: Report, path: Path, text: str, parse: Callable[[str], Expression], scope: Scope
) -> None:
    try:
        names = parse(text).names
    except NotationError as error:
        _report_error(report, path, text, error)
        return
    for name in sorted(names):
        if scope.has_name(name):
            continue
        place = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)
        part = (text, place.start(), len(name)) if place else None
        _report_unknown_name(report, path, name, scope, part)


def _report_unknown_name(
    report: Report, path: Path, name: str, scope: Scope, part: tuple[str, int, int] | None
) -> None:
    report.add_unknown(
        path, "name", name, scope.available_names, code="E204", remedy=scope.hint, part=part
    )


def _report_error(report: Report, path: Path, text: str, error: NotationError) -> None:
    part = (text, error.offset, 1) if error.offset is not None else None
    code = "E301" if isinstance(error, TemplateError) else "E302"
    report.add(path, error.reason, code=code, remedy=error.remedy, part=part)


def check_responses(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every sentence the author wrote under `responses`."""
    for name, written in assistant.config.responses.items():
        longer = isinstance(written, Response)
        path = ("responses", name, *(("text",) if longer else ()))
        check_sentences(report, path, assistant.get_response(name), _choose_scope(name, scopes))
        decisive = name in _DECISIVE_RESPONSES
        if assistant.may_rephrase(name) and (decisive or name in _LABEL_RESPONSES):
            reason = "its answer decides something" if decisive else "it is a label"
            message = f"`{name}` cannot be rephrased: {reason}"
            remedy = "remove `rephrase`; variations of your own are possible: `text: [.., ..]`"
            report.add(("responses", name, "rephrase"), message, code="E320", remedy=remedy)


def _choose_scope(name: str, scopes: Scopes) -> Scope:
    if name not in collect_responses() and name not in OPTIONAL_RESPONSES:
        return scopes.anywhere
    # Soni says this one itself and fills only the names of its own sentence.
    known = iter_sentences(collect_responses().get(name, ""))
    own = (parse_template(sentence).names for _, sentence in known)
    hint = f"`{name}` is said by Soni itself, which knows only the names below"
    return Scope(scopes.declared.union(*own), hint=hint)
