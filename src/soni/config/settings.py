"""Settings of an assistant: in YAML, or by environment (`SONI_SETTINGS__LANGUAGE=es`)."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from soni.config.definitions import URL_PATTERN, Config
from soni.config.mcp_server import Mcp
from soni.config.server_settings import Server
from soni.core.addresses import AddressPolicy, read_network
from soni.core.webhook_signature import check_webhook_secret
from soni.limit_strategies import limit_strategies

ENV_PREFIX = "SONI_SETTINGS__"


_HOST = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
_DURATION = re.compile(r"(\d+(?:\.\d+)?) *([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def _read_duration(written: Any) -> Any:
    """Seconds of `90d`, `12h`, `30m` or `45s`."""
    match = _DURATION.fullmatch(written.strip()) if isinstance(written, str) else None
    return written if match is None else float(match[1]) * _SECONDS[match[2]]


Duration = Annotated[float, BeforeValidator(_read_duration), Field(gt=0)]
"""Seconds; `90d`, `12h`, `30m` and `45s` are read too."""


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

    lease_seconds: float = Field(default=30, gt=0, le=3600)
    """After this time without a sign of life a process loses its conversations to others."""

    retention: Duration | None = None
    """How long conversations are kept after their last turn; None: for ever."""

    encryption_key: SecretStr | None = None
    """Encrypts what people say and what actions return. Give it by the environment."""

    encryption_keys: tuple[SecretStr, ...] = ()
    """Several: the first encrypts, all decrypt."""

    def list_keys(self) -> list[SecretStr]:
        """The keys, the one that encrypts first."""
        first = [] if self.encryption_key is None else [self.encryption_key]
        return [*first, *self.encryption_keys]


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

    cache: str | None = Field(default=None, min_length=1)
    """The folder for encoded texts, relative to the assistant's; None: `.soni` in it."""

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
    """Bounds of one turn, and of what its functions may take."""

    max_step_executions: int = Field(default=100, ge=1)
    action_timeout: float = Field(default=30, gt=0, le=3600)
    """Seconds for an action, a validator or a normalizer."""

    max_threads: int = Field(default=64, ge=1, le=1000)
    """How many synchronous functions may run at the same time."""

    tracing: bool = False
    """Whether LangSmith may trace turns, if it is switched on: their course, without values."""


class Conversation(Config):
    """What happens without a request, and without progress."""

    default_flow: str | None = None
    fallback_flow: str | None = None
    session_timeout: float = Field(default=1800, gt=0)
    max_turns_without_progress: int = Field(default=10, ge=1)
    on_no_progress: Literal["handoff", "fallback"] = "handoff"
    while_busy: Literal["wait", "reject", "join"] = "wait"
    """What a message does while another of its conversation is handled: wait for its turn, be
    refused, or be answered together with the others that wait."""


class Collection(Config):
    """Asking for slots."""

    max_attempts: int = Field(default=3, ge=1)


class Handoff(Config):
    """Where people take over."""

    default_queue: str | None = None
    action: str | None = None


class Background(Config):
    """Work beside the conversations, in processes that were asked to do it."""

    sweep_seconds: float = Field(default=60, gt=0)
    """How often tasks are looked for whose session has timed out."""

    retention_seconds: float = Field(default=86400, gt=0)
    """How often it is looked for what has been kept long enough."""

    outcome_seconds: float = Field(default=60, gt=0)
    """How often effects are looked for whose outcome is unknown."""

    outcome_attempts: int = Field(default=10, ge=1)
    """How often an action's `check_outcome` is asked about one effect."""

    webhook_attempts: int = Field(default=10, ge=1)
    """How often an outgoing webhook is sent until it is given up."""

    webhook_secret: Annotated[SecretStr, AfterValidator(check_webhook_secret)] | None = None
    """Signs outgoing webhooks: `whsec_` and base64. Give it by the environment."""

    concurrency: int = Field(default=10, ge=1, le=1000)
    """How many jobs a process runs at the same time."""

    poll_seconds: float = Field(default=1, gt=0, le=3600)
    """How often a process looks for jobs that others have added."""


class Outgoing(Config):
    """Where HTTP of the framework may go: webhooks, MCP servers."""

    allow: tuple[str, ...] = ()
    """Hosts, addresses and networks that may be reached although they are private."""

    allow_private: bool = False
    """Whether every private address may be reached."""

    def make_policy(self) -> AddressPolicy:
        """What decides on addresses."""
        return AddressPolicy.read(self.allow, allow_private=self.allow_private)

    @field_validator("allow")
    @classmethod
    def _check_entries(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        for entry in entries:
            if read_network(entry) is None and not _HOST.fullmatch(entry):
                # What is written is a host: neither a port nor a path belongs to it.
                raise ValueError(f"'{entry}' is no host, address or network such as 10.0.0.0/8")
        return entries


class Limits(Config):
    """Bounds on what comes in: from users, from understanding, from actions."""

    max_message_chars: int = Field(default=4000, ge=1)
    max_commands: int = Field(default=50, ge=1, le=1000)
    """The most commands that a message may have; the others are rejected."""

    max_output_chars: int = Field(default=250_000, ge=1)
    """The most that an action may return, counted as the letters of its values and keys."""


class Observability(Config):
    """What is told of the running assistant: spans and logs. Never what anybody said."""

    tracing: Literal["off", "otlp"] = "off"
    """Spans of OpenTelemetry (the extra `otel`): none, or sent by OTLP over HTTP. An application
    that has set a tracer provider of its own gets them there."""

    endpoint: str = Field(default="http://localhost:4318", pattern=URL_PATTERN)
    """Where spans are sent. OTEL_EXPORTER_OTLP_ENDPOINT and its relatives take precedence."""

    service_name: str = Field(default="soni", min_length=1, max_length=200)
    """The assistant's name in spans. OTEL_SERVICE_NAME takes precedence."""

    sample_ratio: float = Field(default=1, ge=0, le=1)
    """The share of turns that are traced, unless whoever called has decided already."""

    logs: Literal["text", "json"] = "text"
    """How `soni serve` logs: a line for people, or an object of JSON."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"


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
    background: Background = Background()
    outgoing: Outgoing = Outgoing()
    mcp: Mcp = Mcp()
    limits: Limits = Limits()
    server: Server = Server()
    observability: Observability = Observability()
    versions: Literal["follow", "finish"] = "follow"
    """Open tasks go on with changed flows, or end on the flows that they began with."""

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
