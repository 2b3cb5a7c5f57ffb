"""What `RuntimeLoop.stream` yields while a turn runs."""

from dataclasses import dataclass

from soni.runtime.turn import Turn


@dataclass(frozen=True)
class MessageEvent:
    """The bot said something."""

    text: str


@dataclass(frozen=True)
class PieceEvent:
    """Some more of a message that a language model is writing; the whole follows as a message."""

    text: str


@dataclass(frozen=True)
class TurnEvent:
    """The turn is done and stored."""

    turn: Turn


Event = MessageEvent | PieceEvent | TurnEvent
