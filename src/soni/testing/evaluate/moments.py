"""The sentences of a file, asked each at its moment."""

from collections.abc import Sequence
from typing import Any

from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import Turn
from soni.testing.clock import START, FrozenClock
from soni.testing.evaluate.ear import Probe
from soni.testing.evaluate.sample import Sample
from soni.testing.evaluate.sentences import Sentences
from soni.testing.notation import read_moment
from soni.testing.run import NoWriter
from soni.testing.stubs import with_stubs

_ANYTHING = "…"
"""What is said on the way: nobody reads it, for its commands are written."""


_DAY = 86_400.0


class EvaluationError(SoniError):
    """Something that is written cannot be asked."""


async def hear(
    sentences: Sentences, moment: str, samples: Sequence[Sample], config: SoniConfig, ear: Probe
) -> None:
    """Bring a conversation to the moment, then ask for everything that is said there."""
    content = sentences.content
    clock = FrozenClock(read_moment(content.now) if content.now else START)
    caller: dict[str, Any] = {"language": content.language, "context": content.context}
    runtime = RuntimeLoop(
        with_stubs(_patient(config), content.stubs),
        nlu=ear,
        clock=clock,
        store=open_store("memory"),
        scope=ear,
        generator=NoWriter(),
    )
    where = f"{sentences.file}:{sentences.line('said', moment)}"
    try:
        for commands in sentences.turns(moment):
            ear.expect((), commands)
            turn = await runtime.turn(_ANYTHING, **caller)
            _demand_success(turn, f"{where}: a conversation does not come to '{moment}'")
        ear.expect(samples, ())
        turn = await runtime.turn(_ANYTHING, **caller)
        if ear.asked < len(samples):
            reason = turn.state["metadata"].get("error") or "nothing is understood there"
            raise EvaluationError(f"{where}: what is said at '{moment}' cannot be asked: {reason}")
    finally:
        await runtime.abort()


def _patient(config: SoniConfig) -> SoniConfig:
    """The assistant, waiting for all sentences of a moment: each has a time limit of its own."""
    nlu = config.settings.nlu.model_copy(update={"timeout": _DAY})
    return config.model_copy(update={"settings": config.settings.model_copy(update={"nlu": nlu})})


def _demand_success(turn: Turn, what: str) -> None:
    for logged in turn.state["command_log"]:
        if logged["turn"] == turn.number and logged["result"] in ("rejected", "error"):
            reason = f"{logged['command']} in turn {turn.number}: {logged['reason']}"
            raise EvaluationError(f"{what}: {reason}; change its turns under `moments`")
