"""Prints an evaluation."""

from rich.console import Console
from rich.text import Text

from soni.cli.eval import tables
from soni.cli.text import print_lines, show_rows, show_table, to_one_line
from soni.pages.numbers import format_interval, format_milliseconds, format_score, format_share
from soni.testing.evaluate import Figures
from soni.testing.evaluate.figures import ModelFigures
from soni.testing.evaluate.sample import Reading

_MAX_LISTED = 15


def show_figures(figures: Figures, console: Console, *, sentences: bool) -> None:
    """Print all figures; without `sentences` nothing that quotes a user."""
    show_summary(figures, console, sentences=sentences)
    show_rows(console, "by command", *tables.tabulate_types(figures))
    _show_places(figures, console)
    show_rows(console, "calibration", *tables.tabulate_calibration(figures.calibration))
    confusions = tables.tabulate_confusions(figures.confusions[:_MAX_LISTED], sentences=sentences)
    show_rows(console, "taken for something else", *confusions)
    if sentences:
        wrong = tables.tabulate_confusions(figures.wrong_values[:_MAX_LISTED], sentences=True)
        show_rows(console, "wrong values", *wrong)
        show_rows(console, "slowest", *tables.tabulate_slowest(figures))


def show_errors(figures: Figures, console: Console) -> None:
    """Print every sentence that was not understood, with expected and actual meaning."""
    for reading in figures.wrong:
        sample = reading.sample
        head = Text.assemble(
            ("✗ ", "bold red"),
            (to_one_line(sample.text), "bold"),
            (f"  {sample.place}, {to_one_line(sample.moment)}", "dim"),
        )
        print_lines(console, [head, *_format_differences(reading)])
    if figures.wrong:
        console.print()


def _format_differences(reading: Reading) -> list[Text]:
    if reading.error is not None:
        return [Text(f"    {to_one_line(reading.error)}", "red")]
    same = sorted(reading.expected & reading.got)
    missed = sorted(reading.expected - reading.got)
    extra = sorted(reading.got - reading.expected)
    return [
        *(Text(f"    - expected  {to_one_line(str(unit))}", "green") for unit in missed),
        *(Text(f"    + got       {to_one_line(str(unit))}", "red") for unit in extra),
        *(Text(f"      both      {to_one_line(str(unit))}", "dim") for unit in same),
    ]


def show_summary(figures: Figures, console: Console, *, sentences: bool) -> None:
    """Print the totals; without `sentences` no error that may quote one."""
    exact, commands = figures.exact, figures.commands
    calibration, auroc = figures.calibration.error, figures.calibration.auroc
    median, p95 = (format_milliseconds(figures.compute_percentile(at)) for at in (0.5, 0.95))
    share = f"{format_share(exact.value)} {format_interval(exact.interval)}"
    rows = [
        ("sentences", str(exact.total)),
        ("exact match", f"{exact.count}, {share}"),
        ("commands", f"F1 {format_score(commands.f1)}"),
        ("calibration error", "-" if calibration is None else f"{calibration:.3f}"),
        ("surer when right", "-" if auroc is None else f"{auroc:.3f}"),
        ("time per sentence", f"{median} median, {p95} p95"),
    ]
    if figures.model is not None:
        rows.append(("language model", _format_model_usage(figures.model)))
    if figures.total_failed:
        first = next(each.error for each in figures.readings if each.error is not None)
        first = first if sentences else first.partition(":")[0]
        rows.append(("no answer", f"{figures.total_failed}, the first: {first}"))
    if figures.model_errors:
        failed = f"{len(figures.model_errors)}, the first: {figures.model_errors[0]}"
        rows.append(("model failed", failed))
    if figures.left_out:
        rows.append(("left out", f"{len(figures.left_out)}, of tests that fail or try a refusal"))
    show_table(console, "", ("figure", "value"), rows)


def _format_model_usage(used: ModelFigures) -> str:
    cost = "" if used.cost is None else f", cost {used.cost:.4g}"
    return (
        f"asked about {used.asked.count}, {format_share(used.asked.value)}; "
        f"{used.prompt_tokens / used.calls:.0f} + {used.completion_tokens / used.calls:.0f} "
        f"tokens a call, {used.calls} calls{cost}"
    )


def _show_places(figures: Figures, console: Console) -> None:
    files = [
        (name, share.count, share.total, format_share(share.value))
        for name, share in figures.files.items()
    ]
    show_rows(console, "by file", ("file", "exact", "of", "share"), files)
    worst = sorted(figures.moments.items(), key=lambda item: (item[1].value or 0.0, item[0]))
    moments = [
        (moment, share.count, share.total, format_share(share.value), file)
        for (file, moment), share in worst
        if share.count < share.total
    ]
    head = ("moment", "exact", "of", "share", "file")
    show_rows(console, "by moment, the worst first", head, moments[:_MAX_LISTED])
