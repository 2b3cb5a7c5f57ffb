"""RepeatLast: the user wants to hear it again."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Verdict
from soni.commands.situation import Situation
from soni.commands.speech import reply, respond
from soni.core.types import DialogueState, RuntimeContext


class RepeatLast(Command):
    """Say the last bot messages again."""

    place: ClassVar[Place] = Place.DIGRESS

    type: Literal["RepeatLast"] = "RepeatLast"


class RepeatLastHandler(CommandHandler[RepeatLast]):
    """Repeats what was said; the question is repeated by whoever asked it."""

    command = RepeatLast

    def review(
        self, command: RepeatLast, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Always fine."""
        return Accept()

    async def execute(
        self, command: RepeatLast, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Say it again, but for the question, which follows anyway."""
        last = _last_bot_messages(state)
        question = (state["_pending_prompt"] or {}).get("prompt")
        if not last:
            return Handled(respond("nothing_to_repeat", state, context))
        return Handled(reply(*(last[:-1] if last[-1] == question else last)))


def _last_bot_messages(state: DialogueState) -> list[str]:
    texts: list[str] = []
    for message in reversed(state["messages"]):
        if message.type != "ai":
            break
        texts.append(str(message.content))
    return texts[::-1]


HANDLER = RepeatLastHandler()
