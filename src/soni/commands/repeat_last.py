"""RepeatLast: the user wants to hear it again."""

from typing import TYPE_CHECKING, ClassVar, Literal

from langchain_core.messages import AIMessage

from soni.commands.base import Command, CommandHandler, Handled, Place
from soni.commands.command_schema import CommandExample
from soni.commands.output import reply, respond
from soni.core.types import DialogueState, RuntimeContext


class RepeatLast(Command):
    """The user wants to hear the last messages again."""

    place: ClassVar[Place] = Place.DIGRESS
    said: ClassVar[tuple[CommandExample, ...]] = (CommandExample("what did you say?"),)

    type: Literal["RepeatLast"] = "RepeatLast"

    if TYPE_CHECKING:

        def __init__(self) -> None: ...


class RepeatLastHandler(CommandHandler[RepeatLast]):
    """Repeats the last messages. The question is repeated by the flow that asked it."""

    command = RepeatLast

    async def execute(
        self, command: RepeatLast, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Repeat the messages except the question, which follows at the end of the turn."""
        last = _get_last_bot_messages(state)
        said = [str(m.content) for m in last if not m.response_metadata.get("question")]
        follows = bool(state["flow_stack"] or state["_pending_prompt"])
        if said or (last and follows):
            return Handled(reply(*said))
        return Handled(respond("nothing_to_repeat", state, context))


def _get_last_bot_messages(state: DialogueState) -> list[AIMessage]:
    said = [message for message in state["messages"] if isinstance(message, AIMessage)]
    # Messages of one turn share the beginning of their id.
    turns = [str(message.id).partition("-")[0] for message in said]
    return [message for message, turn in zip(said, turns, strict=True) if turn == turns[-1]]


HANDLER = RepeatLastHandler()
