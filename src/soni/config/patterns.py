"""Which conversation patterns an assistant has, and how they behave."""

from typing import Literal

from pydantic import Field

from soni.config.definitions import Config


class Correction(Config):
    """The user changes something said before."""

    enabled: bool = True
    acknowledge: bool = True


class Clarification(Config):
    """The user asks a question that the flow did not ask for."""

    enabled: bool = True
    max_depth: int = Field(default=3, ge=1)
    fallback: Literal["handoff", "cancel", "none"] = "handoff"
    answers: Literal["written", "model"] = "written"
    """How knowledge is answered: as written, or by the language model from the nearest entries.
    The numbers and names of such an answer must occur in the entry."""


class Cancellation(Config):
    """The user cancels a task."""

    enabled: bool = True
    confirm_before_cancel: bool = False


class Confirmation(Config):
    """Answers to a confirm."""

    max_retries: int = Field(default=3, ge=1)
    consent: Literal["plain", "understood"] = "plain"
    """What counts as a yes: a message all of which says so, or what the provider takes for one."""


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
