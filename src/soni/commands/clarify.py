"""Clarify: the user asks something."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample
from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext


class Clarify(Command):
    """The user asks something; an empty topic means what was just asked."""

    place: ClassVar[Place] = Place.DIGRESS
    keys: ClassVar[tuple[str, ...]] = ("topic",)
    quotes: ClassVar[frozenset[str]] = frozenset({"topic"})
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("is there a limit?", asked="How heavy is it?"),
    )

    type: Literal["Clarify"] = "Clarify"
    topic: str = ""

    if TYPE_CHECKING:

        def __init__(self, topic: str = ...) -> None: ...


class ClarifyHandler(CommandHandler[Clarify]):
    """A digression: it never touches the stack."""

    command = Clarify

    def review(self, command: Clarify, others: Sequence[Command], situation: Situation) -> Verdict:
        """Reject if the assistant does not answer questions."""
        if situation.assistant.config.conversation_patterns.clarification.enabled:
            return Accept()
        return Reject("clarification is disabled")

    async def execute(
        self, command: Clarify, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Answer. The pending question is repeated at the end of the turn."""
        handle = context.digression_handler.handle
        return Handled(await handle("clarify", command.topic, state, context))


HANDLER = ClarifyHandler()
