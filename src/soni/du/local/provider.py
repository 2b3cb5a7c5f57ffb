"""LocalNLU: understanding that needs no key, no network and no compiler."""

import asyncio
from collections.abc import Sequence
from typing import Any

from soni.config.models import SoniConfig
from soni.du.context import DialogueContext, NLUOutput
from soni.du.local.exact import exactly
from soni.du.local.view import View


class LocalNLU:
    """Reads by rules what is plain, and by the models that Soni comes with what is not."""

    @classmethod
    def of(cls, config: SoniConfig) -> "LocalNLU":
        """The provider for an assistant; it needs nothing of its settings."""
        return cls()

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message; none if it was not understood."""
        view = View(context)
        message = user_message.strip()
        sure = exactly(message, view) if message else None
        if sure is not None or not message:
            return NLUOutput(commands=(sure,) if sure else (), source="local")
        # Reading may take a while, and others are talking.
        read = await asyncio.to_thread(_read, message, list(history), view)
        return NLUOutput(
            commands=read.commands, confidence=read.confidence, source="local", about=read.about
        )


def _read(message: str, history: Sequence[Any], view: View) -> Any:
    # Importing numpy takes a while too, and an assistant of buttons never needs it.
    from soni.du.local.reader import Reader

    return Reader(view, history).read(message)
