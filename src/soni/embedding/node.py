"""A turn of an assistant as a node of a host's graph."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer
from langgraph.graph.message import push_message
from langgraph.types import StreamWriter

from soni.commands import Command
from soni.commands.offers import resolve_press
from soni.core.errors import NotAllowedError
from soni.core.formats import load_formats
from soni.embedding.caller import Caller, get_task_id, identify_caller
from soni.embedding.messages import (
    describe_waiting,
    find_user_message,
    is_pressed,
    make_replies,
    make_reply_id,
)
from soni.language import list_language_codes
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import MessageEvent, PieceEvent, TurnEvent

Identify = Callable[[RunnableConfig], Caller]


class Node(Protocol):
    """What LangGraph calls: it returns an update of the state."""

    def __call__(self, state: Any, config: RunnableConfig) -> Awaitable[dict[str, Any]]:
        """Run the node."""


def make_node(
    assistant: RuntimeLoop, *, messages_key: str = "messages", identify: Identify = identify_caller
) -> Node:
    """A node that answers the newest message of the user.

        graph.add_node("bank", make_node(RuntimeLoop(SoniConfig.load("bank"))))

    It adds the bot's messages to `messages`, and writes what the assistant waits for to
    `waiting`, if the host's state has such a key. The conversation is in the assistant's own
    store. The id of the user's message is the turn's: if the node runs again (a retry, a resume,
    an earlier checkpoint), it answers as before and nothing is done twice.
    """

    # A host's event loop must not wait for a disk: some servers refuse to.
    load_formats(list_language_codes())

    async def answer_message(state: Any, config: RunnableConfig) -> dict[str, Any]:
        message = find_user_message(state, messages_key)
        caller = identify(config)
        # A host that gives its messages no ids still runs a failed node again as the same task.
        message_id = message.id or get_task_id()
        stream = _ReplyStream(message_id, get_stream_writer())
        events = assistant.stream(
            message.text,
            caller.user_id,
            caller.conversation_id,
            message_id,
            caller.language,
            caller.context,
            commands=await _find_commands(assistant, caller, message),
        )
        async for event in events:
            match event:
                case PieceEvent(text):
                    stream.write_piece(text)
                case MessageEvent(text):
                    stream.write_message(text)
                case TurnEvent(turn):
                    waiting = describe_waiting(turn.state)
                    replies = make_replies(turn, message_id, waiting)
                    stream.close(replies)
        return {messages_key: replies, "waiting": waiting}

    return answer_message


class _ReplyStream:
    """Hands on what is said while it is said: `stream_mode="custom"` and `"messages"`."""

    def __init__(self, message_id: str, write: StreamWriter) -> None:
        self._message_id = message_id
        self._write = write
        self._index = 0
        self._pieces = ""
        self._replaced = set[str]()

    def write_piece(self, text: str) -> None:
        self._write({"type": "piece", "text": text})
        self._push_chunk(text)
        self._pieces += text

    def write_message(self, text: str) -> None:
        self._write({"type": "message", "text": text})
        if not self._pieces:
            self._push_chunk(text)
        elif text != self._pieces:
            self._replaced.add(self._reply_id)
        self._pieces = ""
        self._index += 1

    def close(self, replies: Sequence[AIMessage]) -> None:
        """Send what is known only now: what is shown beside each message, and waited for."""
        for reply in replies:
            if reply.id in self._replaced:
                # A whole message takes the place of its chunks.
                push_message(reply, state_key=None)
                continue
            last = AIMessageChunk(
                content="",
                id=reply.id,
                name=reply.name,
                additional_kwargs=reply.additional_kwargs,
                response_metadata=reply.response_metadata,
                chunk_position="last",
            )
            push_message(last, state_key=None)

    def _push_chunk(self, text: str) -> None:
        push_message(AIMessageChunk(content=text, id=self._reply_id), state_key=None)

    @property
    def _reply_id(self) -> str:
        return make_reply_id(self._message_id, self._index)


async def _find_commands(
    assistant: RuntimeLoop, caller: Caller, message: HumanMessage
) -> list[Command] | None:
    """The commands of a pressed button; None: the message is to be understood."""
    if not is_pressed(message):
        return None
    try:
        return resolve_press(message.text, await assistant.get_state(caller.conversation_id))
    except NotAllowedError:
        # It may have been pressed before this node ran again: then the turn is only repeated.
        return None
