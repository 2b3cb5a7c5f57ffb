"""Report: collects the problems that checks find."""

from collections.abc import Iterable
from typing import Final, Literal

from soni.config.guard import MAX_PROBLEMS
from soni.config.positions import Mark, Path, Positions
from soni.core.errors import Problem, clip, find_nearest

IN_A_TEST: Final = "E701"
"""The code of problems that occur only in conversation tests."""


class Report:
    """Collects problems, each located in the author's files."""

    def __init__(self, positions: Positions | None, *, functions_known: bool = True) -> None:
        self.problems: list[Problem] = []
        self.functions_known = functions_known
        self._positions = positions

    def add(
        self,
        path: Path,
        message: str,
        *,
        code: str = IN_A_TEST,
        remedy: str | None = None,
        available: Iterable[str] = (),
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
    ) -> None:
        """A problem at a path of the models; `part` is (value, offset, length) within a text."""
        if self.full:
            return
        names = tuple(available)
        if self._positions is None:
            problem = Problem(message, remedy, path=path, available=names, code=code)
        else:
            problem = self._positions.problem(
                path, message, code=code, on=on, part=part, remedy=remedy, available=names
            )
        self.problems.append(problem)

    @property
    def full(self) -> bool:
        """Whether the limit is reached: nobody reads more problems at once."""
        return len(self.problems) >= MAX_PROBLEMS

    @property
    def sound(self) -> bool:
        """Whether nothing but warnings was found."""
        return all(problem.severity == "warning" for problem in self.problems)

    def unknown(
        self,
        path: Path,
        what: str,
        name: str,
        names: Iterable[str],
        *,
        code: str = IN_A_TEST,
        remedy: str,
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
    ) -> None:
        """Add an unknown name; `remedy` is used if no known name is similar."""
        if self.full:
            return
        known = sorted(set(names))
        self.add(
            path,
            f"unknown {what} '{clip(name)}'",
            code=code,
            remedy=find_nearest(name, known) or remedy,
            available=known,
            on=on,
            part=part,
        )

    def line_of(self, path: Path) -> str:
        """`in line 3`, or the path where there are no lines."""
        mark = self._mark(path)
        if mark is None:
            return f"at {'.'.join(str(part) for part in path)}"
        return f"in line {mark.source.place(mark.start)[0]}"

    def place_of(self, path: Path) -> str:
        """`in knowledge/cards.yaml:3`, or the path where there are no files."""
        mark = self._mark(path)
        if mark is None:
            return self.line_of(path)
        return f"in {mark.source.file}:{mark.source.place(mark.start)[0]}"

    def _mark(self, path: Path) -> Mark | None:
        return self._positions.mark(self._positions.get_written(path)) if self._positions else None
