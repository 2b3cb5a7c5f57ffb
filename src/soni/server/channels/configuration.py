"""Settings of channels: `settings.server.channels`, a mapping of names to what each needs."""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_core import PydanticCustomError

URL_PATTERN: Final = r"^https?://[^\s?#]+$"
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")


class ChannelConfig(BaseModel):
    """What the settings of every channel have."""

    # A wrong secret must not stand in the error.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    kind: str | None = None
    """The kind of channel, if it is not its name: two Slack apps need two names."""


def _read_secret(written: Any) -> Any:
    """A secret as it is, or the environment variable that `{env: NAME}` names."""
    if not isinstance(written, Mapping):
        return written
    if list(written) != ["env"] or not isinstance(written["env"], str):
        raise PydanticCustomError(
            "secret", "expected a text, or an environment variable: {form}", {"form": "{env: NAME}"}
        )
    found = os.environ.get(written["env"])
    if not found:
        raise PydanticCustomError(
            "secret", "the environment variable {name} is not set. Set it", {"name": written["env"]}
        )
    return found


Secret = Annotated[SecretStr, BeforeValidator(_read_secret), Field(min_length=1)]
"""A text, or `{env: NAME}`: secrets do not belong into files."""

Url = Annotated[str, Field(pattern=URL_PATTERN)]
