"""An assistant ready to run: its configuration, functions, plans and lookups."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from soni.config.definitions import KnowledgeEntry, Response
from soni.config.signature import ActionSignature, build_signature
from soni.config.slot import SlotConfig
from soni.config.soni_config import Plans, SoniConfig
from soni.core.invocation import Invoker
from soni.core.texts import Text
from soni.slots import SlotType, collect_responses

_UNDECLARED_SLOT = SlotConfig()


class Assistant:
    """The read-only model of an assistant: configuration, functions, plans and lookups.

    A runtime builds one and shares it between all conversations:

        assistant = Assistant(SoniConfig.load("examples/bank"))
        assistant.plans["transfer"].first
    """

    def __init__(
        self,
        config: SoniConfig,
        version: str | None = None,
        *,
        pinned: Mapping[str, str] = MappingProxyType({}),
        unpinned: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.config = config
        self.functions = config.functions
        self.version = version
        """The fingerprint of its flows; None: it has no runtime."""

        self.pinned = pinned
        """Flows that are as they were: name -> the fingerprint of that version."""

        self.unpinned = unpinned
        """Versions that open tasks should end on and cannot: fingerprint -> why."""

    def get_version(self, flow: str) -> str | None:
        """The version that a flow is of."""
        return self.pinned.get(flow, self.version)

    @cached_property
    def plans(self) -> Plans:
        """Every flow's plan, by name."""
        return self.config._shelf.get_plans(self.config.flows, self.signatures)

    @cached_property
    def signatures(self) -> Mapping[str, ActionSignature]:
        """Every action that has a function or a contract, by name."""
        functions, contracts = self.functions.actions, self.config.actions
        names = {**functions, **contracts}
        return MappingProxyType(
            {
                name: build_signature(name, functions.get(name), contracts.get(name))
                for name in names
            }
        )

    @cached_property
    def invoker(self) -> Invoker:
        """Calls the functions; the runtime's conversations share its threads."""
        return Invoker(self.config.settings.runtime.max_threads)

    @cached_property
    def knowledge(self) -> Mapping[str, KnowledgeEntry]:
        """Every entry of the assistant's own knowledge, by its id."""
        return MappingProxyType({entry.id: entry for entry in self.config.knowledge})

    def get_signature(self, action: str) -> ActionSignature:
        """An action's signature; an unknown action has no inputs and no outputs."""
        return self.signatures.get(action) or build_signature(action, None, None)

    def get_slot_config(self, name: str) -> SlotConfig:
        """A slot's definition; an undeclared one is a string."""
        return self.config.slots.get(name, _UNDECLARED_SLOT)

    def is_declared(self, name: str) -> bool:
        """Whether an author defined the slot."""
        return name in self.config.slots

    def get_slot_type(self, name: str) -> SlotType:
        """A slot's type."""
        return self.get_slot_config(name).kind

    def is_shared(self, name: str) -> bool:
        """Whether the slot belongs to the conversation rather than to one flow instance."""
        return self.get_slot_config(name).scope == "conversation"

    def is_sensitive(self, name: str) -> bool:
        """Whether the slot's value must be masked wherever it is shown, logged or copied."""
        return self.get_slot_config(name).sensitive

    def is_internal(self, name: str) -> bool:
        """Whether only flows fill this slot of the conversation: no step asks the user for it.

        A user must not be able to set it by saying so, for instance that they are logged in.
        """
        asks = self.get_slot_config(name).prompt is not None or name in self._collectable_slots
        return self.is_shared(name) and not asks

    @cached_property
    def _collectable_slots(self) -> frozenset[str]:
        steps = (step for plan in self.plans.values() for step in plan.steps.values())
        return frozenset(name for step in steps if step.step.collects for name in step.writes)

    def get_response(self, name: str) -> Text | None:
        """The author's sentence of that name, else Soni's own or a slot type's."""
        written = self.config.responses.get(name, collect_responses().get(name))
        return written.text if isinstance(written, Response) else written

    def may_rephrase(self, name: str) -> bool:
        """Whether a language model may put the sentence of that name into other words."""
        written = self.config.responses.get(name)
        return isinstance(written, Response) and written.rephrase

    @cached_property
    def only_flow(self) -> str | None:
        """The flow that any message starts: the assistant has one flow, and it has no trigger."""
        flows = self.config.flows
        name = next(iter(flows), None)
        return name if name and len(flows) == 1 and flows[name].trigger is None else None
