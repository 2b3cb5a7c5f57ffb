"""Which names a text or an expression may read, depending on where it stands."""

from dataclasses import dataclass
from functools import cached_property

from soni.config.assistant import Assistant
from soni.config.flow import FlowConfig
from soni.config.plan import find_written_names
from soni.core.constants import CALLER, ERROR_SLOTS
from soni.steps import StepConfig


@dataclass(frozen=True)
class Scope:
    """The names that can be read somewhere."""

    names: frozenset[str]
    open: bool = False
    """An action may write further names, which are known only when it runs."""

    hint: str = "declare it under `slots`, or fill it in a step of this flow"

    def has_name(self, name: str) -> bool:
        """Whether a name can be read."""
        return self.open or name in self.names or name == CALLER or name in ERROR_SLOTS

    @property
    def available_names(self) -> frozenset[str]:
        """The names to list beside an unknown one."""
        return self.names | {CALLER}


OPEN_SCOPE = Scope(frozenset(), open=True)
"""For texts over the fields of items, which are known only at run time."""


class Scopes:
    """The scopes of one assistant."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._written: dict[int, frozenset[str]] = {}
        self.declared = frozenset(assistant.config.slots)

    def build_flow_scope(self, flow: FlowConfig, *, without: StepConfig | None = None) -> Scope:
        """What a flow's steps may read; `without` leaves out what that step fills."""
        steps = [step for _, step in flow.iter_steps() if step is not without]
        return Scope(
            self.declared.union(flow.inputs, *(self.find_written_names(step) for step in steps)),
            open=any(self._has_unknown_outputs(step) for step in steps),
        )

    @cached_property
    def anywhere(self) -> Scope:
        """What a sentence may read if any flow can say it."""
        flows = [self.build_flow_scope(flow) for flow in self._assistant.config.flows.values()]
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

    def find_written_names(self, step: StepConfig) -> frozenset[str]:
        """The names a step fills."""
        # Keyed by identity: steps live as long as the assistant, and hashing them is slow.
        if id(step) not in self._written:
            signature, flows = self._assistant.get_signature, self._assistant.config.flows
            self._written[id(step)] = find_written_names(step, signature, flows)
        return self._written[id(step)]

    def _has_unknown_outputs(self, step: StepConfig) -> bool:
        signatures = (self._assistant.get_signature(use.action) for use in step.calls())
        return any(signature.outputs is None for signature in signatures)
