"""Channels: where people write to an assistant. One module each; its name is the kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from soni.core.discovery import find_offers
from soni.core.errors import ConfigError, Problem
from soni.server.channels.base import Channel
from soni.server.channels.configuration import NAME

GROUP = "soni.channels"
"""The entry-point group under which other packages offer kinds of channels."""

PLACE = ("settings", "server", "channels")


def find_channel_kinds() -> dict[str, type[Channel]]:
    """All kinds there are, by name."""
    what = "a class of channels, with its settings as CONFIG"
    return dict(
        find_offers(__name__, "CHANNEL", GROUP, lambda found: hasattr(found, "CONFIG"), what)
    )


def make_channels(settings: Mapping[str, Any]) -> dict[str, Channel]:
    """The channels of the settings by name, or a `ConfigError` with all that is wrong in them."""
    kinds = find_channel_kinds()
    channels: dict[str, Channel] = {}
    problems: list[Problem] = []
    for name, written in settings.items():
        given = dict(written) if isinstance(written, Mapping) else {}
        kind = kinds.get(str(given.get("kind") or name))
        if not NAME.fullmatch(name):
            reason = f"'{name}' cannot be the name of a channel"
            remedy = "Begin with a lower-case letter; then letters, digits, - and _, at most 40"
            problems.append(Problem(reason, remedy, path=(*PLACE, name)))
        elif kind is None:
            reason = f"there is no kind of channel '{given.get('kind') or name}'"
            remedy = "Name the channel like its kind, or say which it is: `kind: slack`"
            available = tuple(kinds)
            problems.append(Problem(reason, remedy, path=(*PLACE, name), available=available))
        else:
            try:
                channels[name] = kind(name, kind.CONFIG.model_validate(given))
            except ValidationError as error:
                problems += _list_problems(name, kind, error)
    if problems:
        raise ConfigError(problems)
    return channels


def _list_problems(name: str, kind: type[Channel], error: ValidationError) -> list[Problem]:
    # The input is left out: it may be a secret.
    fields = tuple(kind.CONFIG.model_fields)
    return [
        Problem(
            found["msg"],
            path=(*PLACE, name, *found["loc"]),
            available=fields if found["type"] in ("extra_forbidden", "missing") else (),
        )
        for found in error.errors(include_input=False, include_context=False, include_url=False)
    ]
