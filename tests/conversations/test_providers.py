"""Who understands is a setting; one that is slow or away never breaks a conversation."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.du import DialogueContext, LocalNLU, NLUOutput
from soni.du.providers import ProviderError, open_provider
from tests.talking import assistant, talking_to

SHOP = """
version: "1"
settings: {nlu: {timeout: 0.05}}
slots:
  size: {type: choice, values: [small, large], prompt: "Which size?"}
flows:
  order:
    description: Order something to eat
    trigger: {examples: ["order food", "I am hungry"]}
    steps: [{collect: size}, {say: "Coming, {size}."}]
"""


class Slow:
    """Answers when nobody waits any more."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        await asyncio.sleep(30)
        return NLUOutput()


async def test_a_provider_that_takes_too_long_is_recorded_and_the_question_asked_again() -> None:
    async with talking_to(SHOP, nlu=Slow()) as talk:
        assert await talk.say("order food", {"type": "StartFlow", "flow_name": "order"}) == [
            "Which size?"
        ]
        assert await talk.say("small") == ["I did not understand that.", "Which size?"]
        assert talk.state["metadata"]["error"] == "understanding failed: TimeoutError"


def test_the_settings_name_the_provider_and_an_unknown_one_is_told() -> None:
    config = assistant(SHOP)
    assert isinstance(open_provider(config), LocalNLU)
    other = assistant(SHOP.replace("timeout: 0.05", "provider: psychic"))
    with pytest.raises(ProviderError, match=r"no provider 'psychic'\. Available: .*local"):
        open_provider(other)


class Counting(LocalNLU):
    """Remembers which flows it was told of."""

    def __init__(self) -> None:
        self.told: list[list[str]] = []

    async def understand(self, user_message: str, history: Any, context: DialogueContext) -> Any:
        self.told.append([flow.name for flow in context.available_flows])
        return await super().understand(user_message, history, context)


MANY = """
version: "1"
settings: {nlu: {max_flows: 10}}
slots: {size: {prompt: "Which size?"}}
flows:
  bake:
    description: Bake a cake or a loaf of bread
    trigger: {examples: [bake a cake, make some bread]}
    steps: [{collect: size}, {say: "Baked."}]
"""


def many(count: int) -> str:
    jobs = (
        f"  task_{n}:\n    description: Job number {n}\n"
        f"    trigger: {{examples: [do job {n}]}}\n    steps: [{{say: Done {n}.}}]\n"
        for n in range(count)
    )
    return MANY + "".join(jobs)


async def test_of_hundreds_of_flows_the_nearest_to_the_message_are_told() -> None:
    nlu = Counting()
    async with talking_to(many(120), nlu=nlu) as talk:
        assert await talk.say("could you bake me a nice cake?") == ["Which size?"]
        assert len(nlu.told[0]) == 10
        assert nlu.told[0][0] == "bake"
        # What is open stays in sight, whatever the message is about.
        await talk.say("do job number 7")
        assert "bake" in nlu.told[1]
        assert "task_7" in nlu.told[1]


def test_importing_soni_and_loading_an_assistant_needs_no_numpy() -> None:
    code = (
        "import sys; from soni import SoniConfig, RuntimeLoop; import soni.cli.main; "
        "assert 'numpy' not in sys.modules, 'numpy was imported'"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


async def test_two_assistants_in_one_process_share_the_model_and_nothing_else() -> None:
    other = SHOP.replace("order food", "rent a bike").replace("I am hungry", "I want to ride")
    other = other.replace("timeout: 0.05", "timeout: 30").replace("something to eat", "a bike")
    shop = SHOP.replace("timeout: 0.05", "timeout: 30")
    async with RuntimeLoop(assistant(shop)) as food, RuntimeLoop(assistant(other)) as bikes:
        assert await food.process_message("I'm so hungry", user_id="a") == "Which size?"
        assert await bikes.process_message("I'd like to ride", user_id="a") == "Which size?"
        assert "hungry" not in await bikes.process_message("I'm so hungry", user_id="b")
