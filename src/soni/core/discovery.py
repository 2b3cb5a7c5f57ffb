"""Finds implementations in the modules of a package and in installed plugins."""

import ast
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from soni.core.errors import PluginError


@dataclass(frozen=True)
class Kind:
    """A kind of implementation that settings name: where it is looked for."""

    package: str
    attribute: str
    group: str

    def is_offered(self, name: str) -> bool:
        """Whether there is one of that name."""
        return _offers_attribute(self, name) or name in _list_plugins(self.group)

    def list_names(self) -> list[str]:
        """The names of all there are."""
        modules = (found.name for found in pkgutil.iter_modules(_find_places(self.package)))
        own = {name for name in modules if _offers_attribute(self, name)}
        return sorted(own | _list_plugins(self.group))


STORES: Final = Kind("soni.persistence", "STORE", "soni.stores")
PROVIDERS: Final = Kind("soni.du", "PROVIDER", "soni.providers")


@lru_cache
def _offers_attribute(kind: Kind, name: str) -> bool:
    """Whether a module of the package defines the attribute, by its text.

    It is not imported: it may belong to a higher layer, or need a library that is not there.
    """
    if not name.isidentifier():
        return False
    for info in pkgutil.iter_modules(_find_places(kind.package)):
        spec = info.module_finder.find_spec(name, None) if info.name == name else None
        if spec is not None and spec.loader is not None:
            source = getattr(spec.loader, "get_source", lambda _: None)(name)
            return source is None or kind.attribute in _list_defined_names(source)
    return False


def _find_places(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or ()) if spec is not None else []


def _list_defined_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign):
            names.update(each.id for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


def _list_plugins(group: str) -> set[str]:
    return {entry.name for entry in _find_entry_points(group)}


def _find_entry_points(group: str) -> EntryPoints:
    return _read_entry_points(group, tuple(sys.path))


@lru_cache
def _read_entry_points(group: str, path: tuple[str, ...]) -> EntryPoints:
    """The entry points on `path`. They are kept: all installed packages are read to find them."""
    return entry_points(group=group)


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
    for entry in sorted(_find_entry_points(group), key=lambda found: found.name):
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
