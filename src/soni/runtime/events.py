"""What `RuntimeLoop.stream` yields while a turn runs."""

from dataclasses import dataclass

from soni.runtime.turn import Turn


@dataclass(frozen=True)
class MessageEvent:
    """The bot said something."""

    text: str


@dataclass(frozen=True)
class TurnEvent:
    """The turn is done and stored."""

    turn: Turn


Event = MessageEvent | TurnEvent
