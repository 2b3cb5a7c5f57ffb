"""An evaluation as one page that needs nothing else: no network, no script."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape

from soni.audit.report.document import cards, document, key, section, table
from soni.audit.report.plots import Part, columns, stacked
from soni.audit.report.wording import date_and_time
from soni.cli.eval.curve import HEAD, Drawn
from soni.cli.eval.plots import cascade, matrix, reliability
from soni.cli.eval.wording import interval, milliseconds, percent, place, score
from soni.testing.evaluate import Figures
from soni.testing.evaluate.confusions import Confusion
from soni.testing.evaluate.share import Share

_GROUPS = 24


def page(
    figures: Figures,
    name: str,
    made: datetime,
    curve: Drawn | None = None,
    *,
    sentences: bool = True,
) -> str:
    """The whole page; without `sentences` nothing that anybody said is on it."""
    title = f"Understanding {name}"
    return document(title, "".join(_body(figures, title, made, curve, sentences=sentences)))


def _body(
    figures: Figures, title: str, made: datetime, curve: Drawn | None, *, sentences: bool
) -> Iterator[str]:
    exact = figures.exact
    told = f"{exact.count} of {exact.total} sentences exact {interval(exact)}. "
    yield (
        f'<header><h1>{escape(title)}</h1>\n<p class="soft">{escape(told)}'
        f"Made {date_and_time(made)}.</p></header>\n"
    )
    yield _cards(figures)
    yield _types(figures)
    yield from _confusions(figures, sentences=sentences)
    yield _calibration(figures)
    if curve is not None:
        yield _cascade(curve)
    yield from _places(figures)
    yield from _times(figures, sentences=sentences)
    if sentences and figures.wrong:
        yield _wrong(figures)


def _cards(figures: Figures) -> str:
    error, auroc = figures.calibration.error, figures.calibration.auroc
    told = [
        ("sentences", figures.exact.total),
        ("exact match", percent(figures.exact.value)),
        ("F1 of commands", score(figures.commands.f1)),
        ("wrong values", sum(each.count for each in figures.wrong_values)),
        ("calibration error", "-" if error is None else f"{error:.3f}"),
        ("surer when right", "-" if auroc is None else f"{auroc:.3f}"),
        ("half within", milliseconds(figures.percentile(0.5))),
        ("no answer", figures.failed),
        ("left out", len(figures.left_out)),
    ]
    return cards(told)


def _types(figures: Figures) -> str:
    kinds = (("completed", "right"), ("failed", "missed"), ("cancelled", "said, not meant"))
    rows = [
        (
            name,
            [
                Part("right", "completed", each.right),
                Part("missed", "failed", each.missed),
                Part("said, not meant", "cancelled", each.extra),
            ],
        )
        for name, each in figures.types.items()
    ]
    cells = [
        (name, each.meant, score(each.precision), score(each.recall), score(each.f1))
        for name, each in figures.types.items()
    ]
    plot = key(kinds) + stacked("Commands", rows)
    note = "A command is right if everything in it is: flow, slot and value."
    head = ["command", "meant", "precision", "recall", "F1"]
    return section("Commands", note, plot + table(head, cells))


def _confusions(figures: Figures, *, sentences: bool) -> Iterator[str]:
    if figures.confusions:
        counts = Counter[tuple[str, str]]()
        for each in figures.confusions:
            counts[_type(each.expected), _type(each.got)] += each.count
        note = "What was meant, row by row, and what was understood in its place."
        inside = matrix(counts) + _listed(figures.confusions, sentences=sentences)
        yield section("Taken for something else", note, inside)
    if sentences and figures.wrong_values:
        note = "The right slot, with another value than was said."
        yield section("Wrong values", note, _listed(figures.wrong_values, sentences=True))


def _type(name: str) -> str:
    return name.split(" ")[0]


def _listed(found: Sequence[Confusion], *, sentences: bool) -> str:
    rows = [
        (each.expected, each.got, each.count, *([each.examples[0].sample.text] * sentences))
        for each in found
    ]
    head = ["expected", "got", "times", *(["for example"] * sentences)]
    return table(head, rows, texts=(0, 1, 3))


def _calibration(figures: Figures) -> str:
    rows = [
        (
            f"{each.low:.1f} to {each.high:.1f}",
            each.count,
            score(each.confidence),
            score(each.right),
        )
        for each in figures.calibration.bins
    ]
    note = "Whether it is right as often as it is sure. On the line, the two agree."
    head = ["confidence", "sentences", "mean confidence", "right"]
    return section("Calibration", note, reliability(figures.calibration) + table(head, rows))


def _cascade(drawn: Drawn) -> str:
    plot = cascade(drawn.curve, drawn.proposed)
    return section("Cascade", " ".join(drawn.told), plot + table(HEAD, drawn.rows, texts=()))


def _places(figures: Figures) -> Iterator[str]:
    kinds = (("completed", "exact"), ("failed", "not"))
    files = [(name, _parts(share)) for name, share in figures.files.items()]
    cells = [
        (file, moment, share.count, share.total, percent(share.value))
        for (file, moment), share in figures.moments.items()
    ]
    head = ["file", "moment", "exact", "of", "share"]
    inside = key(kinds) + stacked("Exact by file", files) + table(head, cells, texts=(0, 1))
    yield section("Files and moments", "", inside)


def _parts(share: Share) -> list[Part]:
    return [
        Part("exact", "completed", share.count),
        Part("not", "failed", share.total - share.count),
    ]


def _times(figures: Figures, *, sentences: bool) -> Iterator[str]:
    times = [reading.seconds for reading in figures.readings if reading.error is None]
    if not times:
        return
    width = max(times) / _GROUPS or 1e-6
    counts = Counter(min(_GROUPS - 1, int(each / width)) for each in times)
    groups = [(milliseconds((at + 1) * width), counts[at]) for at in range(_GROUPS)]
    inside = columns("Time per sentence", groups, "sentences")
    if sentences:
        rows = [
            (each.sample.text, milliseconds(each.seconds), place(each.sample))
            for each in figures.slowest
        ]
        inside += table(["slowest", "time", "place"], rows, texts=(0, 2))
    told = (
        f"{milliseconds(figures.percentile(0.5))} median, "
        f"{milliseconds(figures.percentile(0.95))} p95."
    )
    yield section("Time per sentence", told, inside)


def _wrong(figures: Figures) -> str:
    rows = [
        (
            each.sample.text,
            each.sample.moment,
            "; ".join(map(str, sorted(each.expected))) or "-",
            each.error or "; ".join(map(str, sorted(each.got))) or "-",
            place(each.sample),
        )
        for each in figures.wrong
    ]
    head = ["said", "moment", "expected", "got", "place"]
    return section("Not understood", "", table(head, rows, texts=range(5)))
