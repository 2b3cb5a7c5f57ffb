"""LocalNLU: understanding that needs no key, no network and no compiler."""

import asyncio
from collections.abc import Sequence
from typing import Any

from soni.config.models import SoniConfig
from soni.du.context import DialogueContext, NLUOutput
from soni.du.local.exact import exactly
from soni.du.local.limits import NOTHING, Learnt, Limits
from soni.du.local.view import View
from soni.du.program import program_of


class LocalNLU:
    """Offline understanding: rules for clear messages, the bundled models for the others.

    Example:

        output = await LocalNLU().understand("book a table", [], context)
    """

    _learnt: Learnt = NOTHING

    def __init__(self, learnt: Learnt = NOTHING) -> None:
        """`learnt`: what `soni optimize` has found out for one assistant."""
        self._learnt = learnt

    @classmethod
    def of(cls, config: SoniConfig) -> "LocalNLU":
        """The provider for an assistant; of its settings it needs only the program."""
        program = program_of(config)
        return cls(Learnt.of(program.local) if program and program.local else NOTHING)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message; none if it was not understood."""
        view = View(self._learnt.add_examples(context))
        message = user_message.strip()
        sure = exactly(message, view) if message else None
        if sure is not None or not message:
            return NLUOutput(commands=(sure,) if sure else (), source="local")
        # In a thread: the models would block the event loop.
        read = await asyncio.to_thread(
            _read_message, message, list(history), view, self._learnt.limits
        )
        return NLUOutput(
            commands=read.commands, confidence=read.confidence, source="local", about=read.about
        )


def _read_message(message: str, history: Sequence[Any], view: View, limits: Limits) -> Any:
    # Lazy: numpy is slow to import, and an assistant of buttons never needs it.
    from soni.du.local.reader import Reader

    return Reader(view, history, limits).read(message)
