"""Strategies for a full stack of tasks, one file each.

The file's name is the word that `settings.flow_management.on_limit_reached` takes.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from soni.core.discovery import find_offers


@dataclass(frozen=True)
class OpenTask:
    """A flow that the user started, with the flows that it called."""

    flow_id: str
    flow_name: str
    started_at: float


@dataclass(frozen=True)
class LimitReached:
    """The situation to decide: a flow should start while `limit` tasks are open."""

    flow_name: str
    limit: int
    tasks: tuple[OpenTask, ...]
    """The open tasks from the bottom of the stack to the active one."""


@dataclass(frozen=True)
class EndTask:
    """End an open task, as cancelled, to make room for the new one."""

    flow_id: str


@dataclass(frozen=True)
class RejectFlow:
    """Start nothing. The user is told so."""


@dataclass(frozen=True)
class AskUser:
    """Start nothing yet. The user is asked whether the oldest task may end."""


Decision = EndTask | RejectFlow | AskUser


class LimitStrategy(ABC):
    """Decides what gives way when the stack is full. It changes nothing itself.

    A package offers one as `STRATEGY` of a module, under the entry-point group
    `soni.limit_strategies`:

        class CancelNewest(LimitStrategy):
            kind = "cancel_newest"

            def decide(self, reached: LimitReached) -> Decision:
                return EndTask(reached.tasks[-1].flow_id)

        STRATEGY = CancelNewest()
    """

    kind: ClassVar[str]
    """The word in `on_limit_reached`."""

    @abstractmethod
    def decide(self, reached: LimitReached) -> Decision:
        """What to do about the flow that is to start."""


@lru_cache(maxsize=1)
def limit_strategies() -> dict[str, LimitStrategy]:
    """All strategies by name: those of this folder and of plugins (`soni.limit_strategies`)."""
    offered = find_offers(
        __name__,
        "STRATEGY",
        "soni.limit_strategies",
        lambda offer: isinstance(offer, LimitStrategy),
        "an instance of a LimitStrategy",
    )
    return {strategy.kind: strategy for _, strategy in offered}
