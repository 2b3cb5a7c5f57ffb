"""Knowledge: whether every entry can be found, and what its texts may name."""

import re
import unicodedata
from dataclasses import replace
from typing import Final

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scope, Scopes
from soni.config.checks.texts import check_expression, check_sentences
from soni.config.definitions import KnowledgeEntry
from soni.config.positions import Path
from soni.core.errors import clip
from soni.core.texts import iter_sentences

_WORD_PATTERN: Final = re.compile(r"[^\W_]+")
_KnownQuestions = dict[tuple[str, str | None, str | None], dict[str, Path]]


def check_knowledge(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Check every knowledge entry."""
    flows = assistant.config.flows
    hint = "without `flow`, only `session` and slots with `scope: conversation` are known"
    general = replace(scopes.idle, hint=hint)
    known: dict[str, Scope] = {}
    asked: _KnownQuestions = {}
    for index, entry in enumerate(assistant.config.knowledge):
        path: Path = ("knowledge", index)
        scope = general
        if entry.flow in flows:
            scope = known.setdefault(entry.flow, scopes.build_flow_scope(flows[entry.flow]))
        elif entry.flow is not None:
            remedy = "write it under `flows`, or remove the key: the entry is then for any moment"
            place = (*path, "flow")
            report.add_unknown(place, "flow", entry.flow, flows, code="E202", remedy=remedy)
            scope = scopes.anywhere
        check_sentences(report, (*path, "answer"), entry.answer, scope)
        if entry.when is not None:
            check_expression(report, (*path, "when"), entry.when, scope)
        _check_words(report, path, entry)
        _check_duplicates(report, path, entry, asked)


def _check_words(report: Report, path: Path, entry: KnowledgeEntry) -> None:
    for inner, sentence in iter_sentences(entry.question):
        if _WORD_PATTERN.search(sentence) is None:
            message, remedy = "this question has no words", "write what the user would ask"
            report.add((*path, "question", *inner), message, code="E802", remedy=remedy)
    for inner, sentence in iter_sentences(entry.answer):
        if not sentence.strip():
            message, remedy = "this answer says nothing", "write what to say"
            report.add((*path, "answer", *inner), message, code="E802", remedy=remedy)


def _check_duplicates(
    report: Report, path: Path, entry: KnowledgeEntry, asked: _KnownQuestions
) -> None:
    for inner, question in iter_sentences(entry.question):
        # A text without a language counts in every language.
        language = inner[0] if inner and isinstance(inner[0], str) else ""
        said, here = _normalise_question(question), (*path, "question", *inner)
        known = asked.setdefault((said, entry.flow, entry.when), {})
        clashes = known.values() if not language else (known.get(""), known.get(language))
        first = next((place for place in clashes if place is not None), path)
        known.setdefault(language, here)
        # Within one entry a repeated question does no harm: there is only one answer.
        if said and first[:2] != path:
            message = f"'{clip(question)}' is answered already {report.describe_place(first)}"
            remedy = "keep one of the two, or tell them apart by `flow` or `when`"
            report.add(here, message, code="E801", remedy=remedy)


def _normalise_question(question: str) -> str:
    """The words alone, without case, punctuation and extra spaces."""
    return " ".join(_WORD_PATTERN.findall(unicodedata.normalize("NFKC", question).casefold()))
