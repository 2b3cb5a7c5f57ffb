"""A provider that is watched: what each message of a dialogue took."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.understanding.sgd.answers import Remembering
from benchmarks.understanding.sgd.conversation import Provider
from soni.du.context import DialogueContext, NLUOutput


@dataclass(frozen=True)
class Took:
    """One message."""

    output: NLUOutput
    seconds: float


@dataclass
class Watched:
    """Hands messages on and notes what they took."""

    provider: Provider
    model: Remembering | None = None
    """Behind the provider, if there is one: what it remembers took longer when it was new."""

    took: list[Took] = field(default_factory=list)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message."""
        if self.model is not None:
            self.model.seconds = self.model.spent = 0.0
        start = time.perf_counter()
        output = await self.provider.understand(user_message, history, context)
        seconds = time.perf_counter() - start
        if self.model is not None:
            seconds += self.model.seconds - self.model.spent
        self.took.append(Took(output, seconds))
        return output
