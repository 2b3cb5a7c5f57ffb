"""Responses: what their sentences may name."""

from soni.config.assistant import Assistant
from soni.config.checks.notation import check_sentences
from soni.config.checks.report import Report
from soni.config.checks.scope import Scope, Scopes
from soni.core.responses import BUILT_IN, OPTIONAL
from soni.core.templates import parse_template
from soni.core.texts import sentences


def check_responses(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every sentence the author wrote under `responses`."""
    for name, text in assistant.config.responses.items():
        check_sentences(report, ("responses", name), text, _scope(name, scopes))


def _scope(name: str, scopes: Scopes) -> Scope:
    if name not in BUILT_IN and name not in OPTIONAL:
        return scopes.anywhere
    # Soni says this one, at a moment when it knows the names of its own sentence.
    own = (parse_template(sentence).names for _, sentence in sentences(BUILT_IN.get(name, "")))
    return Scope(
        scopes.declared.union(*own),
        hint=f"`{name}` is said by Soni itself, which knows only the names below",
    )
