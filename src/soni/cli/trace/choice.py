"""Which conversation is meant."""

from soni.audit.source import conversations_of
from soni.core.errors import SoniError
from soni.core.storage import Journal

_NAMED = 10


async def choose_conversation(journal: Journal, user: str | None, conversation: str | None) -> str:
    """The id of the one conversation that was asked for, or an error that helps to ask again."""
    if conversation is not None:
        if await journal.entries(conversation, limit=1):
            return conversation
        raise SoniError(f"there is no conversation '{conversation}'; {await _there_are(journal)}")
    found = await conversations_of(journal, user or "")
    if not found:
        raise SoniError(f"there is no conversation of '{user}'; {await _there_are(journal)}")
    if len(found) > 1:
        names = ", ".join(found[:_NAMED]) + (", ..." if len(found) > _NAMED else "")
        raise SoniError(f"'{user}' has {len(found)} conversations; add --conversation: {names}")
    return found[0]


async def _there_are(journal: Journal) -> str:
    some = [each.conversation_id for each in await journal.overview(limit=_NAMED + 1)]
    more = ", ..." if len(some) > _NAMED else ""
    return f"there are: {', '.join(some[:_NAMED])}{more}" if some else "there are none yet"
