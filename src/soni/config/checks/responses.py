"""Responses: what their sentences may name, and which may be put into other words."""

from typing import Final

from soni.config.assistant import Assistant
from soni.config.checks.notation import check_sentences
from soni.config.checks.report import Report
from soni.config.checks.scope import Scope, Scopes
from soni.config.response import Response
from soni.core.responses import OPTIONAL
from soni.core.templates import parse_template
from soni.core.texts import sentences
from soni.slots import own_responses

# A yes to it carries something out, so it says what the author wrote.
_ANSWERED: Final = frozenset({"cancel_confirm", "flow_limit_ask", "confirm_change", "disambiguate"})
# People press it, or have to say it.
_LABELS: Final = frozenset({"yes", "no", "more", "more_options"})


def check_responses(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every sentence the author wrote under `responses`."""
    for name, written in assistant.config.responses.items():
        longer = isinstance(written, Response)
        path = ("responses", name, *(("text",) if longer else ()))
        check_sentences(report, path, assistant.response(name), _scope(name, scopes))
        if assistant.rephrases(name) and name in _ANSWERED | _LABELS:
            reason = "its answer decides something" if name in _ANSWERED else "it is a label"
            report.add(
                ("responses", name, "rephrase"),
                f"`{name}` cannot be rephrased: {reason}",
                code="E320",
                remedy="remove `rephrase`; variations of your own are possible: `text: [.., ..]`",
            )


def _scope(name: str, scopes: Scopes) -> Scope:
    if name not in own_responses() and name not in OPTIONAL:
        return scopes.anywhere
    # Soni says this one, at a moment when it knows the names of its own sentence.
    known = sentences(own_responses().get(name, ""))
    own = (parse_template(sentence).names for _, sentence in known)
    return Scope(
        scopes.declared.union(*own),
        hint=f"`{name}` is said by Soni itself, which knows only the names below",
    )
