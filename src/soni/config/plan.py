"""A flow's plan: targets resolved, and for each step what it reads and writes.

The compiler draws its graph from it, corrections follow its data flow, checks and pictures read
it. It is computed once, when the assistant is loaded.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from soni.config.flow import FlowConfig
from soni.config.signature import ActionSignature
from soni.core.constants import CONTINUE, END, ERROR_SLOTS, RESERVED_TARGETS
from soni.steps import Ref, StepConfig, names_in

# Names that texts and expressions may read although no slot carries them.
CALLER = "session"


@dataclass(frozen=True)
class PlannedStep:
    """A step with everything resolved."""

    step: StepConfig
    next: str
    """Where control goes after it, if the step does not say otherwise."""

    skipped: str
    """Where control goes if its guard does not hold: the jump of a skipped step is skipped too."""

    targets: Mapping[str, str]
    """Edge -> target, `continue` resolved."""

    reads: frozenset[str]
    writes: frozenset[str]
    action: ActionSignature | None = None

    @property
    def id(self) -> str:
        """The step's id."""
        return self.step.step

    @property
    def successors(self) -> frozenset[str]:
        """All targets control may go to from here."""
        ways = {self.next, *self.targets.values()}
        return frozenset(ways | {self.skipped} if self.guarded else ways)

    @property
    def guarded(self) -> bool:
        """Whether a condition decides if it runs at all."""
        return isinstance(self.step.when, str)

    @property
    def repeatable(self) -> bool:
        """Whether running it again is harmless."""
        return self.action is None or self.action.repeatable


@dataclass(frozen=True)
class FlowPlan:
    """A flow, ready to be compiled."""

    name: str
    config: FlowConfig
    steps: Mapping[str, PlannedStep]
    first: str
    asks: frozenset[str]
    """Slots the user may fill in this flow: what its steps ask for and its inputs."""

    guards: Mapping[str, frozenset[str]]
    """Confirm -> the slots that it shows, or that what follows its yes depends on."""

    def resolve(self, step_id: str, target: str) -> str:
        """The step id, or the reserved word, that `target` means at a step."""
        return self.steps[step_id].next if target == CONTINUE else target

    def asker(self, slot: str) -> str | None:
        """The step that collects a slot, if one does."""
        return next(
            (
                planned.id
                for planned in self.steps.values()
                if planned.step.waits and slot in planned.writes and planned.action is None
            ),
            None,
        )


def plan_flow(name: str, flow: FlowConfig, signature: Callable[[str], ActionSignature]) -> FlowPlan:
    """Resolve a flow. It must have passed its checks."""
    steps = {
        step.step: _planned(step, _following(flow, index), _below(flow, index), flow, signature)
        for index, step in enumerate(flow.steps)
    }
    return FlowPlan(
        name=name,
        config=flow,
        steps=steps,
        first=flow.steps[0].step,
        asks=_asked(flow, steps),
        guards={
            step_id: _guarded(planned, steps)
            for step_id, planned in steps.items()
            if planned.step.type == "confirm"
        },
    )


def _following(flow: FlowConfig, index: int) -> str:
    here = flow.steps[index]
    if here.jump_to is not None and here.jump_to != CONTINUE:
        return here.jump_to
    return _below(flow, index)


def _below(flow: FlowConfig, index: int) -> str:
    return flow.steps[index + 1].step if index + 1 < len(flow.steps) else END


def _planned(
    step: StepConfig,
    following: str,
    below: str,
    flow: FlowConfig,
    signature: Callable[[str], ActionSignature],
) -> PlannedStep:
    refs = list(step.all_refs())
    called = next((signature(ref.value) for ref in refs if ref.kind == "action"), None)
    targets = {
        ref.edge: following if ref.value == CONTINUE else ref.value
        for ref in refs
        if ref.kind == "target"
    }
    if called is not None and flow.on_error is not None:
        targets.setdefault("on_error", flow.on_error)
    return PlannedStep(
        step=step,
        next=following,
        skipped=below,
        targets=targets,
        reads=_reads(step, refs, called),
        writes=_writes(step, refs, called),
        action=called,
    )


def _reads(
    step: StepConfig, refs: Iterable[Ref], called: ActionSignature | None
) -> frozenset[str]:
    read = frozenset().union(*(names_in(ref) for ref in refs))
    if called is not None:
        given = getattr(step, "inputs", {})
        read |= {needed.name for needed in called.inputs if needed.name not in given}
    return read - {CALLER, *ERROR_SLOTS}


def _writes(
    step: StepConfig, refs: Iterable[Ref], called: ActionSignature | None
) -> frozenset[str]:
    written = {ref.value for ref in refs if ref.kind == "slot" and ref.writes}
    if called is not None:
        renamed = getattr(step, "map_outputs", {})
        written |= {renamed.get(output, output) for output in called.outputs or ()}
    return frozenset(written)


def _asked(flow: FlowConfig, steps: Mapping[str, PlannedStep]) -> frozenset[str]:
    derived: set[str] = set()
    asked = set(flow.inputs)
    for planned in steps.values():
        if planned.step.waits and planned.action is None:
            asked |= planned.writes
        else:
            derived |= planned.writes
    for planned in steps.values():
        if planned.action is not None:
            asked |= planned.reads - derived
    return frozenset(asked)


def _guarded(confirm: PlannedStep, steps: Mapping[str, PlannedStep]) -> frozenset[str]:
    names = set(confirm.reads)
    todo, seen = [confirm.targets.get("on_yes", confirm.next)], {confirm.id}
    while todo:
        here = todo.pop()
        if here in RESERVED_TARGETS or here in seen or here not in steps:
            continue
        seen.add(here)
        names |= steps[here].reads if steps[here].action is not None else set()
        # Behind the next confirm the user decides anew.
        if steps[here].step.type != "confirm":
            todo.extend(steps[here].successors)
    return _with_sources(names, steps.values())


def _with_sources(names: set[str], steps: Iterable[PlannedStep]) -> frozenset[str]:
    """The names, and those that they were derived from."""
    derivations = [s for s in steps if not (s.step.waits and s.action is None)]
    grown = True
    while grown:
        sources = frozenset().union(*(s.reads for s in derivations if s.writes & names))
        grown = not sources <= names
        names |= sources
    return frozenset(names)
