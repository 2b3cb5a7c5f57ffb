"""SchemaAdapter: from DSPy signatures to prompts with a cacheable prefix and a JSON schema."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import dspy
from dspy.lm15 import CacheConfig
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from soni.config.settings import Nlu
from soni.du.llm.answer_schema import make_json_schema
from soni.du.llm.grounding import quote_json

_MIN_REASONING_TOKENS: Final = 16_000
"""The least output limit for a reasoning model: its hidden reasoning counts as output."""


@dataclass(frozen=True)
class ModelOptions:
    """The request options that a model accepts."""

    temperature: float | None
    max_tokens: int | None
    bounds: bool
    """Whether the schema of an answer may limit the length of lists."""

    marks: bool
    """Whether the cacheable part of a prompt must be marked. Cached tokens are then counted beside
    the other prompt tokens, not among them.
    """

    @classmethod
    def from_settings(cls, model: str, provider: str | None, settings: Nlu) -> "ModelOptions":
        """The options for a model by its full name, and the provider that DSPy reaches it by."""
        temperature, most = settings.temperature, settings.max_output_tokens
        # DSPy gives the output limit of OpenAI's reasoning models another name.
        thinks = "max_completion_tokens" in dspy.LM(model).kwargs
        return cls(
            # A reasoning model accepts no temperature but 1.
            temperature=temperature if not thinks or temperature == 1 else None,
            max_tokens=most if not thinks or most >= _MIN_REASONING_TOKENS else None,
            # Anthropic refuses them. Others need them: a small model held to a schema may go on
            # with a list for ever.
            bounds=not any(name in model.lower() for name in ("claude", "anthropic")),
            marks="anthropic" in (provider or ""),
        )


class AnswerError(ValueError):
    """The model's answer does not match the schema; its text is for the model."""


class SchemaAdapter(dspy.Adapter):  # type: ignore[misc]
    """Instructions first, examples next, the moment and the message last."""

    def __init__(self, manner: ModelOptions, spend: Callable[[], None]) -> None:
        super().__init__()
        self._manner = manner
        self._spend = spend

    async def acall(
        self,
        lm: dspy.BaseLM,
        lm_kwargs: dict[str, Any],
        signature: type[dspy.Signature],
        demos: list[dict[str, Any]],
        inputs: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Ask for the signature's outputs as JSON by a strict schema."""
        form = {
            "name": signature.__name__,
            "schema": make_json_schema(_make_answer_model(signature), bounds=self._manner.bounds),
            "strict": True,
        }
        asked = {**lm_kwargs, "response_format": {"type": "json_schema", "json_schema": form}}
        if self._manner.marks:
            # The cacheable prefix: the instructions and, if there are any, the examples.
            end = 2 * len(demos) - 1 if demos else None
            asked["prompt_cache"] = CacheConfig(prefix_until_index=end)
        self._spend()
        answers: list[dict[str, Any]] = await super().acall(lm, asked, signature, demos, inputs)
        return answers

    def format(
        self, signature: type[dspy.Signature], demos: list[dict[str, Any]], inputs: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """The messages of a request."""
        messages = [{"role": "system", "content": signature.instructions}]
        for demo in demos:
            outputs = {name: demo[name] for name in signature.output_fields if name in demo}
            messages.append({"role": "user", "content": _format_inputs(demo)})
            messages.append({"role": "assistant", "content": quote_json(outputs, _dump_value)})
        return [*messages, {"role": "user", "content": _format_inputs(inputs)}]

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """The outputs. Raises `AnswerError` if they do not match the schema."""
        try:
            read = _make_answer_model(signature).model_validate_json(completion)
        except ValidationError as error:
            raise AnswerError(_describe_mistake(error)) from error
        return {name: getattr(read, name) for name in signature.output_fields}


def _format_inputs(inputs: dict[str, Any]) -> str:
    lines = [*filter(None, [str(inputs["moment"])]), f"Message: {quote_json(inputs['message'])}"]
    if inputs.get("mistake"):
        # Quoted: it repeats what the model wrote, which a user may have dictated.
        mistake = quote_json(inputs["mistake"])
        lines.append(f"Your last answer was wrong: {mistake}. Answer again.")
    return "\n".join(lines)


def _make_answer_model(signature: type[dspy.Signature]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.rebuild_annotation(), ...) for name, field in signature.output_fields.items()
    }
    return create_model(signature.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _describe_mistake(error: ValidationError) -> str:
    """Where and why, without the values, which may be the user's words."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:3]
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in found)


def _dump_value(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else str(value)


async def ask_model(
    predict: dspy.Predict, output: str, kind: Any, **inputs: Any
) -> dspy.Prediction | None:
    """The model's answer, its output of this type; None if it has the wrong form twice."""
    signature = predict.signature.with_updated_fields(output, type_=kind)
    mistake = ""
    for _ in range(2):
        try:
            return await predict.acall(signature=signature, mistake=mistake, **inputs)
        except AnswerError as wrong:
            mistake = str(wrong)
        except dspy.utils.exceptions.AdapterParseError:
            mistake = "there was no answer"
    return None
