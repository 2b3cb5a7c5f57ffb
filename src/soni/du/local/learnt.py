"""Learnt: what was found out for one assistant, beside what its author wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

from soni.config.program import LocalProgram
from soni.du.context import DialogueContext, FlowBrief
from soni.du.local.limits import LIMITS, Limits
from soni.du.program import UnfitProgramError


@dataclass(frozen=True)
class Learnt:
    """Other limits than usual, and more examples of flows: their classifier learns from them."""

    limits: Limits = LIMITS
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By flow."""

    @classmethod
    def of(cls, program: LocalProgram) -> "Learnt":
        """What a program says. Raises `UnfitProgramError` if it names a limit there is not."""
        known = [each.name for each in fields(Limits)]
        unknown = sorted(program.limits.keys() - set(known))
        if unknown:
            raise UnfitProgramError(
                f"there is no limit {', '.join(unknown)} in this version; "
                f"available: {', '.join(known)}"
            )
        return cls(replace(LIMITS, **program.limits), dict(program.examples))

    def program(self) -> LocalProgram:
        """As it is saved: only what is not as usual."""
        names = [each.name for each in fields(Limits)]
        own = {name: getattr(self.limits, name) for name in names}
        usual = {name: getattr(LIMITS, name) for name in names}
        limits = {name: value for name, value in own.items() if value != usual[name]}
        return LocalProgram(limits=limits, examples=dict(self.examples))

    def add_examples(self, context: DialogueContext) -> DialogueContext:
        """The moment, with the examples that were learnt."""
        if not self.examples:
            return context
        flows = tuple(map(self._flow, context.available_flows))
        return context.model_copy(update={"available_flows": flows})

    def _flow(self, flow: FlowBrief) -> FlowBrief:
        more = self.examples.get(flow.name, ())
        return flow.model_copy(update={"examples": (*flow.examples, *more)}) if more else flow


NOTHING = Learnt()
