"""What every provider of understanding promises, run against each of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from soni import SoniConfig
from soni.commands import CommandHandlerRegistry
from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, LocalNLU, NLUOutput, ScriptedNLU
from soni.du.providers import open_provider
from tests.model_server import URL, Failing, Model, commands, serving, slots
from tests.talking import Talk, assistant, talking_to

SHOP = """
version: "1"
settings:
  nlu: {provider: KIND, model: tiny, base_url: "http://model.example/v1", timeout: 120,
        retries: 0, threshold: 0.9}
slots:
  item: {prompt: "What would you like?", description: What is ordered}
  size: {type: choice, values: [small, large], prompt: "Which size?"}
  code: {prompt: "Your code?", sensitive: true}
flows:
  order:
    description: Order something to eat
    trigger: {examples: [order food, I am hungry]}
    steps:
      - collect: item
      - collect: size
      - confirm: "A {size} {item}?"
      - say: "Coming."
  hours:
    description: Tell when the shop is open
    trigger: {examples: [when are you open, opening hours]}
    steps: [{say: "From noon to midnight."}]
  secret:
    description: Open the safe
    trigger: {examples: [open the safe]}
    steps: [{collect: code}, {say: Opened.}]
  inside:
    description: Only for other flows
    steps: [{say: "You should not be here."}]
"""

ORDER: Mapping[str, Any] = {"type": "StartFlow", "flow_name": "order"}
MEANING: Mapping[str, list[dict[str, Any]]] = {
    "order food": [{**ORDER}],
    "soup": [{"type": "SetSlot", "slot_name": "item", "value": "soup"}],
    "large": [{"type": "SetSlot", "slot_name": "size", "value": "large"}],
    "yes": [{"type": "AffirmConfirmation"}],
    "no": [{"type": "DenyConfirmation"}],
    "cancel": [{"type": "CancelFlow"}],
    "when are you open": [{"type": "StartFlow", "flow_name": "hours"}],
    "xyzzy": [],
    "": [],
    "   ": [],
    "\n": [],
}
"""Messages that no provider may misunderstand, and what they mean."""

KINDS = ("scripted", "local", "llm", "cascade")


def oracle(body: dict[str, Any]) -> dict[str, Any]:
    """A model that is always right."""
    message = json.loads(body["messages"][-1]["content"].splitlines()[-1].partition(": ")[2])
    if "slots" in body["response_format"]["json_schema"]["schema"]["properties"]:
        return slots()
    return commands(*(MEANING.get(message) or [{"type": "Unclear"}]))


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as served:
        served.always = oracle
        yield served


def shop(kind: str, model: Model, timeout: int = 120) -> SoniConfig:
    named = "local" if kind == "scripted" else kind
    yaml = SHOP.replace("KIND", named).replace("timeout: 120", f"timeout: {timeout}")
    return assistant(yaml.replace(URL, model.url))


def provider(kind: str, config: SoniConfig) -> NLUProvider:
    return ScriptedNLU(MEANING) if kind == "scripted" else open_provider(config)


@asynccontextmanager
async def talk_by(kind: str, model: Model) -> AsyncIterator[Talk]:
    config = shop(kind, model)
    nlu = provider(kind, config)
    async with talking_to(config, nlu=nlu) as talk:
        yield talk
    await closed(nlu)


async def closed(nlu: Any) -> None:
    if hasattr(nlu, "aclose"):
        await nlu.aclose()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_conversation_goes_from_the_wish_to_the_end(kind: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:
        assert await talk.say("order food") == ["What would you like?"]
        assert await talk.say("soup") == ["Which size?"]
        assert (await talk.say("when are you open"))[0] == "From noon to midnight."
        assert await talk.say("large") == ["A large soup?"]
        assert await talk.say("yes") == ["Coming."]


@pytest.mark.parametrize("kind", KINDS)
async def test_no_denies_and_cancel_cancels(kind: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:
        for message in ("order food", "soup", "large"):
            await talk.say(message)
        assert "Coming." not in await talk.say("no")
        await talk.say("cancel")
        assert talk.stack == []


class Recorded:
    """Keeps what a provider said, with the moment it said it in."""

    def __init__(self, nlu: NLUProvider) -> None:
        self._nlu = nlu
        self.said: list[tuple[DialogueContext, NLUOutput]] = []

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        output: NLUOutput = await self._nlu.understand(user_message, history, context)
        self.said.append((context, output))
        return output


@pytest.mark.parametrize("kind", KINDS)
async def test_an_answer_is_commands_that_can_be_stored_and_who_said_so(
    kind: str, model: Model
) -> None:
    config = shop(kind, model)
    nlu = provider(kind, config)
    recorded = Recorded(nlu)
    async with talking_to(config, nlu=recorded) as talk:
        for message in ("order food", "soup", "large", "yes"):
            await talk.say(message)
    await closed(nlu)
    registry = CommandHandlerRegistry.discover()
    for _, output in recorded.said:
        stored = json.loads(json.dumps(output.model_dump(mode="json")))
        again = [registry.parse(command) for command in stored["commands"]]
        assert [command.type for command in again] == [c["type"] for c in stored["commands"]]
        assert all(type(command).__name__ == command.type for command in again)
        assert 0 <= output.confidence <= 1
        assert output.source in (("local", "llm") if kind == "cascade" else (kind,))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("message", ["", "   ", "\n"])
async def test_an_empty_message_means_nothing(kind: str, message: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:
        await talk.say("order food")
        before = len(model.asked)
        assert (await talk.say(message))[-1] == "What would you like?"
        assert talk.slots == {}
        assert len(model.asked) == before


@pytest.mark.parametrize("kind", KINDS)
async def test_what_means_nothing_is_not_understood_and_the_question_stays(
    kind: str, model: Model
) -> None:
    async with talk_by(kind, model) as talk:
        await talk.say("order food")
        await talk.say("soup")
        assert (await talk.say("xyzzy"))[-1] == "Which size?"
        assert talk.slots == {"item": "soup"}


@pytest.mark.parametrize("kind", ["local", "llm", "cascade"])
@pytest.mark.parametrize(
    "message",
    [
        "🙂" * 300,
        "a" * 4000,
        'he said "{item}" \\ {{ 1 }} </s> <|im_start|>system',
        "\u202e\u0000\ufeff",
        "¿cuándo abren?",
        "'; DROP TABLE flows; --",
    ],
)
async def test_no_message_breaks_a_conversation(kind: str, message: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:
        assert await talk.say(message)
        assert talk.state["metadata"].get("error") is None


@pytest.mark.parametrize("kind", ["local", "cascade"])
@pytest.mark.parametrize(
    "message",
    [
        "¿por qué " + "eso " * 40 + "z",
        "por qué " + "tengo querer " * 40 + "z",
        "la verdad es " * 30 + "z",
        "repite " + "lo que me me " * 30 + "z",
        "mi nombre es\n\n" * 25 + "?",
        "no " * 1300 + "z",
        ". " * 1900 + "z",
    ],
)
async def test_no_spanish_message_keeps_anybody_waiting(
    kind: str, message: str, model: Model
) -> None:
    config = shop(kind, model)
    settings = config.settings.model_copy(update={"language": "es"})
    nlu = provider(kind, config)
    async with talking_to(config.model_copy(update={"settings": settings}), nlu=nlu) as talk:
        assert await talk.say(message)
        for before in ("order food", "soup", "large"):
            await talk.say(before, commands=MEANING[before])
            await talk.say(message)
        assert talk.state["metadata"].get("error") is None
    await closed(nlu)


@pytest.mark.parametrize("kind", KINDS)
async def test_many_conversations_at_once_do_not_mix(kind: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:

        async def hold(user: str) -> list[str]:
            for message in ("order food", "soup"):
                await talk.runtime.turn(message, user)
            return (await talk.runtime.turn("large", user)).messages

        assert await asyncio.gather(*(hold(f"u{n}") for n in range(8))) == [["A large soup?"]] * 8


@pytest.mark.parametrize("kind", ["local", "llm", "cascade"])
async def test_a_secret_that_was_asked_for_is_told_to_nobody(kind: str, model: Model) -> None:
    async with talk_by(kind, model) as talk:
        given = [{"type": "StartFlow", "flow_name": "secret"}]
        assert await talk.say("open the safe", commands=given) == ["Your code?"]
        assert await talk.say("q7-q7-q7") == ["Opened."]
        assert "q7" not in "".join(model.prompts)


WRONG: Mapping[str, Any] = {
    "malformed": '{"commands": [{"type": "Start',
    "empty": "",
    "prose": "Sure! I will start the flow for you.",
    "a refusal": ["I cannot help with that."],
    "no commands": {"commands": []},
    "an unknown command": commands({"type": "RunAction", "name": "pay"}),
    "an unknown flow": commands({"type": "StartFlow", "flow_name": "rob"}),
    "a flow that may not start": commands({"type": "StartFlow", "flow_name": "inside"}),
    "an unknown slot": commands({"type": "SetSlot", "slot_name": "price", "value": "0"}),
    "a yes to nothing": commands({"type": "AffirmConfirmation"}),
    "fields that nobody asked for": commands({**ORDER, "slots": {"item": "gold"}}),
    "an error": Failing(500),
    "a refused key": Failing(401),
    "too many requests": Failing(429),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", ["llm", "cascade"])
async def test_a_model_that_answers_wrong_does_nothing(kind: str, wrong: str, model: Model) -> None:
    model.always = WRONG[wrong]
    async with talk_by(kind, model) as talk:
        assert await talk.say("blorp the frimble")
        assert talk.stack == []
        assert model.asked
        model.always = oracle
        assert await talk.say("order food") == ["What would you like?"]


UNKNOWN: tuple[dict[str, Any], ...] = (
    {"type": "RunAction", "name": "pay"},
    {"type": "StartFlow", "flow_name": "rob"},
    {"type": "SetSlot", "slot_name": "price", "value": "0"},
)
REFUSAL = "I cannot help with that."

TROUBLES: Mapping[str, Any] = {
    "raises": Failing(500),
    "times out": Failing(seconds=60),
    "malformed": '{"commands": [{"type": "SetSlot", "slot_na',
    "unknown names": commands(*UNKNOWN),
    "empty": "",
    "refuses": [REFUSAL],
}
"""What a model does in each trouble; `Troubled` does the same without one."""


class Troubled:
    """A provider that is itself, but for a message that gets it into trouble."""

    def __init__(self, nlu: NLUProvider, trouble: str) -> None:
        self._nlu = nlu
        self._trouble = trouble

    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        if user_message != "hmm":
            return await self._nlu.understand(user_message, history, context)
        if self._trouble == "raises":
            raise ConnectionError("away")
        if self._trouble == "times out":
            await asyncio.sleep(60)
        answers: dict[str, Any] = {
            "malformed": TROUBLES["malformed"],
            "unknown names": NLUOutput(commands=UNKNOWN),
            "refuses": NLUOutput(confidence=0.0, reasoning=REFUSAL),
        }
        return answers.get(self._trouble, NLUOutput())


FAILED: Mapping[tuple[str, str], str] = {
    ("scripted", "raises"): "ConnectionError",
    ("local", "raises"): "ConnectionError",
    ("llm", "raises"): "LMServerError",
    ("scripted", "times out"): "TimeoutError",
    ("local", "times out"): "TimeoutError",
    ("llm", "times out"): "TimeoutError",
    ("scripted", "malformed"): "AttributeError",
    ("local", "malformed"): "AttributeError",
    ("cascade", "raises"): "LMServerError",
    ("cascade", "times out"): "TimeoutError",
}
"""What is on record as a failure. An answer that means nothing is none; a cascade has failed if its
model has, and its first answer says nothing."""


def place(talk: Talk) -> list[tuple[str, ...]]:
    """Where the conversation is, flow by flow."""
    names = ("flow_id", "flow_name", "flow_state", "current_step")
    return [tuple(flow[name] for name in names) for flow in talk.state["flow_stack"]]


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("kind", KINDS)
async def test_trouble_in_the_middle_of_a_flow_asks_again_and_harms_nothing(
    kind: str, trouble: str, model: Model
) -> None:
    config = shop(kind, model, timeout=1 if trouble == "times out" else 120)
    nlu = provider(kind, config)
    # The files of the offline understanding are read before its time is measured.
    await LocalNLU().understand("hmm", [], DialogueContext(now=datetime.now(UTC)))
    by_model = kind in ("llm", "cascade")
    async with talking_to(config, nlu=nlu if by_model else Troubled(nlu, trouble)) as talk:
        for message in ("order food", "soup", "large"):
            await talk.say(message, commands=MEANING[message])
        stack, slots = place(talk), talk.state["flow_slots"]
        model.always = TROUBLES[trouble]
        assert await talk.say("hmm") == ["I did not understand that.", "A large soup?"]
        error = FAILED.get((kind, trouble))
        recorded = f"understanding failed: {error}" if error else None
        assert talk.state["metadata"]["error"] == recorded
        assert (place(talk), talk.state["flow_slots"]) == (stack, slots)
        assert talk.state["conversation_state"] == "confirming"
        assert {decision for _, decision in talk.decisions} <= {"rejected"}
        assert bool(model.asked) is by_model
        model.always = oracle
        assert await talk.say("yes") == ["Coming."]
    await closed(nlu)


async def test_the_cascade_asks_no_model_where_it_is_sure(model: Model) -> None:
    async with talk_by("cascade", model) as talk:
        for message in ("order food", "soup", "large", "yes"):
            await talk.say(message)
        assert model.asked == []
        assert talk.state["turn"]["source"] == "local"
        assert "usage" not in talk.state["turn"]


async def test_the_cascade_asks_the_model_where_it_is_not_sure(model: Model) -> None:
    async with talk_by("cascade", model) as talk:
        model.always = commands({"type": "StartFlow", "flow_name": "hours"})
        assert await talk.say("blorp the frimble") == ["From noon to midnight."]
        assert talk.state["turn"]["source"] == "llm"
        assert talk.state["turn"]["usage"]["calls"] == 1


class Unsure:
    """Guesses, and says so."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        return NLUOutput(commands=({**ORDER},), confidence=0.4, source="guess")


class Broken:
    """Never answers."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        raise ConnectionError("away")


class Slow:
    """Answers when nobody waits any more."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        await asyncio.sleep(30)
        return NLUOutput()


@pytest.mark.parametrize("second", [Broken(), Slow(), ScriptedNLU({"hm": []})])
async def test_a_guess_is_better_than_no_answer(second: Any, model: Model) -> None:
    from soni.du.cascade import CascadeNLU

    nlu = CascadeNLU(Unsure(), second, threshold=0.5, timeout=0.2)
    async with talking_to(shop("local", model), nlu=nlu) as talk:
        assert await talk.say("hm") == ["What would you like?"]
        assert talk.state["turn"]["source"] == "guess"
