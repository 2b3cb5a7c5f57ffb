"""A flow's plan: targets resolved, and for each step what it reads and writes.

The compiler builds graphs from plans, corrections follow their data flow, and checks and diagrams
read them. They are computed once, when the assistant is loaded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from soni.config.flow import FlowConfig
from soni.config.signature import ActionSignature
from soni.core.constants import CALLER, CONTINUE, END, ERROR_SLOTS, RESERVED_TARGETS
from soni.core.expressions import is_expression, parse_braced, parse_expression
from soni.core.texts import Text
from soni.steps import StepConfig, find_names
from soni.steps.spelling import iter_steps


@dataclass(frozen=True)
class PlannedStep:
    """A step with everything resolved."""

    step: StepConfig
    next: str
    """Where control goes after it, if the step does not say otherwise."""

    skipped: str
    """Where control goes if its guard is false; then `jump_to` does not apply either."""

    targets: Mapping[str, str]
    """Edge -> target, `continue` resolved."""

    reads: frozenset[str]
    writes: frozenset[str]
    actions: tuple[ActionSignature, ...] = ()
    repeatable: bool = True
    """Whether running it again is harmless."""

    feeds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Input of the called flow -> the names that its value is computed from."""

    copies: Mapping[str, str] = field(default_factory=dict)
    """Input of the called flow -> the slot that it copies unchanged."""

    inside: frozenset[str] = frozenset()
    """What the called flow asks for and reads, including the flows that it calls or links to."""

    fills: frozenset[str] = frozenset()
    """What these flows write."""

    @property
    def id(self) -> str:
        """The step's id."""
        return self.step.step

    @property
    def successors(self) -> frozenset[str]:
        """All targets control may go to from here."""
        ways = {self.next, *self.targets.values()}
        return frozenset(ways | {self.skipped} if self.is_conditional else ways)

    @property
    def is_conditional(self) -> bool:
        """Whether a condition decides if it runs at all."""
        return isinstance(self.step.when, str)

    @property
    def guard_reads(self) -> frozenset[str]:
        """The names that its guard reads."""
        when = self.step.when
        return parse_expression(when).names if isinstance(when, str) else frozenset()

    @property
    def decides(self) -> bool:
        """Whether the next step depends on what this one reads."""
        forks = self.step.type in ("branch", "while")
        return forks or (self.is_conditional and self.next != self.skipped)

    @property
    def offers(self) -> frozenset[str]:
        """The names that the list of options is computed from."""
        source = getattr(self.step, "source", None)
        return parse_expression(source).names if source is not None else frozenset()

    @property
    def action(self) -> ActionSignature | None:
        """The action it calls, or the first of them."""
        return self.actions[0] if self.actions else None


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
    """Confirm -> the slots that it shows, or that the steps after its yes depend on."""

    @property
    def loops(self) -> dict[str, str]:
        """Step -> the loop in which it stands, the innermost one."""
        outers = self.steps.values()
        return {inner.step: outer.id for outer in outers for inner in outer.step.children}

    def find_computed_names(self, loop: str) -> frozenset[str]:
        """What the steps of a loop, and of loops inside it, compute rather than ask for."""
        inside = [self.steps[step.step] for step in iter_steps(self.steps[loop].step.children)]
        return frozenset().union(*(p.writes for p in inside if not p.step.collects))

    def find_sources(self, names: Iterable[str]) -> frozenset[str]:
        """The names, and those that they are derived from."""
        return _add_sources(set(names), self.steps.values())

    def resolve_target(self, step_id: str, target: str) -> str:
        """The step id, or the reserved word, that `target` means at a step."""
        return self.steps[step_id].next if target == CONTINUE else target

    def find_asker(self, slot: str) -> str | None:
        """The step that collects a slot, if one does."""
        collecting = (planned for planned in self.steps.values() if planned.step.collects)
        return next((planned.id for planned in collecting if slot in planned.writes), None)

    def takes_text(self, slot: str) -> bool:
        """Whether the user says the slot's value, rather than picking it from a list."""
        return self.find_asker(slot) is not None and self.find_options_source(slot) is None

    def find_options_source(self, slot: str) -> str | None:
        """The list from which the user picks the slot's value."""
        asker = self.find_asker(slot)
        return getattr(self.steps[asker].step, "source", None) if asker else None

    def find_question(self, slot: str) -> Text | None:
        """The message of the step that collects a slot."""
        asker = self.find_asker(slot)
        return getattr(self.steps[asker].step, "message", None) if asker else None


def plan_flow(
    name: str,
    flow: FlowConfig,
    signature: Callable[[str], ActionSignature],
    flows: Mapping[str, FlowConfig],
) -> FlowPlan:
    """Resolve a flow. It must have passed its checks."""
    planner = _Planner(flow, signature, flows)
    steps = {
        step.step: planner.plan_step(step, below) for step, below in _flatten_steps(flow.steps, END)
    }
    return FlowPlan(
        name=name,
        config=flow,
        steps=steps,
        first=flow.steps[0].step,
        asks=_find_asked_slots(flow, steps),
        guards={
            step_id: _find_guarded_slots(planned, steps)
            for step_id, planned in steps.items()
            if planned.step.type == "confirm"
        },
    )


def find_written_names(
    step: StepConfig, signature: Callable[[str], ActionSignature], flows: Mapping[str, FlowConfig]
) -> frozenset[str]:
    """The names that a step fills."""
    names = {ref.value for ref in step.refs() if ref.kind == "slot" and ref.writes}
    for use in step.calls():
        outputs = signature(use.action).outputs or ()
        names |= {use.map_outputs.get(output, output) for output in outputs}
    called = step.subflow()
    if called is not None and called.flow in flows:
        outputs = flows[called.flow].outputs
        names |= {called.outputs.get(output, output) for output in outputs}
    return frozenset(names)


def _flatten_steps(steps: Sequence[StepConfig], after: str) -> Iterator[tuple[StepConfig, str]]:
    """Every step with its successor; the last step of a loop leads back to the loop."""
    for index, step in enumerate(steps):
        yield step, steps[index + 1].step if index + 1 < len(steps) else after
        yield from _flatten_steps(step.children, step.step)


@dataclass(frozen=True)
class _Planner:
    """Plans the steps of one flow."""

    flow: FlowConfig
    signature: Callable[[str], ActionSignature]
    flows: Mapping[str, FlowConfig]

    def plan_step(self, step: StepConfig, below: str) -> PlannedStep:
        called = tuple(self.signature(use.action) for use in step.calls())
        inside = list(self._iter_called_steps(step))
        asked = [self._find_writes(each) for each in inside if each.collects]
        following = below if step.jump_to == CONTINUE else step.jump_to or below
        targets = {ref.edge: ref.value for ref in step.all_refs() if ref.kind == "target"}
        if (called or step.subflow()) and self.flow.on_error is not None:
            targets.setdefault("on_error", self.flow.on_error)
        return PlannedStep(
            step=step,
            next=following,
            skipped=below,
            targets={edge: following if to == CONTINUE else to for edge, to in targets.items()},
            reads=self._find_reads(step),
            writes=self._find_writes(step),
            actions=called,
            repeatable=all(map(self._is_repeatable, [step, *inside])),
            feeds=self._find_feeds(step),
            copies=self._find_copies(step),
            inside=frozenset().union(*map(self._find_reads, inside), *asked),
            fills=frozenset().union(*map(self._find_writes, inside)),
        )

    def _find_reads(self, step: StepConfig) -> frozenset[str]:
        read: set[str] = set()
        for ref in step.all_refs():
            read |= find_names(ref)
            if ref.kind == "slot" and not ref.writes:
                read.add(ref.value)
        for use in step.calls():
            inputs = self.signature(use.action).inputs
            read |= {needed.name for needed in inputs if needed.name not in use.inputs}
        called = step.subflow()
        if called is not None and called.flow in self.flows:
            read |= set(self.flows[called.flow].inputs) - set(called.inputs)
        return frozenset(read - {CALLER, *ERROR_SLOTS})

    def _find_writes(self, step: StepConfig) -> frozenset[str]:
        return find_written_names(step, self.signature, self.flows)

    def _is_repeatable(self, step: StepConfig) -> bool:
        return all(self.signature(use.action).repeatable for use in step.calls())

    def _find_feeds(self, step: StepConfig) -> dict[str, frozenset[str]]:
        called = step.subflow()
        if called is None or called.flow not in self.flows:
            return {}
        same = {name: frozenset({name}) for name in self.flows[called.flow].inputs}
        given = {
            name: parse_braced(value).names if is_expression(value) else frozenset[str]()
            for name, value in called.inputs.items()
        }
        return {**same, **given}

    def _find_copies(self, step: StepConfig) -> dict[str, str]:
        called = step.subflow()
        if called is None:
            return {}
        plain = {name: _find_bare_name(value) for name, value in called.inputs.items()}
        same = {name: name for name in self._find_feeds(step) if name not in plain}
        return {**same, **{name: source for name, source in plain.items() if source is not None}}

    def _iter_called_steps(self, step: StepConfig) -> Iterator[StepConfig]:
        """The steps of the flow that it calls, and of those that this one calls or goes over to."""
        called = step.subflow()
        # Each flow is visited once: repeated calls would double the work with every level.
        todo, seen = [called.flow] if called is not None else [], set[str]()
        while todo:
            name = todo.pop()
            if name in self.flows and name not in seen:
                seen.add(name)
                for each in iter_steps(self.flows[name].steps):
                    yield each
                    todo += [ref.value for ref in each.all_refs() if ref.kind == "flow"]


def _find_bare_name(value: Any) -> str | None:
    """The slot name, if the value is a bare `{{ name }}`."""
    if not is_expression(value):
        return None
    expression = parse_braced(value)
    name = next(iter(expression.names), None)
    return name if name == value.strip().strip("{}").strip() else None


def _find_asked_slots(flow: FlowConfig, steps: Mapping[str, PlannedStep]) -> frozenset[str]:
    derived: set[str] = set()
    asked = set(flow.inputs)
    for planned in steps.values():
        if planned.step.collects:
            asked |= planned.writes
        else:
            derived |= planned.writes
    for planned in steps.values():
        if planned.action is not None:
            asked |= planned.reads - derived
    return frozenset(asked)


def _find_guarded_slots(confirm: PlannedStep, steps: Mapping[str, PlannedStep]) -> frozenset[str]:
    names = set(confirm.reads)
    todo, seen = [confirm.targets.get("on_yes", confirm.next)], {confirm.id}
    while todo:
        here = todo.pop()
        if here in RESERVED_TARGETS or here in seen or here not in steps:
            continue
        seen.add(here)
        acts = steps[here].actions or steps[here].step.subflow() is not None
        names |= steps[here].reads if acts else set()
        # The next confirm guards what follows it.
        if steps[here].step.type != "confirm":
            todo.extend(steps[here].successors)
    return _add_sources(names, steps.values())


def _add_sources(names: set[str], steps: Iterable[PlannedStep]) -> frozenset[str]:
    """The names, and those that they were derived from."""
    sources: dict[str, set[str]] = {}
    for planned in steps:
        for name in planned.writes if not planned.step.collects else ():
            sources.setdefault(name, set()).update(planned.reads | planned.inside)
    todo = list(names)
    while todo:
        new = sources.get(todo.pop(), set()) - names
        names |= new
        todo += new
    return frozenset(names)
