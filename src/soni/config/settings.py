"""Settings of an assistant: in YAML, or by environment (`SONI_SETTINGS__LANGUAGE=es`)."""

from typing import Any, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from soni.config.definitions import Config
from soni.limit_strategies import limit_strategies

ENV_PREFIX = "SONI_SETTINGS__"
URL_PATTERN = r"^https?://"


class FlowManagement(Config):
    """How many tasks may be open, and what happens beyond."""

    max_stack_depth: int = Field(default=3, ge=1, le=100)
    on_limit_reached: str = "cancel_oldest"
    """The name of a strategy in `soni.limit_strategies`."""

    @field_validator("on_limit_reached")
    @classmethod
    def _check_strategy(cls, name: str) -> str:
        available = sorted(limit_strategies())
        if name not in available:
            context = {"kind": name, "available": available}
            message = "unknown limit strategy '{kind}'"
            raise PydanticCustomError("limit_strategy", message, context)
        return name


class MemoryManagement(Config):
    """How much of the past the state keeps; the journal keeps all."""

    max_completed_flows: int = Field(default=10, ge=0)
    max_history_messages: int = Field(default=50, ge=0)
    max_trace_events: int = Field(default=100, ge=0)
    max_logged_commands: int = Field(default=200, ge=0)


class Persistence(Config):
    """Where conversations are kept."""

    backend: str = "memory"
    url: str | None = None
    """None: the backend's own place; for sqlite, `.soni/conversations.db` beside the YAML."""


class Prices(Config):
    """What a million tokens cost, in any currency."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """The price of cached input; None: the price of other input."""


class Nlu(Config):
    """How messages are understood."""

    provider: str = "local"
    timeout: float = Field(default=30, gt=0, le=3600)
    """Seconds until a message counts as not understood."""

    max_flows: int = Field(default=100, ge=1)
    """The most flows given to the understanding; of more, those nearest to the message."""

    model: str | None = Field(default=None, min_length=1)
    """The language model, as `provider/name`; with `base_url` the name alone is enough."""

    base_url: str | None = Field(default=None, pattern=URL_PATTERN)
    """An OpenAI-compatible server, or another address of the provider."""

    api_key_env: str | None = Field(default=None, min_length=1)
    """The environment variable with the key; not given: the provider's usual one."""

    temperature: float | None = Field(default=0, ge=0, le=2)
    """None: not sent, for models that accept none."""

    max_output_tokens: int = Field(default=1000, ge=16)
    retries: int = Field(default=2, ge=0, le=10)
    """How often a request is repeated if the model is unreachable or busy."""

    prompt_flows: int = Field(default=10, ge=1)
    """The most flows in one prompt; of more, those nearest to the message."""

    prices: Prices | None = None
    threshold: float = Field(default=0.85, ge=0, le=1)
    """Cascade: below this confidence of the offline understanding, the model is asked."""

    program: str | None = Field(default=None, min_length=1)
    """A file that `soni optimize` wrote, relative to the assistant's folder."""

    @property
    def sets_threshold(self) -> bool:
        """Whether the threshold is written, in a file or in the environment."""
        return "threshold" in self.model_fields_set

    def choose_threshold(self, learnt: float | None) -> float:
        """The threshold in use: a configured one takes precedence over a learnt one."""
        return self.threshold if learnt is None or self.sets_threshold else learnt


class RuntimeLimits(Config):
    """Bounds of one turn."""

    max_step_executions: int = Field(default=100, ge=1)
    action_timeout: float = Field(default=30, gt=0, le=3600)


class Conversation(Config):
    """What happens without a request, and without progress."""

    default_flow: str | None = None
    fallback_flow: str | None = None
    session_timeout: float = Field(default=1800, gt=0)
    max_turns_without_progress: int = Field(default=10, ge=1)
    on_no_progress: Literal["handoff", "fallback"] = "handoff"


class Collection(Config):
    """Asking for slots."""

    max_attempts: int = Field(default=3, ge=1)


class Handoff(Config):
    """Where people take over."""

    default_queue: str | None = None
    action: str | None = None


class Limits(Config):
    """Bounds on what comes in."""

    max_message_chars: int = Field(default=4000, ge=1)


class Settings(BaseSettings):
    """Everything that is not about one flow, slot or action."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    language: str = "en"
    flow_management: FlowManagement = FlowManagement()
    memory_management: MemoryManagement = MemoryManagement()
    persistence: Persistence = Persistence()
    nlu: Nlu = Nlu()
    runtime: RuntimeLimits = RuntimeLimits()
    conversation: Conversation = Conversation()
    collection: Collection = Collection()
    handoff: Handoff = Handoff()
    limits: Limits = Limits()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment decides over the file: it is what differs between machines."""
        return env_settings, init_settings

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Settings) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]
