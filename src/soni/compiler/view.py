"""RunningStep: what a step sees while it runs (the `StepView` of `soni.steps`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from soni.core.calls import ActionCall
from soni.core.constants import CALLER, MASK
from soni.core.expressions import is_expression, is_truthy, parse_braced, parse_expression
from soni.core.generation import GENERATE, TextPiece
from soni.core.masking import find_secrets, mask_value
from soni.core.paths import walk_path
from soni.core.records import ActionRecord
from soni.core.templates import parse_template
from soni.core.texts import Text
from soni.core.types import FlowContext, RuntimeContext
from soni.flow.plain import make_recordable
from soni.flow.values import TypedValues
from soni.flow.voice import Voice
from soni.steps import ActionInput, Failure, FlowResult

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.config.plan import FlowPlan


@dataclass(eq=False, repr=False)
class RunningStep:
    """A step's window on its flow instance. It records what the step does, and changes nothing."""

    _step_id: str
    _instance: FlowContext
    _values: Mapping[str, Any]
    _voice: Voice
    _context: RuntimeContext
    _say: Callable[[str], None]
    _plan: FlowPlan

    def __post_init__(self) -> None:
        self._now: datetime = self._context.clock()
        self._typed = TypedValues(self._assistant, self._values, self._context.session)
        self.calls: list[ActionRecord] = []
        """The action calls of this run, masked, for the audit trail."""

    @property
    def _assistant(self) -> Assistant:
        assistant: Assistant = self._context.assistant
        return assistant

    @property
    def answer(self) -> str | None:
        """The answer to this step's confirm."""
        return self._instance["progress"]["answer"]

    @property
    def is_changing(self) -> bool:
        """The user was asked what to change."""
        return self._instance["progress"]["changing"]

    @property
    def is_asking(self) -> bool:
        """The step asked although its slot was filled."""
        return self._instance["progress"]["asking"]

    @property
    def page(self) -> int:
        """The page of the list that the user is on."""
        return self._instance["progress"]["pages"].get(self._step_id, 0)

    def get_stored(self, name: str) -> Any:
        """A slot's value as it is stored."""
        return self._values.get(name)

    def show_item(self, item: Any, display: Text | None) -> str:
        """An item of a list as people read it."""
        return self._voice.show_item(item, display)

    @property
    def passes(self) -> int:
        """How many passes of this loop have begun."""
        return self._instance["progress"]["passes"].get(self._step_id, 0)

    @property
    def returned(self) -> FlowResult | None:
        """The result of the flow that this step called."""
        back = self._instance["progress"]["returned"]
        if back is None:
            return None
        error = back.get("error")
        if error is None:
            return FlowResult(back.get("outputs", {}), None)
        known = error.get("outcome_known", True)
        return FlowResult({}, Failure(error["type"], error["message"], outcome_known=known))

    def get_flow_inputs(self, flow: str) -> tuple[str, ...]:
        """The inputs of another flow."""
        return tuple(self._assistant.config.flows[flow].inputs)

    def is_set(self, name: str) -> bool:
        """Whether the slot has a value; null, 0 and "" are values."""
        return name in self._values

    def is_true(self, expression: str) -> bool:
        """Whether a condition holds."""
        return is_truthy(parse_expression(expression).evaluate(self._typed, self._now))

    def evaluate(self, value: Any) -> Any:
        """A literal as it is; a `{{ expression }}` evaluated."""
        if not is_expression(value):
            return value
        return parse_braced(value).evaluate(self._typed, self._now)

    def text(self, text: Text, *, rephrase: bool = False) -> str:
        """The sentence to say."""
        return self._voice.render_text(text, self._values, rephrase=rephrase)

    def response(self, name: str) -> str:
        """A named sentence."""
        return self._voice.render_response(name, self._values)

    def find_prompt(self, slot: str) -> str | None:
        """The slot's own question, or else the flow's for it."""
        question = self._plan.find_question(slot)
        own = self._voice.render_prompt(slot, self._values)
        return self.text(question) if own is None and question is not None else own

    def get_default(self, slot: str) -> Any:
        """The slot's default."""
        return self._assistant.get_slot_config(slot).default

    def list_choices(self, slot: str) -> tuple[str, ...]:
        """The values of a choice."""
        return tuple(self._assistant.get_slot_config(slot).values)

    def list_inputs(self, action: str) -> tuple[ActionInput, ...]:
        """What the action takes."""
        return self._assistant.get_signature(action).inputs

    async def call(self, action: str, inputs: Mapping[str, Any], **policy: Any) -> dict[str, Any]:
        """Run an action under the ledger."""
        given = {
            needed.name: self._typed.get(needed.name)
            for needed in self.list_inputs(action)
            if needed.name not in inputs and self.is_set(needed.name)
        }
        arguments = {**given, **inputs}
        self.calls.append({"action": action, "inputs": self._mask_arguments(arguments)})
        part = [policy["part"]] if "part" in policy else []
        call = self._make_call(action, arguments, *part)
        call = replace(call, timeout=policy.get("timeout"), retry=policy.get("retry"))
        return await self._context.action_runner.run(call)

    @property
    def has_model(self) -> bool:
        """Whether a language model is available."""
        return self._context.has_writer

    async def generate(self, instruction: str, names: Iterable[str], *, aloud: bool) -> str:
        """Have the model write a text. Secrets are not sent."""
        asked = {
            "instruction": instruction,
            "facts": self._collect_facts(instruction, names),
            "language": self._context.language,
        }
        emit = self._context.emit
        write = (lambda piece: emit(TextPiece(piece))) if aloud else None
        call = replace(self._make_call(GENERATE, asked), write=write)
        written = await self._context.action_runner.run(call)
        return str(written["text"])

    def _collect_facts(self, instruction: str, names: Iterable[str]) -> dict[str, Any]:
        """The named slots, and the session values that the instruction refers to."""
        slots = {name: self._values[name] for name in names if name in self._values}
        session = {CALLER: dict(self._context.session)}
        paths = (place.path for place in parse_template(instruction).placeholders)
        # The session may hold private data, so only the named values are sent.
        named = (path for path in paths if path[0] == CALLER and len(path) > 1)
        known = {".".join(path): walk_path(session, path) for path in named}
        return self._mask_arguments(slots | {name: v for name, v in known.items() if v is not None})

    def _make_call(self, action: str, arguments: Mapping[str, Any], *part: str) -> ActionCall:
        visit = self._instance["progress"]["visits"].get(self._step_id, 1)
        flow_id = self._instance["flow_id"]
        place = [self._context.conversation_id, flow_id, self._step_id, str(visit), *part]
        return ActionCall(
            action=action,
            inputs=arguments,
            key="/".join(place),
            user_id=self._context.user_id,
            conversation_id=self._context.conversation_id,
            flow_id=flow_id,
            slots=dict(self._typed),
            session=self._context.session,
            say=self._say,
        )

    def _mask_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        sensitive = self._assistant.is_sensitive
        secrets = [*find_secrets([self._values], sensitive), *self._context.secrets]
        return {
            name: MASK
            if any(map(sensitive, name.split(".")))
            else mask_value(make_recordable(value), secrets, sensitive)
            for name, value in arguments.items()
        }
