"""An evaluation as one page that needs nothing else: no network, no script."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from soni.cli.eval import tables
from soni.cli.eval.curve import HEAD, CurveView
from soni.pages.numbers import (
    format_interval,
    format_milliseconds,
    format_score,
    format_share,
    format_time,
)
from soni.pages.page import Html, render_cards, render_page, render_section, render_table
from soni.pages.plots import Dot, Series, draw_columns, draw_dots, draw_matrix, draw_stacked_bars
from soni.testing.evaluate import Figures
from soni.testing.evaluate.calibration import Calibration

_GROUPS = 24


def render_evaluation(
    figures: Figures,
    name: str,
    made: datetime,
    curve: CurveView | None = None,
    *,
    sentences: bool = True,
) -> str:
    """The whole page; without `sentences` nothing that anybody said is on it."""
    exact = figures.exact
    subtitle = (
        f"{exact.count} of {exact.total} sentences exact {format_interval(exact.interval)}. "
        f"Made {format_time(made)}."
    )
    body = _render_body(figures, curve, sentences=sentences)
    return render_page(f"Understanding {name}", subtitle, *body)


def _render_body(figures: Figures, curve: CurveView | None, *, sentences: bool) -> Iterator[Html]:
    yield _render_cards(figures)
    yield _render_types(figures)
    yield from _render_confusions(figures, sentences=sentences)
    yield _render_calibration(figures.calibration)
    if curve is not None:
        yield _render_cascade(curve)
    yield _render_places(figures)
    yield from _render_times(figures, sentences=sentences)
    if sentences and figures.wrong:
        yield _render_wrong(figures)


def _render_cards(figures: Figures) -> Html:
    error, auroc = figures.calibration.error, figures.calibration.auroc
    return render_cards(
        (
            ("sentences", figures.exact.total),
            ("exact match", format_share(figures.exact.value)),
            ("F1 of commands", format_score(figures.commands.f1)),
            ("wrong values", sum(each.count for each in figures.wrong_values)),
            ("calibration error", "-" if error is None else f"{error:.3f}"),
            ("surer when right", "-" if auroc is None else f"{auroc:.3f}"),
            ("half within", format_milliseconds(figures.compute_percentile(0.5))),
            ("no answer", figures.total_failed),
            ("left out", len(figures.left_out)),
        )
    )


def _render_types(figures: Figures) -> Html:
    series = (
        Series("right", "good"),
        Series("missed", "bad"),
        Series("said, not meant", "caution"),
    )
    bars = [(name, [each.right, each.missed, each.extra]) for name, each in figures.types.items()]
    return render_section(
        "Commands",
        "A command is right if everything in it is: flow, slot and value.",
        draw_stacked_bars("Commands", series, bars),
        render_table(*tables.tabulate_types(figures)),
    )


def _render_confusions(figures: Figures, *, sentences: bool) -> Iterator[Html]:
    if figures.confusions:
        counts = Counter[tuple[str, str]]()
        for each in figures.confusions:
            types = each.expected.split(" ")[0], each.got.split(" ")[0]
            counts[types] += each.count
        confusions = tables.tabulate_confusions(figures.confusions, sentences=sentences)
        yield render_section(
            "Taken for something else",
            "What was meant, row by row, and what was understood in its place.",
            draw_matrix("Confusions", counts),
            render_table(*confusions, texts=(0, 1, 3)),
        )
    if sentences and figures.wrong_values:
        wrong = tables.tabulate_confusions(figures.wrong_values, sentences=True)
        yield render_section(
            "Wrong values",
            "The right slot, with another value than was said.",
            render_table(*wrong, texts=(0, 1, 3)),
        )


def _render_calibration(calibration: Calibration) -> Html:
    most = max((each.count for each in calibration.bins), default=1)
    dots = [
        Dot(
            each.confidence,
            each.right,
            3 + 9 * (each.count / most) ** 0.5,
            f"{each.count} sentences, {each.confidence:.2f} sure, {each.right:.2f} right",
        )
        for each in calibration.bins
    ]
    return render_section(
        "Calibration",
        "Whether it is right as often as it is sure. On the line, the two agree.",
        draw_dots("Reliability", dots, ("confidence", "right, of those"), has_diagonal=True),
        render_table(*tables.tabulate_calibration(calibration)),
    )


def _render_cascade(drawn: CurveView) -> Html:
    dots = []
    for point in drawn.curve.points:
        asked, right = point.asked.value or 0.0, point.right.value or 0.0
        radius = 6 if point == drawn.proposal else 2
        text = f"threshold {point.threshold:g}: {asked:.3f} asked, {right:.3f} exact"
        dots.append(Dot(asked, right, radius, text))
    # What differs is near the top: the scale begins below the lowest.
    floor = min(0.9, int(10 * min(dot.y for dot in dots)) / 10)
    axes = ("share that needs the model", "exact")
    return render_section(
        "Cascade",
        " ".join(drawn.explanation),
        draw_dots("Cascade", dots, axes, floor=floor, has_line=True),
        render_table(HEAD, drawn.rows, texts=()),
    )


def _render_places(figures: Figures) -> Html:
    series = (Series("exact", "good"), Series("not", "bad"))
    files = figures.files.items()
    bars = [(name, [share.count, share.total - share.count]) for name, share in files]
    rows = [
        (file, moment, share.count, share.total, format_share(share.value))
        for (file, moment), share in figures.moments.items()
    ]
    return render_section(
        "Files and moments",
        "",
        draw_stacked_bars("Exact by file", series, bars),
        render_table(["file", "moment", "exact", "of", "share"], rows, texts=(0, 1)),
    )


def _render_times(figures: Figures, *, sentences: bool) -> Iterator[Html]:
    times = [reading.seconds for reading in figures.readings if reading.error is None]
    if not times:
        return
    width = max(times) / _GROUPS or 1e-6
    counts = Counter(min(_GROUPS - 1, int(each / width)) for each in times)
    groups = [(format_milliseconds((at + 1) * width), counts[at]) for at in range(_GROUPS)]
    parts = [draw_columns("Time per sentence", groups, "sentences")]
    if sentences:
        _, rows = tables.tabulate_slowest(figures)
        parts.append(render_table(["slowest", "time", "place"], rows, texts=(0, 2)))
    median, p95 = (format_milliseconds(figures.compute_percentile(at)) for at in (0.5, 0.95))
    yield render_section("Time per sentence", f"{median} median, {p95} p95.", *parts)


def _render_wrong(figures: Figures) -> Html:
    rows = [
        (
            each.sample.text,
            each.sample.moment,
            "; ".join(map(str, sorted(each.expected))) or "-",
            each.error or "; ".join(map(str, sorted(each.got))) or "-",
            each.sample.place,
        )
        for each in figures.wrong
    ]
    head = ["said", "moment", "expected", "got", "place"]
    return render_section("Not understood", "", render_table(head, rows, texts=range(5)))
