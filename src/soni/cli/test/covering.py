"""Coverage as people read it."""

from rich.console import Console
from rich.text import Text

from soni.testing.coverage import Coverage, Part, measure_share


def print_coverage(coverage: Coverage, console: Console, fail_under: float | None) -> bool:
    """Numbers first, then what is missing, by its place; whether it is enough."""
    for title, parts in coverage.iter_missing():
        console.print()
        console.print(Text(title, "bold"))
        _print_parts(parts, console)
    console.print()
    groups = (
        ("flows", coverage.flows),
        ("steps", coverage.steps),
        ("arms", coverage.arms),
        ("responses", coverage.responses),
    )
    for name, group in groups:
        if group:
            covered = sum(part.covered for part in group)
            counted = f"{covered} of {len(group)}"
            console.print(
                Text(f"{name:<10}{counted:>10}  {_format_percent(measure_share(group)):>6}")
            )
    return _judge_coverage(coverage.percent, console, fail_under)


def _print_parts(parts: list[Part], console: Console) -> None:
    width = max(len(part.where) for part in parts)
    for part in parts:
        line = Text.assemble((f"  {part.where:<{width}}  ", "dim"), part.name)
        console.print(line, soft_wrap=True)


def _judge_coverage(percent: float, console: Console, fail_under: float | None) -> bool:
    enough = fail_under is None or percent >= fail_under
    wanted = "" if enough or fail_under is None else f", less than {fail_under:g} %"
    style = "bold" if fail_under is None else "bold green" if enough else "bold red"
    console.print(Text(f"{_format_percent(percent)} of steps and arms covered{wanted}", style))
    return enough


def _format_percent(percent: float) -> str:
    # Rounded down: what is not all must not read as all.
    return f"{int(percent * 10) / 10:g} %"
