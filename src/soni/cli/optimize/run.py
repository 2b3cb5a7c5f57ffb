"""Runs an optimization and saves its program."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from rich.console import Console
from rich.progress import TaskID
from rich.text import Text

from soni.cli.check import print_problems
from soni.cli.options import explain_write_error
from soni.cli.text import clean_text, make_console, make_progress
from soni.config.files import MAIN_FILE, leads_outside
from soni.config.load import load_for_optimizing
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.du.program_check import check_fitness
from soni.optimize import Optimization, Optimized
from soni.pages.numbers import format_interval, format_share
from soni.testing.evaluate import Evaluation
from soni.testing.evaluate.sample import Half, Share


class ProgressDisplay:
    """Shows progress until the block ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = make_progress(console, "  {task.description}")
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def begin_stage(self, name: str, total: int) -> None:
        """A new bar."""
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(name, total=total)

    def advance(self) -> None:
        """A little further."""
        if self._task is not None:
            self._bar.advance(self._task)

    def note(self, text: str) -> None:
        """A line."""
        self._console.print(Text(clean_text(f"  {text}")), soft_wrap=True)


SUFFIX: Final = ".program.json"


@dataclass(frozen=True)
class OptimizeOptions:
    """The options as they were given."""

    path: Path
    files: tuple[Path, ...]
    provider: str | None
    budget: int
    seed: int
    share: float
    output: Path | None
    tuning: bool


async def optimize_and_save(wanted: OptimizeOptions) -> bool:
    """Optimize, print the result, and save it if it is better. Returns whether it is."""
    console = make_console()
    config = load_for_optimizing(wanted.path, [check_fitness])
    place = _resolve_target(wanted, config)
    half: Half | None = "tuning" if wanted.tuning else None
    evaluation = Evaluation.load(wanted.path, wanted.files, half=half, config=config)
    if evaluation.warnings:
        print_problems(evaluation.warnings, stderr=True)
    way = wanted.provider or config.settings.nlu.provider
    with ProgressDisplay(console) as watching:
        optimized = await Optimization(
            evaluation, way, watching, wanted.budget, wanted.seed, wanted.share
        ).run()
    _print_result(optimized, console)
    if optimized.program is None:
        text = "no better on the part that is set apart: nothing was saved"
        console.print(Text(text, "bold red"), soft_wrap=True)
        return False
    _write_atomically(place, optimized.program.to_json())
    name = place.relative_to(config.folder or Path()).as_posix()
    console.print(Text(clean_text(f"written to {place}"), "bold green"), soft_wrap=True)
    if config.settings.nlu.program != name:
        key = f"settings: {{nlu: {{program: {name}}}}}"
        console.print(Text(clean_text(f"to use it, write {key}")), soft_wrap=True)
    return True


def _print_result(optimized: Optimized, console: Console) -> None:
    for when, share in (("before", optimized.before), ("after", optimized.after)):
        percent = f"{format_share(share.value)} {format_interval(share.interval)}"
        line = f"{when:>6}: {share.count} of {share.total} exact, {percent}"
        console.print(Text(line), soft_wrap=True)
    if optimized.calls:
        console.print(Text(f"{optimized.calls} model calls"), soft_wrap=True)
    if optimized.program is not None:
        for line in _describe_gain(optimized.before, optimized.after):
            console.print(Text(line), soft_wrap=True)


def _describe_gain(before: Share, after: Share) -> Iterator[str]:
    """The gain in counts: a share alone would hide how few sentences there were."""
    more = after.count - before.count
    told = "one sentence" if more == 1 else f"{more} sentences"
    yield (
        f"on the part that is set apart: {before.count} of {before.total} before, "
        f"{after.count} of {after.total} after, {told} more"
    )
    wide = before.interval
    if wide is not None and (after.value or 0.0) <= wide[1]:
        yield "so few may be chance: try another --seed, or write more sentences"


def _resolve_target(wanted: OptimizeOptions, config: SoniConfig) -> Path:
    """The target file, which must be where the settings can name it."""
    folder = config.folder or Path()
    main = MAIN_FILE if wanted.path.is_dir() else wanted.path.name
    place = (wanted.output or folder / f"{Path(main).stem}{SUFFIX}").absolute()
    if not place.parent.is_dir():
        raise SoniError(f"{place}: there is no such folder")
    if not place.is_relative_to(folder) or leads_outside(place, folder):
        raise SoniError(
            f"{place} is not in {folder}: a program lies in the assistant's folder, where "
            "settings.nlu.program can name it"
        )
    return place


def _write_atomically(file: Path, text: str) -> None:
    """A reader never sees half a file."""
    draft = file.with_name(f"{file.name}.part")
    with explain_write_error(file):
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
