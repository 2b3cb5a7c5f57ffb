"""How well the default provider understands dialogues about services it has never seen.

Holds the Schema-Guided Dialogues of dev with the real engine: flows and slots are generated from
the schema, the system's lines come from the data, the state is read from the conversation. Half A
is to tune on, half B to report.

    python -m benchmarks.understanding.sgd [--half B] [--all-flows] [--gold] [--json]

With `--provider`, providers side by side on a few dialogues of the half (`side_by_side.py`):

    python -m benchmarks.understanding.sgd --provider local --provider llm --dialogues 60
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

# One thread each: what is measured is a message on one core.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

ANSWERS = "where the model's answers are kept: a stopped run goes on"
COLUMNS = (
    ("joint_goal_accuracy", "joint goal"),
    ("average_goal_accuracy", "average goal"),
    ("intent_accuracy", "intent"),
    ("requested_f1", "requested F1"),
)


def main() -> None:
    """Measure and print."""
    given = _arguments()
    if given.errors and given.half != "A":
        sys.exit("--errors is for tuning, and half B is never tuned on: use --half A")
    if given.provider:
        from benchmarks.understanding.sgd.side_by_side import side_by_side

        side_by_side(given)
        return
    from benchmarks.understanding.sgd.dialogues import schema
    from benchmarks.understanding.sgd.errors import printed
    from benchmarks.understanding.sgd.run import Options, run
    from benchmarks.understanding.sgd.score import figures

    options = Options(
        half=None if given.half == "all" else given.half,
        limit=given.limit,
        gold=given.gold,
        all_flows=given.all_flows,
        errors=bool(given.errors),
        processes=given.processes,
    )
    trained = schema("train")
    result = run(options)
    found = figures(result.scores, lambda service: service in trained)
    print(json.dumps(found, indent=2) if given.json else _table(found))
    if given.errors:
        print(printed(result.wrong, given.errors))


def _arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, prog="benchmarks.understanding.sgd")
    options.add_argument("--half", choices=("A", "B", "all"), default="B")
    options.add_argument("--limit", type=int, help="only so many dialogues")
    options.add_argument("--all-flows", action="store_true", help="all services' flows may start")
    options.add_argument("--gold", action="store_true", help="the right commands: checks the rest")
    options.add_argument("--errors", type=int, help="print so many mistakes of each kind (half A)")
    options.add_argument("--json", action="store_true")
    options.add_argument("--processes", type=int, default=2)
    beside = options.add_argument_group("providers side by side")
    names = ("local", "llm", "cascade")
    beside.add_argument("--provider", action="append", choices=names, help="may be repeated")
    beside.add_argument("--dialogues", type=int, default=60, help="how many, of all services")
    beside.add_argument("--answers", type=Path, default=Path("sgd-answers.jsonl"), help=ANSWERS)
    beside.add_argument("--known", action="store_true", help="only what was answered before")
    beside.add_argument("--base-url", help="a server that has the model; none: a test's model here")
    beside.add_argument("--model", default="qwen2.5-coder-1.5b", help="what the server calls it")
    beside.add_argument("--threads", type=int, default=1, help="of the model that is served here")
    beside.add_argument("--threshold", type=float, action="append", help="of the cascade; repeat")
    return options.parse_args()


def _table(found: dict[str, Any]) -> str:
    lines = [f"{'':10}{'frames':>8}" + "".join(f"{title:>14}" for _, title in COLUMNS)]
    for name, row in found["frames"].items():
        cells = (_number(row.get(key)) for key, _ in COLUMNS)
        lines.append(f"{name:10}{row['count']:8}" + "".join(f"{cell:>14}" for cell in cells))
    lines.append(f"\n{'':20}{'F1':>8}{'right':>8}{'wrong':>8}{'missed':>8}")
    for kind, row in found["commands"].items():
        counts = "".join(f"{row[how]:8}" for how in ("right", "wrong", "missed"))
        lines.append(f"{kind:20}{_number(row['f1']):>8}{counts}")
    lines.append(f"\nexact match {_number(found['exact_match'])} of {found['turns']} messages")
    times = found["milliseconds"]
    lines.append(f"understanding {times['understanding']:.2f} ms a message (median)")
    if "ratio" in times:
        lines.append(f"encoder alone {times['encoder']:.2f} ms, {times['ratio']:.2f} times that")
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    main()
