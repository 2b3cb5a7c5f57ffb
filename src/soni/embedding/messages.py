"""Messages between a host's state and a turn: LangChain's on one side, plain data on the other."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, convert_to_messages

from soni.core.errors import InvalidInputError
from soni.core.types import DialogueState
from soni.runtime.open_question import find_open_question
from soni.runtime.turn import Turn

ANSWER_FORMS: Final = "a text, {'text': ...} or {'press': the label of a button}"


def find_user_message(state: Any, key: str) -> HumanMessage:
    """The newest message of the user in a host's state."""
    held = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    messages: Sequence[BaseMessage] = convert_to_messages(held or ())
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message
    kinds = ", ".join(message.type for message in messages) or "none"
    raise InvalidInputError(f"state['{key}']", "a HumanMessage among the messages", kinds)


def convert_answer(answer: Any, message_id: str) -> HumanMessage | None:
    """What a graph was resumed with, as a message; None: it is none of `ANSWER_FORMS`."""
    if isinstance(answer, str):
        return HumanMessage(answer, id=message_id)
    if isinstance(answer, Mapping):
        text, label = answer.get("text"), answer.get("press")
        if isinstance(label, str):
            return HumanMessage(label, id=message_id, additional_kwargs={"press": True})
        if isinstance(text, str):
            return HumanMessage(text, id=message_id)
    return None


def is_pressed(message: HumanMessage) -> bool:
    """Whether the message is the label of a button that was pressed."""
    return bool(message.additional_kwargs.get("press"))


def make_reply_id(message_id: str, index: int) -> str:
    """The same message has the same replies: a host that merges by id shows them once."""
    return f"{message_id}-reply-{index}"


def make_replies(turn: Turn, message_id: str, waiting: dict[str, Any] | None) -> list[AIMessage]:
    """What the bot said; the last message also says what is waited for."""
    said = [
        AIMessage(text, id=make_reply_id(message_id, i)) for i, text in enumerate(turn.messages)
    ]
    # The state of an older turn is gone; its texts are in the journal.
    if turn.number == turn.state["turn_count"]:
        for message, reply in zip(said, turn.state["replies"], strict=False):
            message.name = reply.get("by")
            if "ui" in reply:
                message.additional_kwargs["ui"] = reply["ui"]
    for message in said:
        message.response_metadata["turn"] = turn.number
    if said and waiting is not None:
        said[-1].additional_kwargs["waiting"] = waiting
    return said


def describe_waiting(state: DialogueState) -> dict[str, Any] | None:
    """The open question as plain data, for whoever must answer it; None: there is none."""
    asked = find_open_question(state)
    if asked is None:
        return None
    return {
        "text": asked.text,
        "kind": asked.kind,
        "slot": asked.slot,
        "options": list(asked.options),
    }
