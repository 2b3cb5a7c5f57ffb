"""What the user can be asked, as plain data: it is stored while the conversation waits."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

PromptKind = Literal["collect", "confirm", "cancel", "disambiguate", "limit"]


class Prompt(TypedDict):
    """A question that a turn ends with."""

    kind: PromptKind
    """`collect` and `confirm` belong to a step; the others are the system's own questions."""

    prompt: str
    """The question as the user read it."""

    slot: str | None
    """The slot that is asked (collect)."""

    flow_id: str | None
    """The instance that waits; None for a question outside any flow."""

    step: str | None
    """The step that waits."""

    data: dict[str, Any]
    """What the system's own questions need when they are answered."""


def collect_prompt(
    text: str, slot: str, flow_id: str, step: str, options: Sequence[str] = ()
) -> Prompt:
    """A step asks for a slot; `options` are what it offers."""
    data = {"options": list(options)} if options else {}
    return Prompt(kind="collect", prompt=text, slot=slot, flow_id=flow_id, step=step, data=data)


def confirm_prompt(text: str, flow_id: str, step: str, *, changing: bool = False) -> Prompt:
    """A confirm step asks for yes or no; `changing`: after a no, what is to be different."""
    data = {"changing": True} if changing else {}
    return Prompt(kind="confirm", prompt=text, slot=None, flow_id=flow_id, step=step, data=data)


def system_prompt(kind: PromptKind, text: str, **data: Any) -> Prompt:
    """The system itself asks, whatever the flows are doing."""
    return Prompt(kind=kind, prompt=text, slot=None, flow_id=None, step=None, data=data)


SYSTEM_KINDS: frozenset[str] = frozenset({"cancel", "disambiguate", "limit"})
YES_NO_KINDS: frozenset[str] = frozenset({"confirm", "cancel", "limit"})
