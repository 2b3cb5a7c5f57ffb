"""A response: what is said, and whether a language model may put it into other words."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import Discriminator, Tag

from soni.config.base import Config
from soni.core.texts import Text


class Response(Config):
    """The longer spelling of a response."""

    text: Text
    rephrase: bool = False
    """The model of the settings puts it into other words each time."""


def _tag_response(raw: Any) -> str:
    longer = isinstance(raw, Mapping) and not raw.keys().isdisjoint(Response.model_fields)
    return "dict[response]" if longer or isinstance(raw, Response) else "str"


# The tags are shaped like the arms of other unions, which is how mistakes find their place.
AnyResponse: TypeAlias = Annotated[
    Annotated[Text, Tag("str")] | Annotated[Response, Tag("dict[response]")],
    Discriminator(_tag_response),
]
