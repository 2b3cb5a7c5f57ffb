"""A flow as nodes and edges, whatever they are drawn with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.config.assistant import Assistant
from soni.config.pictures.edges import Edge, edges_of, flow_node
from soni.config.pictures.summary import Summary
from soni.config.plan import FlowPlan
from soni.core.constants import CANCEL, END, FAIL
from soni.steps import StepConfig

START = "start"
FLOW = "flow"

ENDINGS = {END: "end", FAIL: "error", CANCEL: "cancel"}


@dataclass(frozen=True)
class Node:
    """A step, the start, a way to end, or another flow that is called or linked."""

    id: str
    """A step's id; `end`, `error`, `cancel_flow`; `flow:NAME`, also where that flow starts."""

    kind: str
    """A step's type; `start`, `end`, `error`, `cancel_flow`, `flow`."""

    text: str = ""
    """What it says or does, as the author wrote it."""

    when: str | None = None
    """Its guard."""

    loop: str | None = None
    """The step that it is inside of."""

    @property
    def head(self) -> str:
        """Its kind and its id; an id that was made from the kind begins with it anyway."""
        if self.kind in (START, FLOW, *ENDINGS):
            return self.kind
        made = self.id == self.kind or self.id.startswith(f"{self.kind}_")
        return self.id if made else f"{self.kind} {self.id}"


@dataclass(frozen=True)
class Picture:
    """All nodes and edges of a flow."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def pictures_of(assistant: Assistant) -> tuple[Picture, ...]:
    """A picture of every flow."""
    summary = Summary(assistant)
    return tuple(_picture(plan, summary) for plan in assistant.plans.values())


def as_data(pictures: Sequence[Picture]) -> dict[str, Any]:
    """Pictures as plain data, for programs: `{flows: {name: {nodes, edges}}}`."""
    return {
        "flows": {
            picture.name: {
                "nodes": [
                    {"id": n.id, "kind": n.kind, "text": n.text, "when": n.when, "loop": n.loop}
                    for n in picture.nodes
                ],
                "edges": [
                    {"from": e.source, "to": e.target, "kind": e.kind, "label": e.label}
                    for e in picture.edges
                ],
            }
            for picture in pictures
        }
    }


def _picture(plan: FlowPlan, summary: Summary) -> Picture:
    start, around = flow_node(plan.name), dict(_around(plan.config.steps, None))
    edges = [Edge(start, plan.first, "next")]
    for planned in plan.steps.values():
        edges += edges_of(planned, around[planned.id], plan.config.on_error)
    trigger = plan.config.trigger
    condition = trigger.condition if trigger is not None else None
    nodes = {start: Node(start, START, plan.config.description, condition)}
    nodes |= {node.id: node for node in _steps(plan, around, summary)}
    nodes |= {e.target: _outside(e.target) for e in edges if e.target not in nodes}
    return Picture(plan.name, tuple(nodes.values()), tuple(edges))


def _steps(plan: FlowPlan, around: Mapping[str, str | None], summary: Summary) -> Iterator[Node]:
    for planned in plan.steps.values():
        step = planned.step
        when = step.when if planned.is_conditional else None
        yield Node(step.step, step.type, summary.of(step), when, around[step.step])


def _around(steps: Sequence[StepConfig], outer: str | None) -> Iterator[tuple[str, str | None]]:
    for step in steps:
        yield step.step, outer
        yield from _around(step.children, step.step)


def _outside(target: str) -> Node:
    if target in ENDINGS:
        return Node(target, target, ENDINGS[target])
    return Node(target, FLOW, target.removeprefix(flow_node("")))
