"""OpenQuestion: what a conversation waits for, for whoever shows it."""

from dataclasses import dataclass

from soni.commands.offers import list_pressable
from soni.core.prompts import PromptKind
from soni.core.types import DialogueState


@dataclass(frozen=True)
class OpenQuestion:
    """The question that the last turn ended with."""

    kind: PromptKind
    text: str
    """As the user read it."""

    slot: str | None
    buttons: tuple[str, ...]
    """Labels that can be pressed."""

    options: tuple[str, ...]
    """What can be chosen: the buttons or, where there are none, what the step offers."""


def find_open_question(state: DialogueState) -> OpenQuestion | None:
    """The open question; None: nothing is waited for, or a person of the desk has it."""
    prompt = state["_pending_prompt"]
    if prompt is None or state["metadata"].get("handoff"):
        return None
    buttons = tuple(str(option["label"]) for option in list_pressable(state))
    return OpenQuestion(
        kind=prompt["kind"],
        text=prompt["prompt"],
        slot=prompt["slot"],
        buttons=buttons,
        options=buttons or tuple(prompt["data"].get("options", ())),
    )
