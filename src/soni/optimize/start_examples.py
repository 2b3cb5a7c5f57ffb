"""Turns sentences that start a flow into more examples of it."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from soni.commands import Command, CommandHandlerRegistry, StartFlow
from soni.testing.evaluate.question import Question

Sentences = Literal["none", "bare", "all"]
"""Which become examples: none, those that name no value, or all that start a flow."""

MAX_LENGTH: Final = 200
MAX_EXAMPLES: Final = 50
"""Examples of one flow."""


def collect_examples(questions: Sequence[Question], which: Sentences) -> dict[str, tuple[str, ...]]:
    """New examples by flow, without existing ones and without secrets."""
    found: dict[str, list[str]] = {}
    for question in questions:
        flow = find_started_flow(question)
        if flow is not None and which != "none" and (which == "all" or is_bare(question)):
            texts = found.setdefault(flow, [])
            known = map(_normalise_text, (*_get_examples(question, flow), *texts))
            text = question.sample.text
            if len(texts) < MAX_EXAMPLES and _normalise_text(text) not in known:
                texts.append(text)
    return {flow: tuple(texts) for flow, texts in sorted(found.items()) if texts}


def find_started_flow(question: Question) -> str | None:
    """The one flow that a sentence starts, if it may be kept."""
    flows = [each.flow_name for each in _parse_commands(question) if isinstance(each, StartFlow)]
    fits = len(flows) == 1 and len(question.sample.text) <= MAX_LENGTH
    return flows[0] if fits and not has_secret(question) else None


def is_bare(question: Question) -> bool:
    """Whether a sentence says no value of a slot."""
    return not any(command.get_touched_slots() for command in _parse_commands(question))


def has_secret(question: Question) -> bool:
    """Whether a sentence may hold the value of a sensitive slot."""
    slots = {slot for command in _parse_commands(question) for slot in command.get_touched_slots()}
    sensitive = question.moment.assistant.is_sensitive
    return question.context.asks_in_private or any(map(sensitive, slots))


def _parse_commands(question: Question) -> Iterator[Command]:
    if question.sample.types_only:
        return
    registry = CommandHandlerRegistry.discover()
    yield from (registry.parse(command) for command in question.sample.commands)


def _get_examples(question: Question, flow: str) -> tuple[str, ...]:
    flows = question.moment.assistant.config.flows
    trigger = flows[flow].trigger if flow in flows else None
    return trigger.examples if trigger else ()


def _normalise_text(text: str) -> str:
    return " ".join(text.casefold().strip(" .!?").split())
