"""A flow as a graph: where control can go from each of its steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from soni.config.assistant import Assistant
from soni.config.flow import FlowConfig
from soni.config.plan import FlowPlan, PlannedStep, plan_flow
from soni.config.positions import Path
from soni.core.constants import CONTINUE, RESERVED_TARGETS
from soni.core.notation import NotationError

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

    def reach(
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


def graphs_of(assistant: Assistant) -> Iterator[Graph]:
    """The graphs of all flows that have one: names of steps that fail have been reported."""
    for name, flow in assistant.config.flows.items():
        graph = _graph(assistant, name, flow)
        if graph is not None:
            yield graph


def _graph(assistant: Assistant, name: str, flow: FlowConfig) -> Graph | None:
    places: dict[str, Path] = {
        step.step: ("flows", name, *inner) for inner, step in flow.iter_steps()
    }
    if len(places) < sum(1 for _ in flow.iter_steps()) or not places.keys().isdisjoint(
        RESERVED_TARGETS
    ):
        return None
    try:
        plan = plan_flow(name, flow, assistant.signature, assistant.config.flows)
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
