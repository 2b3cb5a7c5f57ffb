"""Limits: how sure a model must be."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Final

from soni.config.program import LocalProgram
from soni.du.context import DialogueContext, FlowBrief
from soni.du.program import UnfitProgramError

STORY_LENGTH: Final = 400
"""A longer message is a story: the rules do not fit it, and some would be slow."""


@dataclass(frozen=True)
class Limits:
    """Found on the tuning half of tests/nlu and on half A of SGD dev. docs/understanding.md."""

    start: float = 0.5
    """To start a flow when nothing is going on."""

    interrupt: float = 0.7
    """To leave what is going on for another flow."""

    close: float = 0.15
    """Two flows this near to each other: the user is asked which."""

    examples: float = 0.75
    """How much the author's examples count beside the tagger's reading."""

    described: float = 0.5
    """How much descriptions count beside it, where there are no examples and nothing goes on."""

    question: float = 0.9
    """To take a question for the beginning of a flow that others begin without one."""

    known: float = 0.4
    """How like a question with an answer something is that cannot be foreign."""

    act: float = 0.6
    """To take a message for an act that answers nothing that was asked in words."""

    strong_act: float = 0.85
    """The same where any words may be the answer."""

    whole_act: float = 0.88
    """To take the whole of a message for what is done with a task, before looking at its parts."""

    sure_act: float = 0.78
    """The same where no word has to say so as well."""

    chat: float = 0.9
    """To take a message for small talk, whatever is in it."""

    beside: float = 0.8
    """To believe the tagger in what a rule did not see, beside what it saw."""


LIMITS = Limits()


@dataclass(frozen=True)
class LocalTuning:
    """What `soni optimize` learned for one assistant: other limits, and more examples."""

    limits: Limits = LIMITS
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By flow."""

    @classmethod
    def from_program(cls, program: LocalProgram) -> "LocalTuning":
        """The tuning in a program. Raises `UnfitProgramError` if it names an unknown limit."""
        known = [each.name for each in fields(Limits)]
        unknown = sorted(program.limits.keys() - set(known))
        if unknown:
            raise UnfitProgramError(
                f"there is no limit {', '.join(unknown)} in this version; "
                f"available: {', '.join(known)}"
            )
        return cls(replace(LIMITS, **program.limits), dict(program.examples))

    def make_program(self) -> LocalProgram:
        """The program to save: only what differs from the defaults."""
        names = [each.name for each in fields(Limits)]
        own = {name: getattr(self.limits, name) for name in names}
        usual = {name: getattr(LIMITS, name) for name in names}
        limits = {name: value for name, value in own.items() if value != usual[name]}
        return LocalProgram(limits=limits, examples=dict(self.examples))

    def add_examples(self, context: DialogueContext) -> DialogueContext:
        """The moment, with the examples that were learnt."""
        if not self.examples:
            return context
        flows = tuple(map(self._extend_flow, context.available_flows))
        return context.model_copy(update={"available_flows": flows})

    def _extend_flow(self, flow: FlowBrief) -> FlowBrief:
        more = self.examples.get(flow.name, ())
        return flow.model_copy(update={"examples": (*flow.examples, *more)}) if more else flow


NO_TUNING = LocalTuning()
