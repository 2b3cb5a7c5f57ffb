"""Providers of understanding by name: a module of this folder each, or an entry point."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import cast

import soni.du as home
from soni.config.models import SoniConfig
from soni.core.discovery import PROVIDERS, find_offers
from soni.core.errors import SoniError
from soni.core.protocols import NLUProvider

GROUP = PROVIDERS.group
"""The entry-point group under which other packages offer provider modules."""

SCRIPTED = "scripted"
# A script cannot be written in the settings.
_SCRIPTED_REASON = (
    f"'{SCRIPTED}' is for tests, which bring the script: `soni test DIR --nlu {SCRIPTED}`, or "
    "`RuntimeLoop(config, nlu=ScriptedNLU([...]))` with soni.testing."
)

Factory = Callable[[SoniConfig], NLUProvider]


class ProviderError(SoniError):
    """There is no such provider, or it lacks something."""


def open_provider(config: SoniConfig, name: str | None = None) -> NLUProvider:
    """The provider that the settings name, or another one."""
    name = name or config.settings.nlu.provider
    # Only this module is imported: another provider may need a library that is not installed.
    if name in {found.name for found in pkgutil.iter_modules(home.__path__)}:
        factory = getattr(import_module(f"{home.__name__}.{name}"), "PROVIDER", None)
    else:
        factory = _load_factories().get(name)
    if factory is None:
        available = ", ".join(sorted(_load_factories()))
        reason = _SCRIPTED_REASON if name == SCRIPTED else f"there is no provider '{name}'."
        raise ProviderError(f"settings.nlu.provider: {reason} Available: {available}.")
    return cast(Factory, factory)(config)


def _load_factories() -> dict[str, Factory]:
    return dict(
        find_offers(home.__name__, "PROVIDER", GROUP, callable, "a function of a SoniConfig")
    )
