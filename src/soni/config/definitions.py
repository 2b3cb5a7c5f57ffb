"""The base of configuration models, and the models of actions, knowledge and responses."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from soni.core.texts import Text

URL_PATTERN: Final = r"^https?://"


class Config(BaseModel):
    """Base of configuration models: unknown keys are refused, values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class McpTool(Config):
    """A tool of a server in `settings.mcp.servers`."""

    server: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    idempotency_key: str | None = Field(default=None, min_length=1)
    """The tool's input that gets the key of the effect, by which the server knows a repetition."""


class ActionConfig(Config):
    """The contract of an action. Without one, the function's parameters are the inputs."""

    description: str = ""
    inputs: tuple[str, ...] | None = None
    """Slot names; a trailing `?` makes one optional. None: the function's parameters, or the
    inputs of the tool."""

    outputs: tuple[str, ...] | None = None
    """Slots it fills. None: whatever it returns."""

    mcp: McpTool | None = None
    """The tool that does it, in place of a function."""

    repeatable: bool = False
    """May run again when an input is corrected."""

    confirm: bool = False
    """Runs only behind a confirm's yes."""

    check_outcome: str | None = None
    """An action that finds out whether this one was done when nobody knows: it gets `ctx` with
    the same idempotency key, and returns `done`: true, false or null."""


class KnowledgeEntry(Config):
    """One answer and the questions that it answers."""

    question: Text
    """One way to ask, or several, or either per language."""

    answer: Text
    """What is said; `{name}` is replaced as in every text."""

    flow: str | None = None
    """Answers only while this flow or one that it called runs; preferred to general entries."""

    when: str | None = None
    """Only while this holds."""

    @property
    def id(self) -> str:
        """A digest of the content, so that an external store can keep it."""
        content = self.model_dump_json().encode("utf-8", "surrogatepass")
        return blake2b(content, digest_size=8).hexdigest()


class Response(Config):
    """The longer spelling of a response."""

    text: Text
    rephrase: bool = False
    """The model of the settings puts it into other words each time."""


def _tag_response(raw: Any) -> str:
    longer = isinstance(raw, Mapping) and not raw.keys().isdisjoint(Response.model_fields)
    return "dict[response]" if longer or isinstance(raw, Response) else "str"


# Tags look like the arms of other unions in pydantic's paths, so that errors are located.
AnyResponse: TypeAlias = Annotated[
    Annotated[Text, Tag("str")] | Annotated[Response, Tag("dict[response]")],
    Discriminator(_tag_response),
]
