"""A second opinion on what a model decided and started."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Final

from soni.commands import AffirmConfirmation, CancelFlow, Command, DenyConfirmation, StartFlow
from soni.du.context import FlowBrief
from soni.du.llm.grounding import find_copied_words
from soni.du.llm.moment import Moment
from soni.du.llm.value_parts import has_readable_part
from soni.du.local.answers.answers import is_hesitation
from soni.du.local.view import View
from soni.du.local.words.questions import split_message
from soni.du.local.words.words import normalise
from soni.du.nearest import find_nearest_flows
from soni.language import find_language, has_language
from soni.slots import SlotEnv

_DECISIONS: Final = (AffirmConfirmation, DenyConfirmation, CancelFlow)
"""Decisions that a hesitation does not make: "hm", "oh wait"."""


def drop_hasty_decisions(
    commands: Sequence[Command], message: str, moment: Moment
) -> tuple[list[Command], list[str]]:
    """The commands without decisions of somebody who only hesitates, and the names of those."""
    view = View(moment.context)
    if not has_language(view.language) or not is_hesitation(normalise(message), view):
        return list(commands), []
    hasty = [each for each in commands if isinstance(each, _DECISIONS)]
    return [each for each in commands if each not in hasty], [each.type for each in hasty]


async def limit_starts(commands: Sequence[Command], message: str, moment: Moment) -> list[Command]:
    """Keep at most one start for each part of the message, those most like it.

    A small model that cannot decide between flows starts them all.
    """
    starts = [command for command in commands if isinstance(command, StartFlow)]
    language = moment.context.language
    parts = 1 + sum(1 for _ in split_message(message, find_language(language)))
    if len(starts) <= parts or not has_language(language):
        return list(commands)
    names = {each.flow_name for each in starts}
    flows = [flow for flow in moment.flows if flow.name in names]
    near = {flow.name for flow in await find_nearest_flows(message, flows, (), parts, language)}
    return [each for each in commands if not isinstance(each, StartFlow) or each.flow_name in near]


_CAPITALISED_WORD: Final = re.compile(r"(?<=\S)\s+[^\w\s]*(?!I\b)(?=[^\W\d_])(\w)")


def find_flow_by_example(message: str, flows: Sequence[FlowBrief]) -> FlowBrief | None:
    """The flow whose author wrote the message as an example."""
    said = _normalise_text(message)
    return next((flow for flow in flows if said in map(_normalise_text, flow.examples)), None)


def is_bare_example(message: str, flow: FlowBrief, env: SlotEnv) -> bool:
    """Whether a message is an example of the flow's author that shows no value."""
    said = _normalise_text(message)
    examples = [example for example in flow.examples if _normalise_text(example) == said]
    return bool(examples) and not any(_shows_value(each, flow, env) for each in examples)


def _shows_value(example: str, flow: FlowBrief, env: SlotEnv) -> bool:
    """Whether an example shows a value. Authors write "Lima", though users write "lima"."""
    if any(map(str.isdigit, example)) or any(map(str.isupper, _CAPITALISED_WORD.findall(example))):
        return True
    values = chain.from_iterable(slot.values.items() for slot in flow.slots)
    listed = (word for value, synonyms in values for word in (value, *synonyms))
    if any(find_copied_words(word, example) for word in listed):
        return True
    return any(has_readable_part(example, slot, env) for slot in flow.slots)


def _normalise_text(text: str) -> str:
    return text.strip().rstrip(".!?").casefold()
