"""ChitChat: the user is just talking."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Verdict
from soni.commands.command_schema import CommandExample
from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext


class ChitChat(Command):
    """Small talk."""

    place: ClassVar[Place] = Place.DIGRESS
    keys: ClassVar[tuple[str, ...]] = ("hint",)
    quotes: ClassVar[frozenset[str]] = frozenset({"hint"})
    said: ClassVar[tuple[CommandExample, ...]] = (CommandExample("hello"),)

    type: Literal["ChitChat"] = "ChitChat"
    hint: str | None = None

    if TYPE_CHECKING:

        def __init__(self, hint: str | None = ...) -> None: ...


class ChitChatHandler(CommandHandler[ChitChat]):
    """A short reply, then the pending question."""

    command = ChitChat

    def review(self, command: ChitChat, others: Sequence[Command], situation: Situation) -> Verdict:
        """Always fine."""
        return Accept()

    async def execute(
        self, command: ChitChat, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Reply."""
        return Handled(
            await context.digression_handler.handle("chitchat", command.hint or "", state, context)
        )


HANDLER = ChitChatHandler()
