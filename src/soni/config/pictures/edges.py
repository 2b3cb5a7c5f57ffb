"""The ways from one step to others, each with what is to be read on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from soni.config.plan import PlannedStep
from soni.core.constants import CANCEL, CONTINUE
from soni.steps import Ref

_NEXT = {"branch": "else", "confirm": "yes", "while": "done"}
"""What is to be read on the way onwards, where there are others."""


@dataclass(frozen=True)
class Edge:
    """A way from one node to another."""

    source: str
    target: str
    kind: str
    """`next`; `then` and `else` of a branch; `do` of a loop; `skipped` by a guard; `call` and
    `link` to a flow; or the key that names the target: `on_error`, `on_yes`, ..."""

    label: str = ""
    """A branch's condition or case, or in a word when this way is taken."""


def flow_node(name: str) -> str:
    """The id of the node that stands for a flow."""
    return f"flow:{name}"


def edges_of(planned: PlannedStep, loop: str | None, on_error: str | None) -> Iterator[Edge]:
    """All ways from a step inside `loop`, in a flow whose own way out of errors is `on_error`."""
    named = [ref for ref in planned.step.refs() if ref.kind == "target"]
    edges = {ref.edge for ref in named}
    onwards = list(_onwards(planned, edges, loop))
    # The step's refs, not the plan's targets: two arms of a branch may have one condition.
    for ref in named:
        target = planned.next if ref.value == CONTINUE else ref.value
        yield Edge(planned.id, target, *_kind_and_label(ref))
    yield from onwards
    if planned.step.type == "confirm" and "on_no" not in edges:
        # The first no asks what to change; only a no to that as well cancels.
        yield Edge(planned.id, CANCEL, "on_no", "no")
    if planned.is_conditional and planned.skipped not in {edge.target for edge in onwards}:
        yield Edge(planned.id, planned.skipped, "skipped", "skipped")
    if "on_error" not in edges:
        yield from _make_error_edges(planned, on_error)
    for ref in planned.step.refs():
        if ref.kind == "flow":
            yield Edge(planned.id, flow_node(ref.value), planned.step.type)


def _kind_and_label(ref: Ref) -> tuple[str, str]:
    # A branch's condition may read like a key, but it does not stand under that key.
    if ref.path == (ref.edge,):
        return ref.edge, ref.edge.removeprefix("on_")
    return ("else" if ref.edge == "else" else "then"), ref.edge


def _onwards(planned: PlannedStep, edges: set[str], loop: str | None) -> Iterator[Edge]:
    """The way to the next step, unless the step always says where to go."""
    kind = planned.step.type
    decided = {"branch": "else" in edges, "confirm": "on_yes" in edges, "link": True}
    if not decided.get(kind, False):
        again = "again" if planned.next == loop else ""
        yield Edge(planned.id, planned.next, "next", _NEXT.get(kind, again))


def _make_error_edges(planned: PlannedStep, on_error: str | None) -> Iterator[Edge]:
    """The flow's way out of errors, from a step that can fail and has none of its own."""
    target = planned.next if on_error == CONTINUE else on_error
    can_fail = "on_error" in type(planned.step).model_fields
    # A failure of the error step itself is not its own to handle.
    if can_fail and target is not None and target != planned.id:
        yield Edge(planned.id, target, "on_error", "error")
