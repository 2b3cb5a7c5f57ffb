"""Which conversation patterns an assistant has, and how they behave."""

from typing import Literal

from pydantic import Field

from soni.config.definitions import Config


class Correction(Config):
    """The user changes something said before."""

    enabled: bool = True
    acknowledge: bool = True


class Clarification(Config):
    """The user asks something beside the flow."""

    enabled: bool = True
    max_depth: int = Field(default=3, ge=1)
    fallback: Literal["handoff", "cancel", "none"] = "handoff"
    answers: Literal["written", "model"] = "written"
    """How knowledge is told: as it is written, or by the language model from the nearest entries,
    whose numbers and names must be the entry's own."""


class Cancellation(Config):
    """The user gives a task up."""

    enabled: bool = True
    confirm_before_cancel: bool = False


class Confirmation(Config):
    """Answers to a confirm."""

    max_retries: int = Field(default=3, ge=1)


class HumanHandoff(Config):
    """A person takes over."""

    enabled: bool = True


class Interruption(Config):
    """The user starts something else in the middle of a task."""

    enabled: bool = True
    announce_return: bool = True


class ConversationPatterns(Config):
    """Settings of the patterns, by name."""

    correction: Correction = Correction()
    clarification: Clarification = Clarification()
    cancellation: Cancellation = Cancellation()
    confirmation: Confirmation = Confirmation()
    human_handoff: HumanHandoff = HumanHandoff()
    interruption: Interruption = Interruption()
