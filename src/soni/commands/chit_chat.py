"""ChitChat: the user is just talking."""

from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Command, CommandHandler, Handled, Place
from soni.commands.command_schema import CommandExample
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

    async def execute(
        self, command: ChitChat, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Reply."""
        handle = context.digression_handler.handle
        return Handled(await handle("chitchat", command.hint or "", state, context))


HANDLER = ChitChatHandler()
