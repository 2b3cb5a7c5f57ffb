"""Which names a text or an expression may read, depending on where it stands."""

from dataclasses import dataclass
from functools import cached_property

from soni.config.assistant import Assistant
from soni.config.flow import FlowConfig
from soni.config.plan import CALLER
from soni.core.constants import ERROR_SLOTS
from soni.steps import StepConfig


@dataclass(frozen=True)
class Scope:
    """The names that can be read somewhere."""

    names: frozenset[str]
    open: bool = False
    """An action may give more names, which nobody knows before it runs."""

    hint: str = "declare it under `slots`, or fill it in a step of this flow"

    def has(self, name: str) -> bool:
        """Whether a name can be read."""
        return self.open or name in self.names or name == CALLER or name in ERROR_SLOTS

    @property
    def offered(self) -> frozenset[str]:
        """The names to list for somebody who wrote a wrong one."""
        return self.names | {CALLER}


class Scopes:
    """The scopes of one assistant."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self.declared = frozenset(assistant.config.slots)

    def flow(self, flow: FlowConfig, *, without: StepConfig | None = None) -> Scope:
        """What a flow's steps may read; `without` leaves out what that step fills."""
        steps = [step for step in flow.steps if step is not without]
        return Scope(
            self.declared.union(flow.inputs, *(self.written(step) for step in steps)),
            open=any(self._gives_anything(step) for step in steps),
        )

    @cached_property
    def anywhere(self) -> Scope:
        """What a sentence may read that is said in any flow."""
        flows = [self.flow(flow) for flow in self._assistant.config.flows.values()]
        return Scope(
            self.declared.union(*(flow.names for flow in flows)),
            open=any(flow.open for flow in flows),
            hint="declare it under `slots`",
        )

    @cached_property
    def idle(self) -> Scope:
        """What can be read while no flow runs."""
        slots = self._assistant.config.slots.items()
        return Scope(
            frozenset(name for name, slot in slots if slot.scope == "conversation"),
            hint="no flow runs yet: only `session` and slots with `scope: conversation` are known",
        )

    def written(self, step: StepConfig) -> frozenset[str]:
        """The names a step fills."""
        names: set[str] = set()
        renamed = getattr(step, "map_outputs", {})
        for ref in step.all_refs():
            if ref.kind == "slot" and ref.writes:
                names.add(ref.value)
            elif ref.kind == "action":
                outputs = self._assistant.signature(ref.value).outputs or ()
                names.update(renamed.get(output, output) for output in outputs)
        return frozenset(names)

    def _gives_anything(self, step: StepConfig) -> bool:
        return any(
            self._assistant.signature(ref.value).outputs is None
            for ref in step.all_refs()
            if ref.kind == "action"
        )
