"""OutOfScope: the user wants something the assistant does not do."""

from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Command, CommandHandler, Handled, Place
from soni.commands.command_schema import CommandExample
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

    async def execute(
        self, command: OutOfScope, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Reply."""
        handle = context.digression_handler.handle
        return Handled(await handle("out_of_scope", command.topic or "", state, context))


HANDLER = OutOfScopeHandler()
