"""The errors of stores: each says where, why, and what to do about it."""

from soni.core.errors import SoniError


class StorageError(SoniError):
    """A store cannot do what was asked: it says where, why, and what to do about it."""


class JournalError(StorageError):
    """A journal entry cannot be written, or the chain of entries is broken."""


class LockError(StorageError):
    """The caller does not hold the conversation it wants to change."""


class FencedError(LockError):
    """The caller held the conversation too long without a sign of life: another has it now."""


class BusyError(LockError):
    """Somebody else has the conversation, and the caller did not want to wait."""


def make_not_held_error(conversation_id: str) -> LockError:
    """The error for a change of a conversation that the caller does not hold."""
    return LockError(
        f"Conversation '{conversation_id}' is not held, so it cannot be changed. "
        "Do it inside `async with store.conversation(conversation_id)`."
    )


def make_fenced_error(conversation_id: str) -> FencedError:
    """The error for a holder that was taken for dead."""
    return FencedError(
        f"Conversation '{conversation_id}' was taken over by another process, because this one "
        "gave no sign of life for too long. Nothing was changed; send the message again."
    )


def make_busy_error(conversation_id: str) -> BusyError:
    """The error for a caller that does not wait."""
    return BusyError(
        f"Conversation '{conversation_id}' is busy with another message. Send this one again "
        "when that is answered, or set settings.conversation.while_busy to `wait` or `join`."
    )


def make_not_begun_error(key: str) -> StorageError:
    """The error for a result of an effect that was never begun."""
    return StorageError(
        f"Effect '{key}' was not begun, or its turn is over, so it cannot be finished. "
        "Call `begin` before the action runs."
    )


def make_unable_error(store: object, method: str) -> StorageError:
    """The error for a store that was written before there was such a method."""
    kind = type(store).__name__
    return StorageError(
        f"{kind} cannot do that, so nothing was changed: it has no method `{method}`. Upgrade the "
        "package that it comes from, or name another store in settings.persistence.backend."
    )
