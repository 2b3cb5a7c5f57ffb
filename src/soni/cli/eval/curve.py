"""Shows the accuracy of a cascade by the number of model calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from soni.cli.text import print_lines, show_table
from soni.pages.numbers import format_share
from soni.testing.evaluate.curve import TOLERANCE, USUAL_THRESHOLD, Curve, Point

HEAD: Final = ("threshold", "needs the model", "exact")
_ROWS: Final = 11
_BAR_WIDTH: Final = 40


@dataclass(frozen=True)
class CurveView:
    """A curve, with the point on it that is proposed."""

    curve: Curve
    target: float | None

    @property
    def proposal(self) -> Point | None:
        """The proposed point."""
        return self.curve.propose_point(self.target)

    @property
    def points(self) -> list[Point]:
        """Those to be shown."""
        return self.curve.choose_points(_ROWS, [self.proposal] if self.proposal else [])

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The points as a table."""
        return [
            (f"{each.threshold:g}", format_share(each.asked.value), format_share(each.right.value))
            for each in self.points
        ]

    @property
    def explanation(self) -> Sequence[str]:
        """What the curve is of, and what to do with it."""
        who = "a model that is never wrong" if self.curve.perfect else "both asked about everything"
        return f"A cascade, {who}.", self._proposal_text

    @property
    def _proposal_text(self) -> str:
        point, best, failed = self.proposal, self.curve.best, self.curve.failed
        if failed:
            told = "one sentence" if failed == 1 else f"{failed} sentences"
            return f"The model had no answer to {told}, left out here: no threshold is proposed."
        if point is None:
            reached = f"{format_share(best.right.value)} at best, with threshold {best.threshold:g}"
            goal = format_share(self.curve.compute_goal(self.target))
            return f"No threshold reaches {goal}: {reached}."
        if self.curve.needless and point.threshold == USUAL_THRESHOLD:
            return (
                "All is exact without the model: these sentences do not need it. Proposed: "
                f"keep the default, settings.nlu.threshold: {USUAL_THRESHOLD:g}"
            )
        told = (
            f"{format_share(point.asked.value)} of the sentences need the model for "
            f"{format_share(point.right.value)} exact"
        )
        if self.target is None and not self.curve.perfect:
            told += f", {100 * TOLERANCE:g} point or less below the best there is"
        if not self.curve.perfect and point.asked.count <= self.curve.points[0].asked.count:
            return f"{told}. The model brings nothing more: settings.nlu.threshold: 0"
        return f"{told}. Proposed: settings.nlu.threshold: {point.threshold:g}"


def show_curve(drawn: CurveView, console: Console) -> None:
    """The curve on a terminal, or in a pipe, and the proposal."""
    console.print()
    rows: list[tuple[str, ...]] = list(drawn.rows)
    head: tuple[str, ...] = HEAD
    if console.is_terminal:
        head = (*HEAD, "")
        # What is exact, a line for 100 %.
        bars = ("█" * round(_BAR_WIDTH * (each.right.value or 0.0)) for each in drawn.points)
        rows = [(*row, bar) for row, bar in zip(drawn.rows, bars, strict=True)]
    first, *rest = drawn.explanation
    show_table(console, first.rstrip("."), head, rows)
    print_lines(console, (Text(line, "bold") for line in rest))
