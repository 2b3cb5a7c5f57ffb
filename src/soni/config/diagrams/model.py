"""A flow as nodes and edges, independent of the output format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from soni.config.assistant import Assistant
from soni.config.plan import FlowPlan, PlannedStep
from soni.core.constants import CANCEL, CONTINUE, END, FAIL
from soni.core.texts import choose_sentence
from soni.steps import Ref, StepConfig

START = "start"
FLOW = "flow"
ENDINGS = {END: "end", FAIL: "error", CANCEL: "cancel"}
_NEXT_LABELS = {"branch": "else", "confirm": "yes", "while": "done"}
"""The label of the edge to the next step, for steps with several edges."""


@dataclass(frozen=True)
class Edge:
    """A way from one node to another."""

    source: str
    target: str
    kind: str
    """`next`; `then` and `else` of a branch; `do` of a loop; `skipped` by a guard; `call` and
    `link` to a flow; or the key that names the target: `on_error`, `on_yes`, ..."""

    label: str = ""
    """A branch's condition or case, or a word for when the edge is taken."""


@dataclass(frozen=True)
class StepSummary:
    """Summarises steps, with texts in the assistant's language."""

    assistant: Assistant

    def summarise(self, step: StepConfig) -> str:
        """What the step acts on, then what it says."""
        return ": ".join(filter(None, (self._describe_main(step), self._choose_text(step))))

    def _describe_main(self, step: StepConfig) -> str:
        called = [use.action for use in step.calls()]
        if called:
            return ", ".join(called)
        main = getattr(step, step.main)
        if step.main == "message" or main is None:
            # The fields used in place of a missing main field.
            others = (getattr(step, field, None) for field in ("input", "response"))
            return str(next((value for value in others if value is not None), ""))
        if isinstance(main, dict):
            return ", ".join(f"{name} = {value}" for name, value in main.items())
        if isinstance(main, tuple):
            return ", ".join(str(part) for part in main)
        return main if isinstance(main, str) else ""

    def _choose_text(self, step: StepConfig) -> str:
        text = getattr(step, "message", None)
        if text is None and step.collects:
            names = [ref.value for ref in step.refs() if ref.kind == "slot" and ref.writes]
            prompts = (self.assistant.get_slot_config(name).prompt for name in names)
            text = next((prompt for prompt in prompts if prompt is not None), None)
        language = self.assistant.config.settings.language
        return "" if text is None else choose_sentence(text, language, "")


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
        """Its kind and its id; a generated id begins with the kind already."""
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


def build_pictures(assistant: Assistant) -> tuple[Picture, ...]:
    """A picture of every flow."""
    summary = StepSummary(assistant)
    return tuple(_build_picture(plan, summary) for plan in assistant.plans.values())


def export_pictures(pictures: Sequence[Picture]) -> dict[str, Any]:
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


def _build_picture(plan: FlowPlan, summary: StepSummary) -> Picture:
    start, loops, trigger = make_flow_node_id(plan.name), plan.loops, plan.config.trigger
    condition = trigger.condition if trigger is not None else None
    nodes = {start: Node(start, START, plan.config.description, condition)}
    edges = [Edge(start, plan.first, "next")]
    for planned in plan.steps.values():
        step, loop = planned.step, loops.get(planned.id)
        when = step.when if isinstance(step.when, str) else None
        nodes[step.step] = Node(step.step, step.type, summary.summarise(step), when, loop)
        edges += find_edges(planned, loop, plan.config.on_error)
    nodes |= {e.target: _make_outer_node(e.target) for e in edges if e.target not in nodes}
    return Picture(plan.name, tuple(nodes.values()), tuple(edges))


def _make_outer_node(target: str) -> Node:
    if target in ENDINGS:
        return Node(target, target, ENDINGS[target])
    return Node(target, FLOW, target.removeprefix(make_flow_node_id("")))


def make_flow_node_id(name: str) -> str:
    """The id of the node that stands for a flow."""
    return f"flow:{name}"


def find_edges(planned: PlannedStep, loop: str | None, on_error: str | None) -> Iterator[Edge]:
    """All edges from a step inside `loop`; `on_error` is the flow's own error target."""
    named = [ref for ref in planned.step.refs() if ref.kind == "target"]
    edges = {ref.edge for ref in named}
    onwards = list(_find_next_edge(planned, edges, loop))
    # Refs instead of the plan's targets: two arms of a branch may have the same condition.
    for ref in named:
        target = planned.next if ref.value == CONTINUE else ref.value
        yield Edge(planned.id, target, *_describe_target(ref))
    yield from onwards
    if planned.step.type == "confirm" and "on_no" not in edges:
        # The first no asks what to change; a second one cancels.
        yield Edge(planned.id, CANCEL, "on_no", "no")
    if planned.is_conditional and planned.skipped not in {edge.target for edge in onwards}:
        yield Edge(planned.id, planned.skipped, "skipped", "skipped")
    if "on_error" not in edges:
        yield from _make_error_edges(planned, on_error)
    for ref in planned.step.refs():
        if ref.kind == "flow":
            yield Edge(planned.id, make_flow_node_id(ref.value), planned.step.type)


def _describe_target(ref: Ref) -> tuple[str, str]:
    # A branch's condition may look like a key, so its path decides.
    if ref.path == (ref.edge,):
        return ref.edge, ref.edge.removeprefix("on_")
    return ("else" if ref.edge == "else" else "then"), ref.edge


def _find_next_edge(planned: PlannedStep, edges: set[str], loop: str | None) -> Iterator[Edge]:
    """The edge to the next step, unless the step always names its target."""
    kind = planned.step.type
    decided = {"branch": "else" in edges, "confirm": "on_yes" in edges, "link": True}
    if not decided.get(kind, False):
        again = "again" if planned.next == loop else ""
        yield Edge(planned.id, planned.next, "next", _NEXT_LABELS.get(kind, again))


def _make_error_edges(planned: PlannedStep, on_error: str | None) -> Iterator[Edge]:
    """The flow's error edge, for a step that can fail and has no `on_error` of its own."""
    target = planned.next if on_error == CONTINUE else on_error
    can_fail = "on_error" in type(planned.step).model_fields
    # The error step does not handle its own failure.
    if can_fail and target is not None and target != planned.id:
        yield Edge(planned.id, target, "on_error", "error")
