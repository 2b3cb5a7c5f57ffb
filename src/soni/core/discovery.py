"""Finding the kinds of a thing: the modules of a folder, and what other packages register."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType


def modules_of(
    package: ModuleType | str, *, apart: frozenset[str] = frozenset()
) -> Iterator[ModuleType]:
    """Every module of `package` but those `apart`, by name: one file is one kind."""
    home = import_module(package) if isinstance(package, str) else package
    for info in sorted(pkgutil.iter_modules(home.__path__), key=lambda found: found.name):
        if info.name not in apart:
            yield import_module(f"{home.__name__}.{info.name}")


def plugins_of(group: str) -> Iterator[ModuleType]:
    """Modules that installed packages offer under the entry-point `group`."""
    for entry in sorted(entry_points(group=group), key=lambda found: found.name):
        yield entry.load()
