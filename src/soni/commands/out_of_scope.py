"""OutOfScope: the user wants something the assistant does not do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Verdict
from soni.commands.command_schema import CommandExample
from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext


class OutOfScope(Command):
    """A wish that none of the flows can help with."""

    place: ClassVar[Place] = Place.DIGRESS
    keys: ClassVar[tuple[str, ...]] = ("topic",)
    quotes: ClassVar[frozenset[str]] = frozenset({"topic"})
    said: ClassVar[tuple[CommandExample, ...]] = (CommandExample("what is the weather like?"),)

    type: Literal["OutOfScope"] = "OutOfScope"
    topic: str | None = None

    if TYPE_CHECKING:

        def __init__(self, topic: str | None = ...) -> None: ...


class OutOfScopeHandler(CommandHandler[OutOfScope]):
    """A short reply, then the pending question."""

    command = OutOfScope

    def review(
        self, command: OutOfScope, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Always fine."""
        return Accept()

    async def execute(
        self, command: OutOfScope, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Reply."""
        return Handled(
            await context.digression_handler.handle(
                "out_of_scope", command.topic or "", state, context
            )
        )


HANDLER = OutOfScopeHandler()
