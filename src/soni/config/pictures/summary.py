"""What a step says or does, in one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from soni.config.assistant import Assistant
from soni.core.texts import choose
from soni.steps import StepConfig


@dataclass(frozen=True)
class Summary:
    """Sums steps up, texts in the assistant's language."""

    assistant: Assistant

    def of(self, step: StepConfig) -> str:
        """What the step names, then what it says."""
        return ": ".join(part for part in (self._main(step), self._quote_text_of(step)) if part)

    def _main(self, step: StepConfig) -> str:
        called = [use.action for use in step.calls()]
        if called:
            return ", ".join(called)
        main = getattr(step, step.main)
        if step.main == "message" or main is None:
            return str(next(self._instead(step), ""))
        if isinstance(main, dict):
            return ", ".join(f"{name} = {value}" for name, value in main.items())
        if isinstance(main, tuple):
            return ", ".join(str(part) for part in main)
        return main if isinstance(main, str) else ""

    def _instead(self, step: StepConfig) -> Iterator[Any]:
        """The fields that stand for the main one where it is missing."""
        for field in ("input", "response"):
            value = getattr(step, field, None)
            if value is not None:
                yield value

    def _quote_text_of(self, step: StepConfig) -> str:
        text = getattr(step, "message", None)
        if text is None and step.collects:
            names = [ref.value for ref in step.refs() if ref.kind == "slot" and ref.writes]
            prompts = (self.assistant.slot(name).prompt for name in names)
            text = next((prompt for prompt in prompts if prompt is not None), None)
        return "" if text is None else choose(text, self.assistant.config.settings.language, "")
