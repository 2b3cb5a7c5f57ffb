"""StepConfig: the base of step types, and what a running step sees and returns."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict

from soni.core.constants import CONTINUE
from soni.core.errors import ActionError
from soni.core.expressions import is_expression, parse_braced, parse_expression
from soni.core.templates import parse_template
from soni.core.texts import Text, iter_sentences

RefKind = Literal[
    "text",
    "expression",
    "value",
    "target",
    "slot",
    "action",
    "response",
    "flow",
    # Over the fields of an item on offer, which nobody declares:
    "item_text",
    "item_expression",
]


@dataclass(frozen=True)
class Ref:
    """A name, text or expression that a step mentions, and the key it stands under.

    Checks, plans and diagrams read these, so that a new step type needs no change there.
    """

    kind: RefKind
    value: Any
    path: tuple[str | int, ...]
    edge: str = ""
    """For targets: the name of the way there (`on_yes`, `then`, ...)."""

    writes: bool = False
    """For slots: the step fills it (otherwise it only mentions it)."""


@dataclass(frozen=True)
class Wait:
    """The step cannot go on before the user answers."""

    text: str
    slot: str | None = None
    """The slot that is asked; None: a yes or no."""

    options: tuple[str, ...] = ()
    """What the user may choose from, as it was shown."""

    ui: Mapping[str, Any] | None = None
    """What is shown beside the question."""


@dataclass(frozen=True)
class Failure:
    """The step failed; `type` and `message` become `_error_type` and `_error_message`."""

    type: str
    message: str
    to: str | None = None
    outcome_known: bool = True
    """False: nobody knows whether the action was done."""

    @classmethod
    def from_error(cls, error: ActionError, to: str | None) -> Self:
        """The failure of a step whose action failed."""
        return cls(error.type, error.message, to, error.outcome_known)


@dataclass(frozen=True)
class Calling:
    """Another flow runs on top of this one; the step goes on when it has ended."""

    flow: str
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Linking:
    """This flow ends and another takes its place."""

    flow: str


@dataclass(frozen=True)
class HandingOff:
    """A person takes over."""

    queue: str | None
    context: Mapping[str, Any]
    message: str | None


@dataclass(frozen=True)
class FlowResult:
    """The result of a called flow."""

    outputs: Mapping[str, Any]
    failure: Failure | None = None


@dataclass(frozen=True)
class Outcome:
    """What a step did. The caller applies it; a step changes nothing by itself."""

    say: tuple[str, ...] = ()
    ui: Mapping[str, Any] | None = None
    """What is shown beside the message."""

    writes: Mapping[str, Any] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    to: str = CONTINUE
    wait: Wait | None = None
    failure: Failure | None = None
    changing: bool = False
    """A confirm was denied: from now on the question is what to change."""

    asking: bool = False
    """The step asks although its slot is filled, so the next value is the answer."""

    passes: int | None = None
    """A loop began this pass. None: none began."""

    forget: tuple[str, ...] = ()
    """Steps that ran in the pass before: a correction no longer concerns them."""

    request: Calling | Linking | HandingOff | None = None
    """What the manager has to do before this flow goes on."""

    edge: str = ""
    """Which of its `ways` the step took; empty: it continues with the next step."""

    again: bool = False
    """It wrote a missing input and has to run again to do its work."""


@dataclass(frozen=True)
class ActionUse:
    """An action that a step calls, and how its inputs and outputs are named there."""

    action: str
    inputs: Mapping[str, Any]
    map_outputs: Mapping[str, str]


@dataclass(frozen=True)
class FlowUse:
    """A flow that a step calls, and how its inputs and outputs are named there."""

    flow: str
    inputs: Mapping[str, Any]
    outputs: Mapping[str, str]

    def find_written_slots(self, outputs: Iterable[str], among: Container[str]) -> frozenset[str]:
        """The slots that receive the flow's outputs, restricted to outputs `among` these."""
        return frozenset(self.outputs.get(name, name) for name in outputs if name in among)


@dataclass(frozen=True)
class ActionInput:
    """One input an action takes."""

    name: str
    required: bool = True


class StepView(Protocol):
    """What a running step may see and ask for."""

    @property
    def answer(self) -> str | None:
        """`yes` or `no`, if the user just answered this step's confirm."""

    @property
    def is_changing(self) -> bool:
        """The user was asked what to change."""

    @property
    def is_asking(self) -> bool:
        """The step asked although its slot was filled."""

    @property
    def passes(self) -> int:
        """How many passes of this loop have begun; a repeated pass is not counted."""

    @property
    def returned(self) -> FlowResult | None:
        """The result of the flow that this step called."""

    @property
    def page(self) -> int:
        """The page that the user has reached in the list that this step offers."""

    def get_stored(self, name: str) -> Any:
        """A slot's value as it is stored."""

    def show_item(self, item: Any, display: Text | None) -> str:
        """An item of a list as people read it."""

    def is_set(self, name: str) -> bool: ...

    def is_true(self, expression: str) -> bool: ...

    def evaluate(self, value: Any) -> Any:
        """A literal as it is; a `{{ expression }}` evaluated."""

    def text(self, text: Text, *, rephrase: bool = False) -> str:
        """The sentence to say, substituted; with `rephrase`, a model may say it otherwise."""

    def response(self, name: str) -> str: ...

    def find_prompt(self, slot: str) -> str | None:
        """The slot's own question, or else the flow's for it; None: nobody asks for it."""

    def get_default(self, slot: str) -> Any:
        """The slot's default; None: it has none."""

    def list_choices(self, slot: str) -> tuple[str, ...]:
        """The values of a choice."""

    def list_inputs(self, action: str) -> tuple[ActionInput, ...]: ...

    def get_flow_inputs(self, flow: str) -> tuple[str, ...]:
        """The inputs of another flow."""

    async def call(self, action: str, inputs: Mapping[str, Any], **policy: Any) -> dict[str, Any]:
        """Run an action once; its outputs. Raises `ActionError` or `NeedSlot`."""

    @property
    def has_model(self) -> bool:
        """Whether a language model, or a substitute for one, can write texts."""

    async def generate(self, instruction: str, names: Iterable[str], *, aloud: bool) -> str:
        """A text by the model, which sees these slots. Raises `ActionError`.

        Of the session it sees only what the instruction names. `aloud`: the text is streamed
        while it is being written.
        """


class StepConfig(BaseModel, ABC):
    """A step of a flow. A step type is a subclass with `type`, `main`, `refs` and `run`.

    `main` is the field of the short spelling. CONTRIBUTING.md shows a whole step type.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    main: ClassVar[str]
    inside: ClassVar[str] = ""
    """The key that holds the steps inside this one."""

    waits: ClassVar[bool] = False
    """Whether the step may wait for the user, or for a person or flow that may."""

    collects: ClassVar[bool] = False
    """Whether the user fills what the step writes."""

    step: str = ""
    """Id within the flow; made from the kind and the main field where it is missing."""

    type: str
    when: str | None = None
    """Guard: the step is passed over while this is false."""

    jump_to: str | None = None
    """Where control goes after the step, instead of the next one."""

    @abstractmethod
    def refs(self) -> Iterator[Ref]:
        """Everything the step's own keys mention."""

    @abstractmethod
    async def run(self, view: StepView) -> Outcome:
        """Do the step's work on what `view` shows."""

    def iter_target_refs(self, *keys: str) -> Iterator[Ref]:
        """The refs of keys that name a target, if they are given; each edge is named as its key."""
        for key in keys:
            if (target := getattr(self, key)) is not None:
                yield Ref("target", target, (key,), edge=key)

    def all_refs(self) -> Iterator[Ref]:
        """The step's own refs and those every step has."""
        if isinstance(self.when, str):
            yield Ref("expression", self.when, ("when",))
        if self.jump_to is not None:
            yield Ref("target", self.jump_to, ("jump_to",), edge="next")
        yield from self.refs()

    def ways(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """The edge and key of each way on, if there are several; an empty edge is the next step."""
        own = [(ref.edge, ref.path) for ref in self.refs() if ref.kind == "target"]
        if own:
            yield "", ()
        yield from own

    @property
    def silent(self) -> bool:
        """Whether it does nothing if the slots that it writes are filled."""
        return False

    def calls(self) -> Iterator[ActionUse]:
        """The actions the step calls."""
        return iter(())

    def subflow(self) -> FlowUse | None:
        """The flow the step calls."""
        return None

    @property
    def children(self) -> "tuple[StepConfig, ...]":
        """The steps inside this one, if it holds any."""
        return ()

    def with_children(self, children: "Sequence[StepConfig]") -> "StepConfig":
        """The same step around other steps."""
        return self


def iter_text_refs(text: Text | None, *path: str | int) -> Iterator[Ref]:
    """The refs of a text: one for each of its sentences."""
    if text is not None:
        for inner, sentence in iter_sentences(text):
            yield Ref("text", sentence, (*path, *inner))


def iter_item_refs(text: Text | None, *path: str | int) -> Iterator[Ref]:
    """The refs of a text about an item on offer."""
    for ref in iter_text_refs(text, *path):
        yield replace(ref, kind="item_text")


def iter_value_refs(values: Mapping[str, Any], *path: str | int) -> Iterator[Ref]:
    """The refs of a mapping of literals and `{{ expressions }}`."""
    for name, value in values.items():
        yield Ref("value", value, (*path, name))


def find_names(ref: Ref) -> frozenset[str]:
    """The slot names that a text or expression reads."""
    if ref.kind == "text":
        return parse_template(ref.value).names
    if ref.kind == "expression":
        return parse_expression(ref.value).names
    if ref.kind == "value" and is_expression(ref.value):
        return parse_braced(ref.value).names
    return frozenset()


def find_missing_input(use: ActionUse, view: StepView) -> str | None:
    """The first required input that neither the step nor a slot gives."""
    for needed in view.list_inputs(use.action):
        if needed.required and needed.name not in use.inputs and not view.is_set(needed.name):
            return needed.name
    return None


def ask_for_slot(slot: str, view: StepView, on_error: str | None) -> Outcome:
    """Ask for the slot. Without a question, use its default; without a default, fail."""
    question = view.find_prompt(slot)
    default = view.get_default(slot)
    if question is None and default is not None and not view.is_set(slot):
        return Outcome(writes={slot: default}, again=True)
    if question is None:
        reason = f"slot '{slot}' is not set"
        return Outcome(failure=Failure("missing_input", reason, to=on_error))
    return Outcome(wait=Wait(question, slot=slot), unset=(slot,))
