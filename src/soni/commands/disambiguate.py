"""Disambiguate: understanding cannot choose, so the user is asked."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from soni.commands.base import (
    Accept,
    Command,
    CommandHandler,
    Handled,
    Place,
    Reject,
    Rewrite,
    Verdict,
)
from soni.commands.command_schema import CommandExample, NameSet, NluField
from soni.commands.output import ask_question, render_response
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow
from soni.core.prompts import make_system_prompt
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.voice import make_label


class Disambiguate(Command):
    """One of several flows is meant, and it is not clear which."""

    place: ClassVar[Place] = Place.START
    keys: ClassVar[tuple[str, ...]] = ("flow_names",)
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("a parcel, please", {"flow_names": ["send_parcel", "find_parcel"]}),
    )

    type: Literal["Disambiguate"] = "Disambiguate"
    flow_names: Annotated[tuple[str, ...], NluField(NameSet.STARTABLE, at_least=2)]

    if TYPE_CHECKING:

        def __init__(self, flow_names: Iterable[str]) -> None: ...


class DisambiguateHandler(CommandHandler[Disambiguate]):
    """Asks which; a name, an ordinal or "none" answers."""

    command = Disambiguate

    def review(
        self, command: Disambiguate, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Only among flows that may start; one of them needs no question."""
        named = dict.fromkeys(command.flow_names)
        possible = tuple(name for name in named if situation.explain_unstartable(name) is None)
        if not possible:
            return Reject("none of these flows may start now")
        if len(possible) == 1:
            return Rewrite((StartFlow(flow_name=possible[0]),), "only one of them may start now")
        if possible != command.flow_names:
            return Rewrite((Disambiguate(flow_names=possible),), "the others may not start now")
        return Accept()

    async def execute(
        self, command: Disambiguate, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Ask."""
        options = ", ".join(
            f"{number}. {make_label(name)}" for number, name in enumerate(command.flow_names, 1)
        )
        question = render_response("disambiguate", state, context, options=options)
        names = list(command.flow_names)
        return Handled(ask_question(make_system_prompt("disambiguate", question, flow_names=names)))


HANDLER = DisambiguateHandler()
