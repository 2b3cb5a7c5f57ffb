"""The plans of an assistant's flows, made once for all its copies that differ only in functions."""

from collections.abc import Iterator, Mapping
from typing import Any

from soni.config.flow import FlowConfig
from soni.config.plan import FlowPlan, plan_flow
from soni.config.signature import ActionSignature, signature_of


class Plans(Mapping[str, FlowPlan]):
    """Every flow's plan, by name."""

    def __init__(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> None:
        self._flows, self._signatures = dict(flows), dict(signatures)
        self._plans = {
            name: plan_flow(name, flow, self._signature, flows) for name, flow in flows.items()
        }
        self.graphs: dict[str, Any] = {}
        """What was compiled of them; it belongs to them, and to no runtime."""

    def __getitem__(self, name: str) -> FlowPlan:
        return self._plans[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plans)

    def __len__(self) -> int:
        return len(self._plans)

    def are_plans_of(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> bool:
        """Whether these flows, with actions of the same form, have these plans."""
        same = list(flows) == list(self._flows) and all(
            flow is self._flows[name] for name, flow in flows.items()
        )
        return same and dict(signatures) == self._signatures

    def _signature(self, action: str) -> ActionSignature:
        return self._signatures.get(action) or signature_of(action, None, None)


class Shelf:
    """Keeps the plans that were made last: copies of an assistant share it."""

    def __init__(self) -> None:
        self._last: Plans | None = None

    def plans(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> Plans:
        """The plans of these flows, made now or before."""
        last = self._last
        if last is None or not last.are_plans_of(flows, signatures):
            self._last = last = Plans(flows, signatures)
        return last
