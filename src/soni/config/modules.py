"""Imports an assistant's `actions.py` or `actions/` under a module name of its own."""

import importlib
import pkgutil
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, Final

from soni.config.files import leads_outside
from soni.core.errors import Problem
from soni.decorators import Functions, collect_functions

# Concurrent loads of one folder would remove each other's modules.
_IMPORT_LOCK: Final = RLock()


class ActionsError(Exception):
    """The assistant's functions cannot be imported; holds the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def load_functions(folder: Path) -> Functions:
    """Import an assistant's Python afresh and return its marked functions.

    Raises `ActionsError`.
    """
    home = _find_actions_file(folder)
    if home is None:
        return Functions()
    _check_inside(folder, home)
    digest = blake2b(str(folder.resolve()).encode("utf-8", "surrogateescape"), digest_size=8)
    name = f"_soni_assistant_{digest.hexdigest()}"
    with _IMPORT_LOCK:
        if name in sys.modules:
            _forget_module(name)
        try:
            with _find_modules_in(name, home):
                return collect_functions(_list_members(importlib.import_module(name)))
        except (Exception, SystemExit) as error:
            _forget_module(name)
            raise ActionsError(_make_problem(error, folder, home)) from error


def _find_actions_file(folder: Path) -> Path | None:
    module, package = folder / "actions.py", folder / "actions" / "__init__.py"
    if module.is_file() and package.is_file():
        message = "there is both an actions.py and a package actions/"
        raise ActionsError(Problem(message, "keep one of the two", file="actions.py", code="E512"))
    if module.is_file():
        return module
    if package.is_file():
        return package
    if next((folder / "actions").glob("*.py"), None) is not None:
        message = "the folder actions/ is not a package"
        remedy = "add an empty actions/__init__.py"
        raise ActionsError(Problem(message, remedy, file="actions", code="E512"))
    return None


def _check_inside(folder: Path, home: Path) -> None:
    for file in [home, *(home.parent.rglob("*") if home.name == "__init__.py" else ())]:
        if leads_outside(file, folder):
            message = "this is a link that leads out of the assistant's folder"
            remedy = "put the file itself into the folder"
            shown = file.relative_to(folder).as_posix()
            raise ActionsError(Problem(message, remedy, file=shown, code="E145"))


def _list_members(module: ModuleType) -> list[Any]:
    """What a module holds; for a package, what its modules hold too."""
    modules = [module]
    for info in pkgutil.iter_modules(getattr(module, "__path__", [])):
        modules.append(importlib.import_module(f"{module.__name__}.{info.name}"))
    return [member for each in modules for member in vars(each).values()]


def _forget_module(name: str) -> None:
    # Copied, because other threads may import at the same time.
    for known in [key for key in list(sys.modules) if key == name or key.startswith(f"{name}.")]:
        sys.modules.pop(known, None)


class _UncachedLoader(SourceFileLoader):
    """Always compiles the source: cached bytecode may be older than an edit within a second."""

    def path_stats(self, path: Any) -> Any:
        raise OSError(f"no bytecode is kept for {path}")


class _Finder(MetaPathFinder):
    """Finds one assistant's modules, and nothing else."""

    def __init__(self, name: str, home: Path) -> None:
        self.name = name
        self.home = home

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == self.name:
            inside = [str(self.home.parent)] if self.home.name == "__init__.py" else None
            return spec_from_file_location(
                fullname,
                self.home,
                loader=_UncachedLoader(fullname, str(self.home)),
                submodule_search_locations=inside,
            )
        if not fullname.startswith(f"{self.name}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _UncachedLoader(fullname, str(spec.origin))
            spec.cached = None
        return spec


@contextmanager
def _find_modules_in(name: str, home: Path) -> Iterator[None]:
    finder = _Finder(name, home)
    importlib.invalidate_caches()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _make_problem(error: BaseException, folder: Path, home: Path) -> Problem:
    file, line, column = str(home), None, None
    if isinstance(error, SyntaxError) and error.filename and _is_inside(folder, error.filename):
        file, line, column = error.filename, error.lineno, error.offset
        said = error.msg
    else:
        said = str(error)
        for frame in traceback.extract_tb(error.__traceback__):
            if _is_inside(folder, frame.filename):
                file, line = frame.filename, frame.lineno
    cause = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return Problem(
        f"{home.relative_to(folder).as_posix()} cannot be imported: {cause}",
        remedy="correct it; until then no action, validator or normalizer is known",
        file=Path(file).relative_to(folder).as_posix(),
        line=line,
        column=column or None,
        source=_read_line(Path(file), line),
        code="E511",
    )


def _is_inside(folder: Path, file: str) -> bool:
    return Path(file).is_relative_to(folder)


def _read_line(file: Path, number: int | None) -> str | None:
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    return lines[number - 1] if number and number <= len(lines) else None
