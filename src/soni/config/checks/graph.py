"""A flow as a graph: where control can go from each of its steps."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.flow import FlowConfig
from soni.config.plan import FlowPlan, PlannedStep, plan_flow
from soni.config.positions import Path
from soni.core.constants import CONTINUE, RESERVED_TARGETS
from soni.core.errors import NotationError
from soni.steps import find_names

YES = "yes"
FLOW_ERROR = "flow_error"


@dataclass(frozen=True)
class Way:
    """A way from one step to another, or out of the flow."""

    to: str
    kind: str = ""
    """`yes`: only behind a confirm's yes. `flow_error`: only if the step fails."""

    path: Path = ()
    """The key that names the target, within the step."""


@dataclass(frozen=True)
class Graph:
    """The steps of a flow, by id, in the order of the file."""

    plan: FlowPlan
    places: Mapping[str, Path]
    ways: Mapping[str, tuple[Way, ...]]

    def find_reachable(
        self, start: Iterable[str], follow: Callable[[Way], bool] = lambda way: True
    ) -> set[str]:
        """The steps that can be reached from `start`, itself included, along some ways."""
        seen: set[str] = set()
        todo = [step for step in start if step in self.ways]
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo += [way.to for way in self.ways[here] if follow(way) and way.to in self.ways]
        return seen


def build_graphs(assistant: Assistant) -> Iterator[Graph]:
    """The graphs of all flows whose step names are valid; other checks report the rest."""
    graphs = (_build_graph(assistant, *item) for item in assistant.config.flows.items())
    return (graph for graph in graphs if graph is not None)


def _build_graph(assistant: Assistant, name: str, flow: FlowConfig) -> Graph | None:
    steps = list(flow.iter_steps())
    places: dict[str, Path] = {step.step: ("flows", name, *inner) for inner, step in steps}
    if len(places) < len(steps) or not places.keys().isdisjoint(RESERVED_TARGETS):
        return None
    try:
        plan = plan_flow(name, flow, assistant.get_signature, assistant.config.flows)
    except NotationError:
        return None
    ways = {step_id: tuple(_find_ways(planned, flow)) for step_id, planned in plan.steps.items()}
    known = {*ways, *RESERVED_TARGETS}
    if any(way.to not in known for each in ways.values() for way in each):
        return None
    return Graph(plan, places, ways)


def _find_ways(planned: PlannedStep, flow: FlowConfig) -> Iterator[Way]:
    step = planned.step
    # The step's own refs, not the plan's targets: two arms of a branch may have one condition.
    targets = [ref for ref in step.refs() if ref.kind == "target"]
    for ref in targets:
        kind = YES if step.type == "confirm" and ref.edge == "on_yes" else ""
        yield Way(planned.next if ref.value == CONTINUE else ref.value, kind, ref.path)
    edges = {ref.edge for ref in targets}
    if step.type == "confirm":
        if "on_yes" not in edges:
            yield Way(planned.next, YES, ("jump_to",))
    elif step.type != "link" and not (step.type == "branch" and "else" in edges):
        yield Way(planned.next, "", ("jump_to",))
    if planned.is_conditional:
        yield Way(planned.skipped, "", ("when",))
    if flow.on_error is not None:
        yield Way(planned.next if flow.on_error == CONTINUE else flow.on_error, FLOW_ERROR)


def find_cycles(after: Mapping[str, Collection[str]]) -> list[set[str]]:
    """The strongly connected components that contain a cycle.

    Tarjan's algorithm without recursion: a flow may be longer than Python's recursion is deep.
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: dict[str, None] = {}
    trail: list[tuple[str, Iterator[str]]] = []
    found: list[set[str]] = []

    def enter(name: str) -> None:
        order[name] = lowest[name] = len(order)
        open_names[name] = None
        trail.append((name, iter(after[name])))

    for start in after:
        if start not in order:
            enter(start)
        while trail:
            here, ways = trail[-1]
            ahead = next((each for each in ways if each in after), None)
            if ahead is None:
                trail.pop()
                if trail:
                    above = trail[-1][0]
                    lowest[above] = min(lowest[above], lowest[here])
                if lowest[here] == order[here]:
                    found.append(_take_cycle(here, open_names))
            elif ahead not in order:
                enter(ahead)
            elif ahead in open_names:
                lowest[here] = min(lowest[here], order[ahead])
    return [ring for ring in found if len(ring) > 1 or any(each in after[each] for each in ring)]


def _take_cycle(name: str, open_names: dict[str, None]) -> set[str]:
    """Remove and return the component of `name`: all that was opened since."""
    ring: set[str] = set()
    while name not in ring:
        ring.add(open_names.popitem()[0])
    return ring


def check_loops(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Report loops that never wait for the user, or wait only on their first pass."""
    steps = graph.plan.steps
    for loop in _find_loops(graph, lambda planned: not planned.step.waits):
        if not _changes_own_condition([steps[step_id] for step_id in loop]):
            message = f"these steps go round without ever waiting for the user: {', '.join(loop)}"
            remedy = "let one of them ask, or lead out of the loop on a condition it changes"
            report.add(_find_closing_key(graph, loop), message, code="E403", remedy=remedy)
    for loop in _find_loops(graph, _may_loop_silently):
        asked = [step_id for step_id in loop if _asks_once(steps[step_id])]
        if asked:
            report.add(
                _find_closing_key(graph, loop),
                f"step '{asked[0]}' asks nothing when the loop comes back to it: "
                "its slot is filled by then",
                code="W605",
                remedy="let it ask again with `force: true`, or go round with a `while` step",
            )


def _may_loop_silently(planned: PlannedStep) -> bool:
    # A `while` step unsets what its steps collected before each pass, so they ask again.
    return not planned.step.children and (not planned.step.waits or _asks_once(planned))


def _asks_once(planned: PlannedStep) -> bool:
    return planned.step.collects and planned.step.silent


def _changes_own_condition(loop: list[PlannedStep]) -> bool:
    """Whether a step of the loop writes what its conditions read, so that it may end."""
    refs = [ref for planned in loop for ref in planned.step.all_refs()]
    decisive = {name for ref in refs if ref.kind == "expression" for name in find_names(ref)}
    return any(planned.writes & decisive for planned in loop)


def _find_loops(graph: Graph, belongs: Callable[[PlannedStep], bool]) -> Iterator[list[str]]:
    """The loops among the steps that `belongs` accepts, each in the order of the file."""
    inside = {step_id for step_id, planned in graph.plan.steps.items() if belongs(planned)}
    after = {
        step_id: [way.to for way in graph.ways[step_id] if way.kind != FLOW_ERROR]
        for step_id in inside
    }
    for ring in find_cycles(after):
        yield [step_id for step_id in graph.places if step_id in ring]


def _find_closing_key(graph: Graph, loop: list[str]) -> Path:
    """The key in the last step of the loop that leads back into it."""
    last = loop[-1]
    back = next(way for way in graph.ways[last] if way.to in loop)
    return (*graph.places[last], *back.path)
