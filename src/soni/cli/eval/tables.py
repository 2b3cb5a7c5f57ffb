"""Tables of an evaluation, the same on a page and in a terminal: a head, and rows below it."""

from collections.abc import Sequence

from soni.pages.numbers import format_milliseconds, format_score
from soni.testing.evaluate import Figures
from soni.testing.evaluate.calibration import Calibration
from soni.testing.evaluate.confusions import Confusion

Table = tuple[Sequence[str], Sequence[Sequence[object]]]


def tabulate_types(figures: Figures) -> Table:
    """How well each type of command is understood."""
    rows = [
        (name, each.total_meant, *map(format_score, (each.precision, each.recall, each.f1)))
        for name, each in figures.types.items()
    ]
    return ("command", "meant", "precision", "recall", "F1"), rows


def tabulate_calibration(calibration: Calibration) -> Table:
    """How often an answer is right, by how sure it is."""
    rows = [
        (
            f"{each.low:.1f} to {each.high:.1f}",
            each.count,
            *map(format_score, (each.confidence, each.right)),
        )
        for each in calibration.bins
    ]
    return ("confidence", "sentences", "mean confidence", "right"), rows


def tabulate_confusions(confusions: Sequence[Confusion], *, sentences: bool) -> Table:
    """What was understood in the place of what; with `sentences`, one for each."""
    rows = [
        (each.expected, each.got, each.count, *([each.examples[0].sample.text] * sentences))
        for each in confusions
    ]
    return ("expected", "got", "times", *(["for example"] * sentences)), rows


def tabulate_slowest(figures: Figures) -> Table:
    """The sentences that took longest."""
    rows = [
        (each.sample.text, format_milliseconds(each.seconds), each.sample.place)
        for each in figures.slowest
    ]
    return ("said", "time", "place"), rows
