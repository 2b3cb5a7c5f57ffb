"""A second opinion on a model's decisions: a wrong yes would carry something out."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    SetSlot,
    StartFlow,
)
from soni.core.prompts import YES_NO_KINDS
from soni.core.protocols import NLUProvider
from soni.du.context import FlowBrief
from soni.du.llm.grounding import find_copied_words
from soni.du.llm.moment import Moment
from soni.du.llm.value_parts import has_readable_part
from soni.du.local.acts.consent import drop_reserved_yes
from soni.du.local.answers.answers import is_hesitation
from soni.du.local.parse import Parse
from soni.du.local.view import View
from soni.du.local.words.questions import split_message
from soni.du.local.words.words import normalise
from soni.du.nearest import find_nearest_flows
from soni.language import find_language, has_language
from soni.slots import SlotEnv

_OTHER_ANSWERS: Final = (DenyConfirmation, Clarify, CorrectSlot, SetSlot, HumanHandoff, RepeatLast)
"""Commands that speak against a yes, unless the offline understanding hears a yes too."""

_DECISIONS: Final = (AffirmConfirmation, DenyConfirmation, CancelFlow)
"""Decisions that a hesitation does not make: "hm", "oh wait"."""


class ConsentCheck:
    """Checks a yes offline: a model may take a question for a yes, or be tricked into it."""

    def __init__(self, local: NLUProvider) -> None:
        self._local = local

    async def find_doubtful_kinds(
        self, commands: Sequence[Command], message: str, moment: Moment
    ) -> tuple[type[Command], ...]:
        """The kinds of commands to drop, because the offline understanding disagrees.

        In a language that it does not know, the model decides alone.
        """
        view = View(moment.context)
        if not has_language(view.language):
            return ()
        if is_hesitation(normalise(message), view):
            return _DECISIONS
        says_yes = any(isinstance(each, AffirmConfirmation) for each in commands)
        if not says_yes or view.kind not in YES_NO_KINDS:
            return ()
        if _is_taken_back(message, view) or not await self._is_agreement(message, moment):
            return (AffirmConfirmation,)
        return ()

    async def _is_agreement(self, message: str, moment: Moment) -> bool:
        heard = (await self._local.understand(message, moment.history, moment.context)).commands
        if any(isinstance(each, AffirmConfirmation) for each in heard):
            return True
        # "Cancel it" is a yes to "Do you want to cancel?", and may be one to "Cancel the other?".
        is_confirmed = View(moment.context).kind == "confirm"
        otherwise = (*_OTHER_ANSWERS, CancelFlow) if is_confirmed else _OTHER_ANSWERS
        return not any(isinstance(each, otherwise) for each in heard)


def _is_taken_back(message: str, view: View) -> bool:
    """Whether it takes back what it says: "ok, cancel", "yes, if it's free"."""
    said = drop_reserved_yes(message, Parse((AffirmConfirmation(),)), view)
    return not said.has(AffirmConfirmation)


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
