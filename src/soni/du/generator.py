"""The text generator that the settings name."""

from soni.config.models import Response, SoniConfig
from soni.core.protocols import TextGenerator
from soni.du.providers import ProviderError


def needs_generator(config: SoniConfig) -> bool:
    """Whether a model is configured, and there is something to write."""
    if config.settings.nlu.model is None:
        return False
    # The knowledge may come from elsewhere than the assistant's own files.
    if config.conversation_patterns.clarification.answers == "model":
        return True
    if any(isinstance(each, Response) and each.rephrase for each in config.responses.values()):
        return True
    steps = [step for flow in config.flows.values() for step in flow.steps]
    while steps:
        step = steps.pop()
        if step.type == "generate" or getattr(step, "rephrase", False):
            return True
        steps.extend(step.children)
    return False


def open_generator(config: SoniConfig) -> TextGenerator:
    """The language model that the settings name, for writing."""
    try:
        from soni.du.llm.generator import ModelGenerator
    except ModuleNotFoundError as missing:
        if missing.name != "dspy":
            raise
        raise ProviderError(
            "settings.nlu.model: texts by a language model need DSPy, which is not installed. "
            "Install it: pip install 'soni[llm]'; or leave the model out: then a `generate` step "
            "says its `fallback`, and everything else is said as it is written."
        ) from missing
    return ModelGenerator.from_config(config)
