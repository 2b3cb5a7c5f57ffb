"""Named conversations: clients of other protocols choose how a conversation is called."""

import hashlib
import json
import re
from typing import Final

from soni.server.conversations import Conversations
from soni.server.subjects import Subject

_DIGEST_CHARS: Final = 40
# Other names never reach the store: not all can be written there.
_CONVERSATION_ID: Final = re.compile(r"[a-z]_[A-Za-z0-9_-]{10,100}")
_MESSAGE_ID: Final = re.compile(r"[a-z]_[0-9a-f]{40}")


def derive_conversation_id(prefix: str, subject: Subject, name: str) -> str:
    """The id of the conversation that a subject calls so.

    The subject is a part of it, so the same name of somebody else is another conversation.
    """
    told = json.dumps([subject.id, name]).encode()
    return f"{prefix}_{hashlib.sha256(told).hexdigest()[:_DIGEST_CHARS]}"


async def open_named(talks: Conversations, subject: Subject, prefix: str, name: str) -> str:
    """The conversation that a subject calls so; it begins if there is none.

    The id of a conversation of theirs is a name for it as well.
    """
    directory = talks.runtime.store.directory
    given = await directory.find(name) if _CONVERSATION_ID.fullmatch(name) else None
    if given is not None and given.user_id == subject.id:
        return name
    conversation_id = derive_conversation_id(prefix, subject, name)
    if await directory.find(conversation_id) is None:
        await talks.open(subject, conversation_id)
    await talks.require(subject, conversation_id)
    return conversation_id


def derive_message_id(prefix: str, *parts: str) -> str:
    """A message id made of what a client calls it, however long that is."""
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    return f"{prefix}_{digest[:_DIGEST_CHARS]}"


async def was_handled(talks: Conversations, conversation_id: str, message_id: str) -> bool:
    """Whether a message of such an id was answered before."""
    if _MESSAGE_ID.fullmatch(message_id) is None:
        return False
    inbox = talks.runtime.store.inbox
    return await inbox.find_entry(conversation_id, message_id) is not None
