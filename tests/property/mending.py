"""Random flows hold mistakes that a loader refuses: steps nobody reaches, endless loops.

They are mended where the loader says they are, so that most of what was drawn survives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soni.core.errors import Problem

_WAYS = ("jump_to", "on_error", "on_yes", "on_no", "when")


def mend(written: dict[str, Any], problems: Sequence[Problem]) -> None:
    """Change what the problems are about, in place."""
    unreached = [problem for problem in problems if problem.path[-1] == "step"]
    others = [problem for problem in problems if problem.path[-1] != "step"]
    for problem in others:
        _mend_one(written, problem)
    # A step is given up only if nothing else is wrong: mending may lead a way there.
    if not others:
        for problem in reversed(unreached):
            _, flow_name, _, place, _ = problem.path
            del written["flows"][flow_name]["steps"][place]


def _mend_one(written: dict[str, Any], problem: Problem) -> None:
    flow_name, part, *rest = problem.path[1:]
    flow = written["flows"][flow_name]
    if part == "steps":
        _straighten(flow["steps"][rest[0]], str(rest[1]))
    elif part == "on_error":
        flow["on_error"] = None
    elif part == "outputs":
        flow["outputs"] = []
        _forget_outputs(written["flows"], f"{flow_name}.")
    else:
        raise AssertionError(f"generated wrongly: {problem}")


def _straighten(step: dict[str, Any], key: str) -> None:
    """The step just leads on to the next one."""
    if key == "call":
        step["call"] = "record"
        return
    if step["type"] == "branch":
        step.update(when=None, input="size", cases={"small": "continue", "large": "continue"})
        step.pop("jump_to", None)
        return
    for way in _WAYS:
        step.pop(way, None)


def _forget_outputs(flows: dict[str, Any], prefix: str) -> None:
    for flow in flows.values():
        flow["inputs"] = {
            name: given
            for name, given in flow["inputs"].items()
            if not (given and given["from"].startswith(prefix))
        }
