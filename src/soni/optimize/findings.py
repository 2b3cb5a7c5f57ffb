"""The fitted parameters of an understanding, and providers that use them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from soni.config.program import LocalProgram, ModelProgram, Program
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.protocols import NLUProvider
from soni.du.local.limits import NO_TUNING, LocalTuning
from soni.du.local.provider import LocalNLU

if TYPE_CHECKING:
    from soni.du.llm.client import LanguageModel

ProviderName = Literal["local", "llm", "cascade"]
PROVIDER_NAMES: Final[tuple[ProviderName, ...]] = ("local", "llm", "cascade")


@dataclass(frozen=True)
class Findings:
    """The contents of a program."""

    local: LocalProgram | None = None
    llm: ModelProgram | None = None
    threshold: float | None = None

    @classmethod
    def from_program(cls, program: Program | None) -> "Findings":
        """The parameters that an assistant has already."""
        return cls(program.local, program.llm, program.threshold) if program else cls()


class ProviderFactory:
    """Opens providers of an assistant with fitted parameters."""

    def __init__(self, config: SoniConfig, way: str, spend: Callable[[], None]) -> None:
        """Raises `SoniError` for a way that nothing can be learnt for, or that lacks something."""
        if way not in PROVIDER_NAMES:
            raise SoniError(
                f"nothing can be learnt for the provider '{way}'; "
                f"available: {', '.join(PROVIDER_NAMES)}"
            )
        self._settings = config.settings.nlu
        self.way: ProviderName = way
        self._model = None if way == "local" else _open_model(config, spend)

    def open_provider(self, found: Findings) -> NLUProvider:
        """A provider with these parameters."""
        local = LocalNLU(LocalTuning.from_program(found.local) if found.local else NO_TUNING)
        if self._model is None:
            return local
        second = self.open_model_provider(found.llm)
        if self.way == "llm":
            return second
        from soni.du.cascade import CascadeNLU

        threshold = self._settings.choose_threshold(found.threshold)
        return CascadeNLU(local, second, threshold=threshold, timeout=self._settings.timeout)

    def open_model_provider(self, program: ModelProgram | None) -> NLUProvider:
        """The language model alone."""
        from soni.du.llm.passes import Passes
        from soni.du.llm.provider import LanguageModelNLU

        assert self._model is not None, "only asked where there is a model"
        passes = Passes.from_program(program)
        limit = self._settings.prompt_flows
        return LanguageModelNLU(self._model, passes.commands, passes.slots, prompt_flows=limit)

    async def aclose(self) -> None:
        """Close the connections to the model."""
        if self._model is not None:
            await self._model.aclose()


def _open_model(config: SoniConfig, spend: Callable[[], None]) -> "LanguageModel":
    from soni.du.llm import PROVIDER

    PROVIDER(config)  # says what is missing: DSPy, a model, a key
    from soni.du.llm.client import LanguageModel

    # Retries must count as calls, so they are left to whoever measures.
    return LanguageModel(config.settings.nlu.model_copy(update={"retries": 0}), spend)
