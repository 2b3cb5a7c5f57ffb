"""Finding the kinds of a thing: the modules of a folder, and what other packages register."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any


def offers_of(package: str, attribute: str, group: str) -> Iterator[Any]:
    """What the modules of a folder, and plugins of an entry-point group, offer by that name."""
    for module in (*modules_of(package), *plugins_of(group)):
        if hasattr(module, attribute):
            yield getattr(module, attribute)


def modules_of(package: str) -> Iterator[ModuleType]:
    """Every module of a package, by name: one file is one kind."""
    home = import_module(package)
    for info in sorted(pkgutil.iter_modules(home.__path__), key=lambda found: found.name):
        yield import_module(f"{home.__name__}.{info.name}")


def plugins_of(group: str) -> Iterator[ModuleType]:
    """Modules that installed packages offer under an entry-point group."""
    for entry in sorted(entry_points(group=group), key=lambda found: found.name):
        yield entry.load()
