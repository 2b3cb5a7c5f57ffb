"""The conversation's state machine: which state may follow which, and why."""

from typing import ClassVar

from soni.core.constants import ConversationState
from soni.core.errors import TransitionError

S = ConversationState


class StateTransitionValidator:
    """The table of valid moves of `conversation_state`; the runtime makes no other."""

    VALID_TRANSITIONS: ClassVar[dict[ConversationState, list[ConversationState]]] = {
        S.IDLE: [S.UNDERSTANDING],
        S.UNDERSTANDING: [
            S.WAITING_FOR_SLOT,
            S.EXECUTING_ACTION,
            S.IDLE,
            S.ERROR,
            S.VALIDATING_SLOT,  # a message that fills a slot is validated next
            S.CONFIRMING,  # a confirm is reached, or shown again, with nothing to validate
            S.COMPLETED,  # a flow that only speaks ends without waiting for anything
        ],
        S.WAITING_FOR_SLOT: [
            S.UNDERSTANDING,  # always back through understanding
            S.IDLE,  # the session timed out while the question was open
        ],
        S.VALIDATING_SLOT: [
            S.WAITING_FOR_SLOT,
            S.CONFIRMING,
            S.EXECUTING_ACTION,
            S.UNDERSTANDING,  # more was said in the same message
            S.COMPLETED,  # the last slot of a flow without actions was given
            S.ERROR,  # a later step of the same turn failed
            S.IDLE,  # too many invalid values: handed off
        ],
        S.EXECUTING_ACTION: [
            S.CONFIRMING,
            S.COMPLETED,
            S.WAITING_FOR_SLOT,
            S.ERROR,
            S.EXECUTING_ACTION,  # one action follows another
            S.UNDERSTANDING,  # the action ran, and more was said in the same message
        ],
        S.CONFIRMING: [
            S.UNDERSTANDING,
            S.EXECUTING_ACTION,
            S.WAITING_FOR_SLOT,
            S.IDLE,  # the session timed out while the confirmation was open
        ],
        S.COMPLETED: [S.IDLE, S.UNDERSTANDING],
        S.ERROR: [
            S.IDLE,
            S.UNDERSTANDING,
            S.EXECUTING_ACTION,  # the error path runs another action
            S.WAITING_FOR_SLOT,  # the error path asks the user
            S.CONFIRMING,  # the error path asks for a confirmation
            S.COMPLETED,  # the error path ends the flow in good order
        ],
    }

    @classmethod
    def validate_transition(
        cls, from_state: ConversationState | str, to_state: ConversationState | str
    ) -> None:
        """Raise `TransitionError` (a `ValueError`) unless the move is in the table."""
        source, target = ConversationState(from_state), ConversationState(to_state)
        valid = cls.VALID_TRANSITIONS[source]
        if target not in valid:
            names = ", ".join(state.value for state in valid)
            raise TransitionError(
                f"Invalid transition from {source.value} to {target.value}. "
                f"Valid transitions: {names}"
            )


def make_transition(current: str, target: ConversationState) -> dict[str, str]:
    """The state update that moves a conversation to `target`, checked against the table.

    Staying in the same state is not a move, so it needs no entry in the table.
    """
    if current == target.value:
        return {}
    StateTransitionValidator.validate_transition(current, target)
    return {"conversation_state": target.value}
