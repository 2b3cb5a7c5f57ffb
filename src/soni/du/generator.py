"""Who writes texts, by the settings."""

from soni.config.models import SoniConfig
from soni.core.protocols import TextGenerator
from soni.du.providers import ProviderError


def needs_generator(config: SoniConfig) -> bool:
    """Whether a model is configured, and a step has something to write."""
    if config.settings.nlu.model is None:
        return False
    steps = [step for flow in config.flows.values() for step in flow.steps]
    while steps:
        step = steps.pop()
        if step.type == "generate":
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
            "settings.nlu.model: a `generate` step needs DSPy, which is not installed. "
            "Install it: pip install 'soni[llm]'; or leave the model out, and the step's "
            "`fallback` is said."
        ) from missing
    return ModelGenerator.of(config)
