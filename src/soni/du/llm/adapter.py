"""Between signatures and the model: a prompt that begins alike every time, an answer by schema."""

from collections.abc import Callable
from typing import Any

import dspy
from dspy.lm15 import CacheConfig
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from soni.du.llm.manner import Manner
from soni.du.llm.quotation import quotation
from soni.du.llm.shapes import schema_of


class AnswerError(ValueError):
    """The model's answer does not have the form that was asked for."""

    def __init__(self, mistake: str) -> None:
        super().__init__(mistake)
        self.mistake = mistake
        """What is wrong with it, for the model to read."""


class SchemaAdapter(dspy.Adapter):  # type: ignore[misc]
    """Instructions first, examples next, the moment and the message last."""

    def __init__(self, manner: Manner, spend: Callable[[], None]) -> None:
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
        """Ask for the signature's outputs, and for nothing else."""
        form = {
            "name": signature.__name__,
            "schema": schema_of(_make_answer_model(signature), bounds=self._manner.bounds),
            "strict": True,
        }
        asked = {**lm_kwargs, "response_format": {"type": "json_schema", "json_schema": form}}
        if self._manner.marks:
            asked["prompt_cache"] = _make_cache_config(demos)
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
            messages.append({"role": "assistant", "content": quotation(outputs, _dump)})
        return [*messages, {"role": "user", "content": _format_inputs(inputs)}]

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """The outputs; `AnswerError` if they are not what was asked for."""
        try:
            read = _make_answer_model(signature).model_validate_json(completion)
        except ValidationError as error:
            raise AnswerError(_mistake(error)) from error
        return {name: getattr(read, name) for name in signature.output_fields}


def _format_inputs(inputs: dict[str, Any]) -> str:
    lines = [*filter(None, [str(inputs["moment"])]), f"Message: {quotation(inputs['message'])}"]
    if inputs.get("mistake"):
        # It names what the model wrote, and that may be what a person told it to write.
        mistake = quotation(inputs["mistake"])
        lines.append(f"Your last answer was wrong: {mistake}. Answer again.")
    return "\n".join(lines)


def _make_cache_config(demos: list[dict[str, Any]]) -> CacheConfig:
    """What is the same in every prompt: instructions and, if there are any, examples."""
    return CacheConfig(prefix_until_index=2 * len(demos) - 1) if demos else CacheConfig()


def _make_answer_model(signature: type[dspy.Signature]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.rebuild_annotation(), ...) for name, field in signature.output_fields.items()
    }
    return create_model(signature.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _mistake(error: ValidationError) -> str:
    """Where and why, without the values: those were the model's, or the person's."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:3]
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in found)


def _dump(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else str(value)
