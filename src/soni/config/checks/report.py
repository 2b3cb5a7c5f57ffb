"""Report: collects the problems that checks find."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal

from soni.config.guard import MAX_PROBLEMS
from soni.config.positions import Mark, Path, Positions
from soni.core.errors import Problem, clip, find_nearest

TEST_CODE: Final = "E701"
"""The code of problems that occur only in conversation tests."""


class Report:
    """Collects problems, each located in the author's files."""

    def __init__(
        self, positions: Positions | None, *, functions_known: bool = True, code: str = TEST_CODE
    ) -> None:
        self.problems: list[Problem] = []
        self.functions_known = functions_known
        self._positions = positions
        self._code = code

    def add(
        self,
        path: Path,
        message: str,
        *,
        code: str | None = None,
        remedy: str | None = None,
        available: Iterable[str] = (),
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
        hide_source: bool = False,
    ) -> None:
        """A problem at a path of the models; `part` is (value, offset, length) within a text.

        With `hide_source` the line is not shown, because it holds a secret.
        """
        if self.full:
            return
        names, code = tuple(available), code or self._code
        if self._positions is None:
            problem = Problem(message, remedy, path=path, available=names, code=code)
        else:
            problem = self._positions.make_problem(
                path, message, code=code, on=on, part=part, remedy=remedy, available=names
            )
        self.problems.append(replace(problem, source=None) if hide_source else problem)

    @property
    def full(self) -> bool:
        """Whether the limit is reached: nobody reads more problems at once."""
        return len(self.problems) >= MAX_PROBLEMS

    @property
    def sound(self) -> bool:
        """Whether nothing but warnings was found."""
        return all(problem.severity == "warning" for problem in self.problems)

    def add_unknown(
        self,
        path: Path,
        what: str,
        name: str,
        names: Iterable[str],
        *,
        code: str | None = None,
        remedy: str,
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
    ) -> None:
        """Add an unknown name; `remedy` is used if no known name is similar."""
        if self.full:
            return
        message, known = f"unknown {what} '{clip(name)}'", sorted(set(names))
        remedy = find_nearest(name, known) or remedy
        self.add(path, message, code=code, remedy=remedy, available=known, on=on, part=part)

    def describe_line(self, path: Path) -> str:
        """`in line 3`, or the path where there are no lines."""
        mark = self._find_mark(path)
        if mark is None:
            return f"at {'.'.join(str(part) for part in path)}"
        return f"in line {mark.source.locate(mark.start)[0]}"

    def describe_place(self, path: Path) -> str:
        """`in knowledge/cards.yaml:3`, or the path where there are no files."""
        mark = self._find_mark(path)
        if mark is None:
            return self.describe_line(path)
        return f"in {mark.source.file}:{mark.source.locate(mark.start)[0]}"

    def _find_mark(self, path: Path) -> Mark | None:
        if self._positions is None:
            return None
        return self._positions.find_mark(self._positions.find_written(path))
