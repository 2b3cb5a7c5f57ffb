"""Understanding in two stages: offline first, then a language model."""

from soni.config.models import SoniConfig
from soni.du.cascade.provider import CascadeNLU
from soni.du.llm import PROVIDER as LANGUAGE_MODEL
from soni.du.local.provider import LocalNLU
from soni.du.program import load_program

__all__ = ["PROVIDER", "CascadeNLU"]


def PROVIDER(config: SoniConfig) -> CascadeNLU:  # noqa: N802
    """The provider for an assistant: offline first, then the model that the settings name."""
    settings, program = config.settings.nlu, load_program(config)
    return CascadeNLU(
        LocalNLU.from_config(config),
        LANGUAGE_MODEL(config),
        threshold=settings.choose_threshold(program.threshold if program else None),
        timeout=settings.timeout,
    )
