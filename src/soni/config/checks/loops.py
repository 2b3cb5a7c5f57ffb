"""Steps that lead back to themselves, and never let the user say anything."""

from collections.abc import Callable, Iterator

from soni.config.assistant import Assistant
from soni.config.checks.graph import FLOW_ERROR, Graph
from soni.config.checks.report import Report
from soni.config.checks.rings import rings
from soni.config.plan import PlannedStep
from soni.config.positions import Path
from soni.steps import names_in


def check_loops(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Loops of a flow that cannot wait, and those that wait only on their first pass."""
    steps = graph.plan.steps
    for loop in _loops(graph, lambda planned: not planned.step.waits):
        if not _changes_its_mind([steps[step_id] for step_id in loop]):
            report.add(
                _find_closing_key(graph, loop),
                f"these steps go round without ever waiting for the user: {', '.join(loop)}",
                code="E403",
                remedy="let one of them ask, or lead out of the loop on a condition it changes",
            )
    for loop in _loops(graph, _goes_round_in_silence):
        asked = [step_id for step_id in loop if _asks_once(steps[step_id])]
        if asked:
            report.add(
                _find_closing_key(graph, loop),
                f"step '{asked[0]}' asks nothing when the loop comes back to it: "
                "its slot is filled by then",
                code="W605",
                remedy="let it ask again with `force: true`, or go round with a `while` step",
            )


def _goes_round_in_silence(planned: PlannedStep) -> bool:
    # A loop with steps inside forgets what they collected before each pass.
    return not planned.step.children and (not planned.step.waits or _asks_once(planned))


def _asks_once(planned: PlannedStep) -> bool:
    return planned.step.collects and planned.step.silent


def _changes_its_mind(loop: list[PlannedStep]) -> bool:
    """Whether something in the loop fills what its conditions read, so that it may end."""
    decisive = frozenset[str]().union(
        *(
            names_in(ref)
            for each in loop
            for ref in each.step.all_refs()
            if ref.kind == "expression"
        )
    )
    return any(planned.writes & decisive for planned in loop)


def _loops(graph: Graph, belongs: Callable[[PlannedStep], bool]) -> Iterator[list[str]]:
    """Groups of steps, in the order of the file, each of which leads to all of its group."""
    inside = {step_id for step_id, planned in graph.plan.steps.items() if belongs(planned)}
    after = {
        step_id: [way.to for way in graph.ways[step_id] if way.kind != FLOW_ERROR]
        for step_id in inside
    }
    for ring in rings(after):
        yield [step_id for step_id in graph.places if step_id in ring]


def _find_closing_key(graph: Graph, loop: list[str]) -> Path:
    """The key that leads back: in the last step of the loop, whose target is the loop's."""
    last = loop[-1]
    back = next(way for way in graph.ways[last] if way.to in loop)
    return (*graph.places[last], *back.path)
