"""Nothing is carried out without a plain yes, and a plain yes is heard, whoever understands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import MemorySaver
from ruamel.yaml import YAML

from soni import RuntimeLoop, SoniConfig
from soni.commands import AffirmConfirmation, ChitChat, Clarify, Command, SetSlot, StartFlow
from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, NLUOutput
from soni.du.cascade.provider import CascadeNLU
from soni.du.local.provider import LocalNLU
from soni.runtime.turn import Turn
from tests.depth import choose_count
from tests.talking import FrozenClock, assistant

Say = Callable[[str], Awaitable[Turn]]

HOME = Path(__file__).parent / "consent"
EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Moment:
    """A question at which a yes carries something out, and the way to it."""

    assistant: str
    turns: Sequence[Sequence[Command]]
    action: str


def put(**values: Any) -> list[Command]:
    """Values for slots."""
    return [SetSlot(name, value) for name, value in values.items()]


MOMENTS = {
    "transfer": Moment(
        "bank",
        [[StartFlow("transfer_money", {"recipient": "Bob", "amount": 50})], put(account="savings")],
        "transfer",
    ),
    "card": Moment(
        "bank", [[StartFlow("block_card")], put(card="1234"), put(why="lost")], "block_card"
    ),
    "flight": Moment(
        "travel",
        [
            [
                StartFlow(
                    "flight_booking",
                    {"origin": "Madrid", "destination": "Oslo", "departure_date": "2026-03-06"},
                )
            ],
            put(passengers=1, return_date="2026-03-09"),
            put(flight="1"),
            put(passenger="Ann Lee"),
            put(bag=False),
            put(contact="ann@example.com"),
        ],
        "book_trip",
    ),
    "visit": Moment(
        "clinic",
        [[StartFlow("visit_doctor", {"reason": "check-up", "day": "2026-03-03", "time": "10:00"})]],
        "make_visit",
    ),
    "plan": Moment("streaming", [[StartFlow("cancel_plan", {"plan": "premium"})]], "end_plan"),
}

ACTIONS = """
from soni import action

@action
def make_visit(reason, day, time) -> dict:
    return {}

@action
def end_plan(plan) -> dict:
    return {}
"""


@lru_cache
def load(name: str) -> SoniConfig:
    if (EXAMPLES / name).is_dir():
        return SoniConfig.load(EXAMPLES / name)
    functions = ACTIONS.replace("make_visit" if name == "streaming" else "end_plan", "_other", 1)
    return assistant((HOME / f"{name}.yaml").read_text(encoding="utf-8"), functions)


class Says:
    """Answers every message with the same commands."""

    def __init__(self, *commands: Command) -> None:
        self._commands = commands

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        return NLUOutput(commands=self._commands, confidence=1.0)


@dataclass
class Remembers:
    """The offline understanding, asked once for each message of a moment."""

    known: dict[str, NLUOutput] = field(default_factory=dict)
    local: NLUProvider = field(default_factory=LocalNLU)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        if user_message not in self.known:
            self.known[user_message] = await self.local.understand(user_message, history, context)
        return self.known[user_message]


def list_providers() -> dict[str, tuple[NLUProvider, slice]]:
    """Who understands, and which of the sentences they hear."""
    yes, local = AffirmConfirmation(), Remembers()
    # In parts, the first two hear all of them between them.
    step = choose_count(2, 1)
    first, second = slice(0, None, step), slice(step - 1, None, step)
    some = slice(0, None, choose_count(8, 4))
    return {
        "local": (local, first),
        "always yes": (Says(yes), second),
        # It says what one of the two before says, and they hear all of them.
        "cascade": (CascadeNLU(local, Says(yes), threshold=0.9), some),
        # Neither looks at the sentence.
        "yes and more": (Says(yes, Clarify(topic="this"), ChitChat()), some),
        "hears nothing": (Says(), some),
    }


@asynccontextmanager
async def asked(moment: Moment, language: str, nlu: NLUProvider, user: str) -> AsyncIterator[Say]:
    """Lead a conversation to its question; each thing said there is said at that moment."""
    saver = MemorySaver()
    loop = RuntimeLoop(load(moment.assistant), checkpointer=saver, nlu=nlu, clock=FrozenClock())
    async with loop:
        for commands in moment.turns:
            turn = await loop.turn("…", user, language=language, commands=commands)
        assert turn.state["conversation_state"] == "confirming", turn.messages
        then = deepcopy((dict(saver.storage), dict(saver.writes), dict(saver.blobs)))

        async def say(sentence: str) -> Turn:
            for kept, before in zip((saver.storage, saver.writes, saver.blobs), then, strict=True):
                kept.clear()
                kept.update(deepcopy(before))
            return await loop.turn(sentence, user)

        yield say


async def find_carried_out(moment: Moment, sentences: Sequence[str], say: Say) -> list[str]:
    """The sentences after which the action ran."""
    done = []
    for sentence in sentences:
        ran = (await say(sentence)).state["turn"]["actions"]
        done += [sentence for call in ran if call["action"] == moment.action]
    return done


def read_sentences(language: str) -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = YAML(typ="safe").load(HOME / f"{language}.yaml")
    return loaded


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize(("language", "code"), [("english", "en"), ("spanish", "es")])
async def test_only_a_plain_yes_is_carried_out(name: str, language: str, code: str) -> None:
    moment, files = MOMENTS[name], (language, f"later_{language}")
    said = [read_sentences(file)[name] for file in files]
    unclear = [sentence for each in said for sentence in each["unclear"]]
    plain = [sentence for each in said for sentence in each["plain"]]
    for provider, (nlu, part) in list_providers().items():
        # The examples remember what they did for a customer.
        async with asked(moment, code, nlu, f"{name} {code} {provider}") as say:
            wrong = await find_carried_out(moment, unclear[part], say)
            heard = await find_carried_out(moment, plain[part], say)
        assert wrong == [], f"{provider} carried these out"
        missed = [sentence for sentence in plain[part] if sentence not in heard]
        assert missed == [], f"{provider} did not hear these"
