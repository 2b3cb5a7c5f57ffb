"""Real models: a tiny one, which is never right, and one that a conversation can be held with.

`make test COVER=1` asks the first. The second needs a gigabyte of weights and minutes:
`make test-llm`.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soni.commands import StartFlow
from soni.config.settings import Nlu
from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, FlowBrief, NLUOutput, SlotBrief, SlotExtractor
from soni.du.llm import LanguageModelNLU
from soni.du.llm.client import LanguageModel
from soni.du.llm.moment import Moment
from soni.runtime.turn import MessageEvent, PieceEvent, TurnEvent
from soni.testing import Suite
from tests.model_server import URL
from tests.models.server import served
from tests.talking import assistant, talking_to

PIZZA = FlowBrief(
    name="order",
    description="Order a pizza",
    slots=(
        SlotBrief(name="pizza", flow="order", description="Which pizza"),
        SlotBrief(name="size", flow="order", type="choice", values={"small": (), "large": ()}),
    ),
)


@pytest.fixture(scope="module")
def tiny() -> Iterator[str]:
    with served("smollm2") as url:
        yield url


@pytest.mark.slow
async def test_whatever_a_tiny_model_says_has_the_form_that_was_asked_for(tiny: str) -> None:
    message = "a large Margherita, please"
    model = LanguageModel(Nlu(model="tiny", base_url=tiny, timeout=120, max_output_tokens=100))
    moment = Moment(DialogueContext(now=datetime.now(UTC)), (PIZZA,))
    with model.count_usage() as meter:
        read = await SlotExtractor().acall(flow=PIZZA, moment=moment, message=message)
        usage = meter.read_usage()
    await model.aclose()
    assert usage.calls == 1
    assert usage.prompt_tokens > 100
    assert 0 < usage.completion_tokens <= 100
    assert set(read.slots) <= {"pizza", "size"}
    assert read.slots.get("pizza", message) in message
    assert read.slots.get("size", "small") in ("small", "large")


SNACKS = """
version: "1"
settings:
  nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 300, retries: 0,
        max_output_tokens: 48}
slots:
  snack: {prompt: "Which snack?"}
flows:
  order:
    description: Order a snack
    trigger: {examples: [order a snack]}
    steps: [{collect: snack}, {say: "{snack} is coming."}]
"""


class Heard:
    """Keeps what a provider has made of each message."""

    def __init__(self, nlu: NLUProvider) -> None:
        self._nlu = nlu
        self.outputs: list[NLUOutput] = []

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        self.outputs.append(await self._nlu.understand(user_message, history, context))
        return self.outputs[-1]


@pytest.mark.slow
async def test_whatever_a_tiny_model_says_a_conversation_goes_on(tiny: str) -> None:
    config = assistant(SNACKS.replace(URL, tiny))
    nlu = LanguageModelNLU.from_config(config)
    heard = Heard(nlu)
    async with talking_to(config, nlu=heard) as talk:
        await talk.say("order a snack", StartFlow(flow_name="order"))
        assert await talk.say("crisps, please")
        usage = talk.state["turn"]["usage"]
        # Each pass is asked for an answer twice at most.
        started = sum(isinstance(said, StartFlow) for said in heard.outputs[-1].commands)
        assert 1 <= usage["calls"] <= 2 + 2 * started
        assert usage["prompt_tokens"] > 500
        assert usage["completion_tokens"] <= 48 * usage["calls"]
        said = [command.type for command in heard.outputs[-1].commands]
        assert sorted(made for made, _ in talk.decisions) == sorted(said)
        assert talk.state["turn"]["source"] == "llm"
        assert talk.state["metadata"]["error"] is None
    await nlu.aclose()
    assert len(heard.outputs) == 1


POET = """
version: "1"
settings:
  nlu: {model: tiny, base_url: "http://model.example/v1", timeout: 300, retries: 0,
        max_output_tokens: 16}
flows:
  poem:
    trigger: {examples: [write a poem]}
    steps:
      - {generate: "Write a poem.", fallback: "I know none."}
      - say: "That was it."
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("instruction", "limit"), [("Write a poem.", 16), ("Say that the order is ready.", 200)]
)
async def test_whatever_a_tiny_model_writes_is_heard_in_pieces_and_said_if_it_is_whole(
    tiny: str, instruction: str, limit: int
) -> None:
    poet = POET.replace("Write a poem.", instruction).replace("tokens: 16", f"tokens: {limit}")
    async with talking_to(poet.replace(URL, tiny)) as talk:
        *events, done = [event async for event in talk.runtime.stream("write a poem", "ann")]
    assert isinstance(done, TurnEvent)
    *pieces, said, last = events
    assert len(pieces) > 1
    assert all(isinstance(piece, PieceEvent) and piece.text for piece in pieces)
    assert isinstance(said, MessageEvent) and last == MessageEvent("That was it.")
    usage = done.turn.state["turn"]["usage"]
    assert usage["calls"] == 1
    assert usage["prompt_tokens"] > 50
    assert 1 < usage["completion_tokens"] <= limit
    whole = "".join(piece.text for piece in pieces if isinstance(piece, PieceEvent)).strip()
    is_cut = usage["completion_tokens"] == limit
    assert said.text == ("I know none." if is_cut else whole)


PIZZERIA = """
version: "1"
settings:
  nlu: {provider: llm, model: qwen, base_url: "http://model.example/v1", timeout: 600}
slots:
  pizza: {prompt: "Which pizza?", description: "The pizza, such as Margherita"}
  size: {type: choice, values: [small, large], prompt: "Which size?"}
  street: {prompt: "Where do you live?", description: "Street and number"}
flows:
  order:
    description: Order a pizza
    trigger: {examples: [I want a pizza, order a pizza]}
    steps:
      - collect: pizza
      - collect: size
      - collect: street
      - confirm: "A {size} {pizza} to {street}?"
      - say: "Your {pizza} is on its way."
  hours:
    description: Tell when the restaurant is open
    trigger: {examples: [when are you open]}
    steps: [{say: "We are open from noon to midnight."}]
"""


@pytest.fixture(scope="module")
def capable() -> Iterator[str]:
    with served("qwen2.5-coder-1.5b") as url:
        yield url


@pytest.mark.llm
async def test_a_pizza_is_ordered_with_a_model_of_this_machine(capable: str) -> None:
    async with talking_to(PIZZERIA.replace(URL, capable)) as talk:
        assert await talk.say("I'd like to order a Margherita") == ["Which size?"]
        assert talk.slots == {"pizza": "Margherita"}
        assert await talk.say("large") == ["Where do you live?"]
        assert (await talk.say("when are you open?"))[0] == "We are open from noon to midnight."
        assert await talk.say("12 Main Street, flat C++") == [
            "A large Margherita to 12 Main Street, flat C++?"
        ]
        assert await talk.say("yes") == ["Your Margherita is on its way."]


@pytest.mark.llm
async def test_a_model_of_this_machine_hears_a_change_of_mind(capable: str) -> None:
    async with talking_to(PIZZERIA.replace(URL, capable)) as talk:
        assert await talk.say("order a pizza") == ["Which pizza?"]
        assert await talk.say("Funghi") == ["Which size?"]
        assert await talk.say("forget it, cancel everything") == ["I have cancelled order."]
        assert talk.stack == []


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.llm
@pytest.mark.parametrize(
    ("example", "name"),
    [
        ("bank", "tells the balance of the account that was chosen"),
        ("bank", "sends money after a yes"),
        ("travel", "asks for the weather and the entry rules at once"),
        ("travel", "moves a booking to a day that costs no more"),
    ],
)
async def test_a_model_of_this_machine_holds_a_conversation_of_an_example(
    example: str, name: str, capable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"MODEL": "qwen", "BASE_URL": capable, "TIMEOUT": "600"}
    for key, value in given.items():
        monkeypatch.setenv(f"SONI_SETTINGS__NLU__{key}", value)
    (test,) = Suite.load(EXAMPLES / example, nlu="llm").select(name)
    result = await test.run()
    assert result.passed, (result.where, result.turn, result.error, result.mismatches)
