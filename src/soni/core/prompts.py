"""What the user can be asked, as plain data: it is stored while the conversation waits."""

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack

PromptKind = Literal["collect", "confirm", "cancel", "disambiguate", "limit"]


class FlowStart(TypedDict, total=False):
    """A `StartFlow` as a question may carry it until it is answered."""

    flow_name: str
    slots: dict[str, Any]
    another: bool


class PromptData(FlowStart, total=False):
    """What is needed to handle the answer; for `limit`, the flow that could not start."""

    options: list[str]
    """What a step offers (collect)."""

    changing: bool
    """The user said no and is asked what is to be different (confirm)."""

    ui: dict[str, Any]
    """What is shown beside the question."""

    reason: str | None
    """Why the user gives up (cancel)."""

    then: FlowStart
    """What starts once the task on top is cancelled (cancel)."""

    flow_names: list[str]
    """The flows to choose from (disambiguate)."""


class Prompt(TypedDict, total=False):
    """The question that a turn ends with.

    It has all of these keys but the last; an empty one means none.
    """

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

    data: PromptData

    doubts: NotRequired[int]
    """How often the answer only sounded like a yes, so that it was asked again."""


def make_collect_prompt(
    text: str, slot: str, flow_id: str, step: str, options: Sequence[str] = ()
) -> Prompt:
    """A step asks for a slot; `options` are what it offers."""
    data: PromptData = {"options": list(options)} if options else {}
    return Prompt(kind="collect", prompt=text, slot=slot, flow_id=flow_id, step=step, data=data)


def make_confirm_prompt(text: str, flow_id: str, step: str, *, changing: bool = False) -> Prompt:
    """A confirm step asks for yes or no; `changing`: after a no, what is to be different."""
    data: PromptData = {"changing": True} if changing else {}
    return Prompt(kind="confirm", prompt=text, slot=None, flow_id=flow_id, step=step, data=data)


def make_system_prompt(kind: PromptKind, text: str, **data: Unpack[PromptData]) -> Prompt:
    """A question by the system itself, outside of any step."""
    return Prompt(kind=kind, prompt=text, slot=None, flow_id=None, step=None, data=data)


SYSTEM_KINDS: frozenset[str] = frozenset({"cancel", "disambiguate", "limit"})
YES_NO_KINDS: frozenset[str] = frozenset({"confirm", "cancel", "limit"})


def is_consent(prompt: Prompt) -> bool:
    """Whether a yes or a no answers it: after a no, what is to be different is asked otherwise."""
    return prompt["kind"] in YES_NO_KINDS and not prompt["data"].get("changing")
