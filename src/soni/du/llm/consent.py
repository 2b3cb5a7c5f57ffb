"""Consent: whether what a model takes for a decision is one. What is agreed to is carried out."""

from collections.abc import Sequence
from typing import Any, Final

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
)
from soni.core.prompts import YES_NO_KINDS
from soni.core.protocols import NLUProvider
from soni.du.context import DialogueContext
from soni.du.local.answers.unanswered import is_unsettled
from soni.du.local.deeds.reserved import still_agreed
from soni.du.local.read import Read
from soni.du.local.view import View
from soni.du.local.words.words import normal
from soni.language import has_language

_OTHERWISE: Final = (DenyConfirmation, Clarify, CorrectSlot, SetSlot, HumanHandoff, RepeatLast)
"""What nobody says who agrees, unless they agree as well."""

_DECISIONS: Final = (AffirmConfirmation, DenyConfirmation, CancelFlow)
"""What nobody has said who hesitates: "hm", "oh wait"."""


class Consent:
    """Asks a second time: a model may take a question for a yes, or be told to."""

    def __init__(self, local: NLUProvider) -> None:
        self._local = local

    async def doubtful(
        self,
        commands: Sequence[Command],
        message: str,
        history: Sequence[Any],
        context: DialogueContext,
    ) -> tuple[type[Command], ...]:
        """Kinds of commands that do not count: the offline understanding hears another thing.

        In a language that it does not know, the model alone decides.
        """
        view = View(context)
        if not has_language(view.language):
            return ()
        if is_unsettled(normal(message), view):
            return _DECISIONS
        says_yes = any(isinstance(each, AffirmConfirmation) for each in commands)
        if not says_yes or view.kind not in YES_NO_KINDS:
            return ()
        agrees = not _is_taken_back(message, view) and await self._agrees(message, history, view)
        return () if agrees else (AffirmConfirmation,)

    async def _agrees(self, message: str, history: Sequence[Any], view: View) -> bool:
        heard = (await self._local.understand(message, history, view.context)).commands
        if any(isinstance(each, AffirmConfirmation) for each in heard):
            return True
        # "Cancel it" is a yes to "Do you want to cancel?", and may be one to "Cancel the other?".
        otherwise = (*_OTHERWISE, CancelFlow) if view.kind == "confirm" else _OTHERWISE
        return not any(isinstance(each, otherwise) for each in heard)


def _is_taken_back(message: str, view: View) -> bool:
    """Whether it takes back what it says: "ok, cancel", "yes, if it's free"."""
    said = still_agreed(message, Read((AffirmConfirmation(),)), view)
    return not said.has(AffirmConfirmation)
