"""Settings of `soni serve`: who may use it, and how much."""

from typing import Annotated, Any, Self, TypeAlias

from pydantic import Field, SecretStr, model_validator

from soni.config.definitions import URL_PATTERN, Config


class JwtAuth(Config):
    """Tokens that another system signs for its users."""

    secret: SecretStr | None = Field(default=None, min_length=32)
    """The shared secret of HS256. Give it by the environment."""

    jwks_url: str | None = Field(default=None, pattern=URL_PATTERN)
    """Where the public keys are."""

    audience: str | None = None
    issuer: str | None = None
    role_claim: str = "soni_role"
    """The claim that names a role; without it a token is that of a `client`."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        # Without one of them anybody could sign.
        if (self.secret is None) == (self.jwks_url is None):
            raise ValueError("give either `secret` or `jwks_url`")
        return self


class ServerAuth(Config):
    """Who may use the server. Keys of `soni keys add` are always accepted."""

    anonymous: bool = False
    """Let anybody talk, as on a public page: each with a token of its own, as a `client`. Without
    it that is so only where nobody but this machine can reach the server."""

    jwt: JwtAuth | None = None


class ServerLimits(Config):
    """Bounds on what clients may ask of the server."""

    sockets: int = Field(default=4000, ge=1)
    """Network connections of one process of `soni serve`, whatever they are for."""

    sockets_per_address: int = Field(default=1000, ge=1)
    """Those of one network address; a trusted proxy may have as many as there are."""

    head_seconds: float = Field(default=10, gt=0)
    """How long a client may take to send the head of a request, or to begin with one."""

    stall_seconds: float = Field(default=30, gt=0)
    """How long a client may take nothing of what it is sent."""

    max_body_bytes: int = Field(default=65_536, ge=1024)
    max_history_bytes: int = Field(default=1_048_576, ge=1024)
    """The same for OpenAI's form and AG-UI, whose clients send the whole chat each time."""

    body_seconds: float = Field(default=15, gt=0)
    """How long a client may take to send its body."""

    turn_seconds: float = Field(default=120, gt=0)
    """How long a client is kept waiting for a turn. The turn goes on all the same."""

    concurrent_turns: int = Field(default=64, ge=1)
    """How many turns a process runs at the same time."""

    waiting_turns: int = Field(default=256, ge=0)
    """How many more may wait for their place; others are sent away with `busy`."""

    connections: int = Field(default=2000, ge=1)
    """Event streams and WebSockets that are open at the same time."""

    connections_per_subject: int = Field(default=50, ge=1)
    conversations_per_subject: int = Field(default=10_000, ge=1)
    requests_per_minute: int = Field(default=600, ge=1)
    """Of one subject."""

    requests_per_minute_by_address: int = Field(default=1200, ge=1)
    """Of one network address, whoever is behind it."""


PageText: TypeAlias = str | Annotated[dict[str, str], Field(min_length=1)]
"""A text, or one per language."""


class ChatPage(Config):
    """How the chat page and the widget look, and what they begin with."""

    title: PageText | None = None
    """The assistant's name; without it the name of its folder."""

    greeting: PageText | None = None
    """Shown before anything was said."""

    suggestions: tuple[PageText, ...] = Field(default=(), max_length=6)
    """What people may begin with: pressed, it is sent as their message."""

    languages: tuple[str, ...] = ()
    """Languages to switch between, such as `[en, es]`; without them there is no switch."""

    accent: str | None = Field(default=None, pattern=r"^#[0-9a-fA-F]{6}$")
    """The colour of buttons and of what the user says: `"#0b6e4f"`."""

    radius: int | None = Field(default=None, ge=0, le=24)
    """How round corners are, in pixels."""

    font: str | None = Field(default=None, pattern=r"^[\w ,\"'-]{1,200}$")
    """Families of fonts that devices have, as CSS names them."""

    logo: str | None = Field(default=None, pattern=r"^(https://|data:image/(png|svg\+xml|webp);)")
    """The address of a square picture."""


class Server(Config):
    """`soni serve`."""

    auth: ServerAuth = ServerAuth()
    limits: ServerLimits = ServerLimits()
    channels: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Messaging services by name; docs/channels.md says what each takes."""

    allowed_origins: tuple[str, ...] = ()
    """Pages of other sites that may call the API: `https://shop.example`."""

    page: ChatPage = ChatPage()
    trusted_proxies: tuple[str, ...] = ()
    """Addresses whose `X-Forwarded-For` is believed."""
