"""The two state vocabularies of a conversation, stored as plain text."""

from enum import StrEnum


class ConversationState(StrEnum):
    """What the system is doing, or what it waits for."""

    IDLE = "idle"
    UNDERSTANDING = "understanding"
    WAITING_FOR_SLOT = "waiting_for_slot"
    VALIDATING_SLOT = "validating_slot"
    EXECUTING_ACTION = "executing_action"
    CONFIRMING = "confirming"
    COMPLETED = "completed"
    ERROR = "error"


class FlowContextState(StrEnum):
    """Where one flow instance is in its life."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"
    ERROR = "error"

    @property
    def is_end(self) -> bool:
        """Whether an instance in this state is over."""
        return self not in (FlowContextState.ACTIVE, FlowContextState.PAUSED)


# Targets a step may name beside the ids of its flow's steps.
END = "end"
FAIL = "error"
CONTINUE = "continue"
CANCEL = "cancel_flow"
RESERVED_TARGETS = (END, FAIL, CONTINUE, CANCEL)

# Slots that a failed step fills, so that an error path can speak about the failure.
ERROR_SLOTS = ("_error", "_error_type", "_error_message")

IN_DOUBT_SLOT = "_in_doubt"
"""Set while nobody knows whether the action that failed last was done. Authors cannot read it."""

# What texts and expressions may read although no slot carries it: who the caller is.
CALLER = "session"

# Shown wherever a sensitive value would have been.
MASK = "••••"
