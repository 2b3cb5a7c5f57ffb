"""Consent: whether the yes that a model has heard is one. What it is said to is carried out."""

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
from soni.du.local.words.lexicon import LEXICON
from soni.du.local.words.words import normal

_OTHERWISE: Final = (DenyConfirmation, Clarify, CorrectSlot, SetSlot, HumanHandoff, RepeatLast)
"""What nobody says who agrees, unless they agree as well."""


class Consent:
    """Asks a second time: a model may take a question for a yes, or be told to."""

    def __init__(self, local: NLUProvider) -> None:
        self._local = local

    async def is_doubtful(
        self,
        commands: Sequence[Command],
        message: str,
        history: Sequence[Any],
        context: DialogueContext,
    ) -> bool:
        """Whether these commands hold a yes where the offline understanding hears another thing.

        In a language that it does not know, the model alone decides.
        """
        view = View(context)
        says_yes = any(isinstance(each, AffirmConfirmation) for each in commands)
        knows = view.env.base_language in LEXICON
        if not says_yes or not knows or view.kind not in YES_NO_KINDS:
            return False
        if _waits(message, view):
            return True
        heard = (await self._local.understand(message, history, context)).commands
        if any(isinstance(each, AffirmConfirmation) for each in heard):
            return False
        # "Cancel it" is a yes to "Do you want to cancel?", and may be one to "Cancel the other?".
        otherwise = (*_OTHERWISE, CancelFlow) if view.kind == "confirm" else _OTHERWISE
        return any(isinstance(each, otherwise) for each in heard)


def _waits(message: str, view: View) -> bool:
    """Whether it hesitates, or takes back what it says: "hm", "ok, cancel", "yes, if it's free"."""
    said = still_agreed(message, Read((AffirmConfirmation(),)), view)
    return not said.has(AffirmConfirmation) or is_unsettled(normal(message), view)
