"""Understanding by a language model (the extra `llm`): DSPy, two passes, typed answers."""

from soni.config.models import SoniConfig
from soni.du.llm.provider import LanguageModelNLU
from soni.du.providers import ProviderError

__all__ = ["PROVIDER", "LanguageModelNLU"]


def PROVIDER(config: SoniConfig) -> LanguageModelNLU:  # noqa: N802
    """The provider for an assistant, if DSPy is installed."""
    try:
        return LanguageModelNLU.from_config(config)
    except ModuleNotFoundError as missing:
        if missing.name != "dspy":
            raise
        raise ProviderError(
            f"settings.nlu.provider: '{config.settings.nlu.provider}' needs DSPy, which is not "
            "installed. Install it: pip install 'soni[llm]'."
        ) from missing
