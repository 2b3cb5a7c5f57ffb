"""Finds implementations in the modules of a package and in installed plugins."""

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from soni.core.errors import PluginError


def find_offers(
    package: str, attribute: str, group: str, is_offer: Callable[[Any], bool], what: str
) -> Iterator[tuple[str, Any]]:
    """The objects that the modules of a package and the plugins of a group offer, by name.

    A module offers what stands under `attribute`, or nothing. A plugin's entry point names such a
    module (`percent = soni_percent`) or the object itself (`percent = soni_percent:PERCENT`).
    `is_offer` tests a plugin's object; `what` describes, for the error, what it has to be.
    """
    home = import_module(package)
    for info in sorted(pkgutil.iter_modules(home.__path__), key=lambda found: found.name):
        module = import_module(f"{package}.{info.name}")
        if hasattr(module, attribute):
            yield info.name, getattr(module, attribute)
    for entry in sorted(entry_points(group=group), key=lambda found: found.name):
        yield entry.name, _load_offer(entry, attribute, is_offer, what)


def _load_offer(
    entry: EntryPoint, attribute: str, is_offer: Callable[[Any], bool], what: str
) -> Any:
    try:
        loaded = entry.load()
    except (ImportError, AttributeError) as error:
        remedy = f"Name a module that has {attribute}, or the object itself: `module:NAME`"
        raise _make_plugin_error(entry, f"{error}. {remedy}") from error
    if isinstance(loaded, ModuleType):
        if not hasattr(loaded, attribute):
            there = ", ".join(name for name in vars(loaded) if not name.startswith("_")) or "none"
            reason = f"module '{entry.module}' has no {attribute}"
            remedy = f"Set {attribute} to {what}, or name that object: `module:NAME`"
            raise _make_plugin_error(entry, f"{reason}. {remedy}. Available there: {there}")
        loaded = getattr(loaded, attribute)
    if not is_offer(loaded):
        found = "the class" if isinstance(loaded, type) else "an object of class"
        name = (loaded if isinstance(loaded, type) else type(loaded)).__name__
        raise _make_plugin_error(entry, f"it leads to {found} '{name}'. Let it lead to {what}")
    return loaded


def _make_plugin_error(entry: EntryPoint, reason: str) -> PluginError:
    package = f" of package '{entry.dist.name}'" if entry.dist is not None else ""
    place = f"entry point '{entry.name} = {entry.value}' in group {entry.group}{package}"
    return PluginError(f"{place}: {reason}.")
