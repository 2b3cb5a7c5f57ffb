"""How much of what people say to the assistants of tests/nlu is understood exactly.

Half of the sentences, `tuning`, was looked at while Soni was made; the other half is set `apart`.
Assistants on which nothing at all was tuned are measured whole, as `unread`; of some, all belongs
to `tuning`. Only counts are told, never a sentence. Needs no other data than the checkout.
`--folder` measures others: tests/nlu/new, nothing of which was tuned on (`--half all`), and
tests/nlu/languages.

    python -m benchmarks.understanding.nlu [bank clinic] [--half apart] [--processes 4] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from soni.testing.evaluate import Evaluation, Figures
from soni.testing.evaluate.sample import Half, Share

NLU = Path(__file__).parents[2] / "tests" / "nlu"
UNREAD = (
    *("courthouse", "creditcard", "cruise", "gardener", "hostel", "newspaper"),
    *("businessbank", "helpdesk", "hospital", "motorclaims", "tablebooker", "trainline"),
)
"""Nothing was tuned on what is said to them: how assistants do at first sight."""

READ = (
    *("airlinedesk", "caterdelivery", "letting", "telehealth", "wallet", "webshop"),
    *("carshare", "homeservices", "mortgages", "payrollhr", "resort", "streaming"),
    *("boilercare", "cardservices", "citycouncil", "concerthall", "dentalpractice"),
    *("furnitureonline", "hotelgroup", "investapp", "itdesk", "mobileplan", "petinsure"),
    "regionalrail",
)
"""Nothing of what is said to them was set apart: all of it was tuned on."""

HALVES: dict[str, Half | None] = {
    "tuning": "tuning",
    "apart": "held-out",
    "unread": None,
    "all": None,
}


@dataclass(frozen=True)
class Scored:
    """What was understood of a file of sentences."""

    assistant: str
    language: str
    exact: Share


def chosen(folder: Path, half: str, names: Sequence[str] = ()) -> list[Path]:
    """The files of sentences that are measured, or the end of the program."""
    every = [file for file in sorted(folder.glob("*.yaml")) if ".assistant." not in file.name]
    files = [
        file
        for file in every
        if half == "all" or (_assistant(file) in UNREAD) == (half == "unread")
    ]
    files = [file for file in files if half != "apart" or _assistant(file) not in READ]
    known = dict.fromkeys(map(_assistant, files))
    unknown = [name for name in names if name not in known]
    if unknown or not files:
        print(
            f"no sentences for {', '.join(unknown) or half} in {folder} (--half {half}); "
            f"there are: {', '.join(known) or 'none'}",
            file=sys.stderr,
        )
        sys.exit(2)
    return [file for file in files if not names or _assistant(file) in names]


async def scored(file: Path, half: str) -> Scored:
    """Ask for every sentence of a file that belongs to the half."""
    name, language, _ = file.name.split(".")
    assistant = file.with_name(f"{name}.assistant.yaml")
    evaluation = Evaluation.load(assistant, [file], half=None if name in READ else HALVES[half])
    return Scored(name, language, Figures(await evaluation.run(provider="local")).exact)


def measured(files: Sequence[Path], half: str, processes: int) -> list[Scored]:
    """All files, several at a time."""
    # One thread each: the processes share the cores.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(_alone, files, [half] * len(files)))


def _alone(file: Path, half: str) -> Scored:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return asyncio.run(scored(file, half))


def _assistant(file: Path) -> str:
    return file.name.partition(".")[0]


def together(every: Sequence[Scored]) -> Share:
    """All of them as one."""
    return Share(sum(each.exact.count for each in every), sum(each.exact.total for each in every))


def by_language(every: Sequence[Scored]) -> dict[str, list[Scored]]:
    """Each language apart."""
    languages = sorted({each.language for each in every})
    return {name: [each for each in every if each.language == name] for name in languages}


def plain(half: str, every: Sequence[Scored]) -> dict[str, Any]:
    """As data."""
    return {
        "half": half,
        "files": {f"{each.assistant}.{each.language}": each.exact.to_dict() for each in every},
        "languages": {
            name: {"files": len(some), **together(some).to_dict()}
            for name, some in by_language(every).items()
        },
        "all": {"files": len(every), **together(every).to_dict()},
    }


def table(figures: dict[str, Any]) -> str:
    """As people read them."""
    lines = [f"{figures['half']:26}{'exact':>7}{'of':>7}{'share':>8}"]
    lines += [_line(name, share) for name, share in figures["files"].items()]
    lines.append("")
    sums = {**figures["languages"], "all": figures["all"]}
    lines += [_line(f"{name}, {share['files']} files", share) for name, share in sums.items()]
    return "\n".join(lines)


def _line(name: str, share: dict[str, Any]) -> str:
    value = "-" if share["share"] is None else f"{share['share']:.3f}"
    return f"{name:26}{share['count']:7}{share['total']:7}{value:>8}"


def main(arguments: Sequence[str] | None = None, folder: Path = NLU) -> None:
    """Measure and print."""
    given = _options().parse_args(arguments)
    files = chosen(given.folder or folder, given.half, given.assistants)
    figures = plain(given.half, measured(files, given.half, given.processes))
    print(json.dumps(figures, indent=2) if given.json else table(figures))
    share = figures["all"]["share"]
    if given.fail_under is not None and (share is None or share < given.fail_under):
        sys.exit(f"less than {given.fail_under:g} of the sentences is understood exactly")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__, prog="benchmarks.understanding.nlu")
    options.add_argument("assistants", nargs="*", metavar="NAME", help="only these; else all")
    options.add_argument("--folder", type=Path, help="where assistants and sentences are")
    options.add_argument("--half", choices=tuple(HALVES), default="tuning")
    options.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options.add_argument("--fail-under", type=float, metavar="SHARE", help="end with 1 below it")
    options.add_argument("--json", action="store_true")
    return options


if __name__ == "__main__":
    main()
