"""What `RuntimeLoop.stream` yields while a turn runs."""

from dataclasses import dataclass

from soni.runtime.turn import Turn


@dataclass(frozen=True)
class MessageEvent:
    """The bot said something."""

    text: str


@dataclass(frozen=True)
class PieceEvent:
    """Some more of a message that a language model is writing.

    The message that follows takes the place of all its pieces: it may be another one, if the
    model has failed on the way.
    """

    text: str


@dataclass(frozen=True)
class TurnEvent:
    """The turn is done and stored."""

    turn: Turn


Event = MessageEvent | PieceEvent | TurnEvent
