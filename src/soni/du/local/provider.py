"""LocalNLU: understanding that needs no key, no network and no compiler."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from soni.config.models import SoniConfig
from soni.du.context import DialogueContext, NLUOutput
from soni.du.local.exact import read_exact
from soni.du.local.limits import NO_TUNING, Limits, LocalTuning
from soni.du.local.view import View
from soni.du.program import load_program
from soni.du.workers import Workers
from soni.language import find_language


class LocalNLU:
    """Offline understanding: rules for clear messages, the bundled models for the others.

    Example:

        output = await LocalNLU().understand("book a table", [], context)
    """

    _learnt: LocalTuning = NO_TUNING

    def __init__(self, learnt: LocalTuning = NO_TUNING) -> None:
        """`learnt`: what `soni optimize` has found out for one assistant."""
        self._learnt = learnt

    @cached_property
    def _workers(self) -> Workers:
        return Workers()

    async def warm_up(self, context: DialogueContext, most_flows: int, folder: Path | None) -> None:
        """Load the models and encode an assistant's texts, so that no message waits for it.

        Encoded texts are kept in `folder`, if there is one.
        """
        if find_language(context.language).has_models:
            examples = self._learnt.add_examples(context)
            await self._workers.run(_prepare_models, examples, most_flows, folder)

    async def aclose(self) -> None:
        """Let its threads end."""
        self._workers.close()

    @classmethod
    def from_config(cls, config: SoniConfig) -> "LocalNLU":
        """The provider for an assistant; of its settings it needs only the program."""
        program = load_program(config)
        return cls(
            LocalTuning.from_program(program.local) if program and program.local else NO_TUNING
        )

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message; none if it was not understood."""
        view = View(self._learnt.add_examples(context))
        message = user_message.strip()
        sure = read_exact(message, view) if message else None
        if sure is not None or not message:
            return NLUOutput(commands=(sure,) if sure else (), source="local")
        # In a thread: the models would block the event loop.
        read = await self._workers.run(
            _read_message, message, list(history), view, self._learnt.limits
        )
        return NLUOutput(
            commands=read.commands, confidence=read.confidence, source="local", about=read.about
        )


def _prepare_models(context: DialogueContext, most_flows: int, folder: Path | None) -> None:
    from soni.du.local.preparation import prepare_models

    prepare_models(context, most_flows, folder)


def _read_message(message: str, history: Sequence[Any], view: View, limits: Limits) -> Any:
    # Lazy: numpy is slow to import, and an assistant of buttons never needs it.
    from soni.du.encoder.blas import use_one_thread
    from soni.du.local.reader import Reader

    with use_one_thread():
        return Reader(view, history, limits).read(message)
