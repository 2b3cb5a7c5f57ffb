"""What holds for the actions of a whole walk: no payment without a yes, none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from soni.config.models import FlowConfig
from soni.steps.spelling import iter_steps
from tests.property.functions import Call
from tests.property.generators import Made
from tests.property.invariants import Step

_DONE = ("works", "says", "returns a list")


class Effects:
    """Watches the calls of one walk."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self._flow_names: dict[str, str] = {}
        self._yes: set[tuple[str, str]] = set()
        """Confirms that got a yes."""

        self._done: Counter[tuple[str, str]] = Counter()
        """Successful calls per instance and step."""

        self._done_since_yes: Counter[tuple[str, str]] = Counter()
        self._keys: Counter[tuple[str, str, str, str]] = Counter()

    def check(self, step: Step) -> None:
        """Look at the calls of one more turn."""
        self._know(step)
        if step.affirmed is not None:
            self._yes.add(step.affirmed)
            self._done_since_yes.clear()
        for call in step.calls:
            if call.action != self._made.config.settings.handoff.action:
                self._check_call(call, step)

    def _know(self, step: Step) -> None:
        for state in (step.before, step.after):
            for flow in [*state["flow_stack"], *state["metadata"]["completed_flows"]]:
                self._flow_names[flow["flow_id"]] = flow["flow_name"]
        for call in step.calls:
            # An instance that began and ended in this turn may not have been archived.
            self._flow_names.setdefault(call.flow_id, call.flow_id.rsplit("_", 1)[0])

    def _check_call(self, call: Call, step: Step) -> None:
        contract = self._made.config.actions[call.action]
        flow = self._made.config.flows[self._flow_names[call.flow_id]]
        if contract.confirm:
            self._check_confirmed(call, flow, step)
        place = (call.flow_id, call.step)
        self._keys[call.key] += 1
        if call.outcome in _DONE:
            self._done[place] += 1
            self._done_since_yes[place] += 1
        if not contract.repeatable:
            tries = _tries(flow, call.step)
            assert self._keys[call.key] <= tries, f"{call} ran twice in one visit"
            assert self._done[place] <= 1 or _repeats(flow, call.step), f"{call} was done twice"
            once = not contract.confirm or self._done_since_yes[place] <= 1
            assert once, f"{call} was done twice on one yes"

    def _check_confirmed(self, call: Call, flow: FlowConfig, step: Step) -> None:
        ids = [made.step for made in flow.steps]
        confirm = (call.flow_id, ids[ids.index(call.step) - 1])
        assert confirm in self._yes, f"{call} without a yes"
        if step.confirming == confirm:
            assert step.affirmed == confirm, f"{call} although the answer was no yes"


def _tries(flow: FlowConfig, step_id: str) -> int:
    step = next(made for made in iter_steps(flow.steps) if made.step == step_id)
    retry = getattr(step, "retry", None)
    return retry.max_attempts if retry else 1


def _repeats(flow: FlowConfig, step_id: str) -> bool:
    """Whether the flow itself may come to the step again."""
    in_a_loop = (
        inner.step for outer in iter_steps(flow.steps) for inner in iter_steps(outer.children)
    )
    return step_id in in_a_loop or has_loop(flow)


def has_loop(flow: FlowConfig) -> bool:
    """Whether some way leads back."""
    place = {step.step: index for index, step in enumerate(flow.steps)}
    return any(
        place[target] <= index
        for index, step in enumerate(flow.steps)
        for target in _targets(flow, index)
        if target in place
    )


def _targets(flow: FlowConfig, index: int) -> Iterable[str]:
    yield from (ref.value for ref in flow.steps[index].all_refs() if ref.kind == "target")
    # Any step may fail.
    if flow.on_error is not None:
        yield flow.on_error
