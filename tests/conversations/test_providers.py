"""Who understands is a setting; one that is slow or away never breaks a conversation."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest

from soni import ConfigError, RuntimeLoop
from soni.commands import SetSlot, StartFlow
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
        said = await talk.say("whatever feeds a family")
        assert said == ["I did not understand that.", "Which size?"]
        assert talk.state["metadata"]["error"] == "understanding failed: TimeoutError"


class Answering:
    """Answers with the same, whatever is said; an exception is raised."""

    def __init__(self, *commands: Any, error: BaseException | None = None) -> None:
        self.commands = commands
        self.error = error

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        if self.error is not None:
            raise self.error
        return NLUOutput(commands=self.commands)


class Stubborn:
    """Does not let itself be stopped."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("provider", "reason"),
    [
        (Stubborn(), "TimeoutError"),
        (Answering(error=SystemExit(1)), "SystemExit"),
        (Answering(error=KeyboardInterrupt()), "KeyboardInterrupt"),
    ],
)
async def test_a_provider_that_would_end_or_block_everything_is_one_that_failed(
    provider: Any, reason: str
) -> None:
    async with talking_to(SHOP, nlu=provider) as talk:
        assert await talk.say("order food") == ["I did not understand that."]
        assert talk.state["metadata"]["error"] == f"understanding failed: {reason}"


@pytest.mark.parametrize("given", [False, True], ids=["understood", "given"])
async def test_of_a_flood_of_commands_the_first_are_read_and_the_others_have_one_reason(
    given: bool,
) -> None:
    flood = [StartFlow(flow_name="order"), *(SetSlot("size", "small") for _ in range(99_999))]
    async with talking_to(SHOP, nlu=Answering(*flood)) as talk:
        assert await talk.say("order food", *(flood if given else ())) == ["Coming, small."]
        assert talk.last is not None
        assert len(talk.last.commands) == 51
        assert talk.last.commands[-1] == {
            "command": "?",
            "args": {"count": 99_950},
            "decision": "rejected",
            "reason": "a message has at most 50 commands (settings.limits.max_commands)",
            "to": [],
        }
        assert len(talk.state["command_log"]) == 51


def nest(depth: int) -> Any:
    return [nest(depth - 1)] if depth else 1


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("x" * 20_000_000, "it is larger than 1,000,000 characters"),
        (nest(100), "lists and mappings are nested more than 50 deep"),
        (10**2000, "an integer of more than 1000 digits cannot be stored"),
    ],
    ids=["long", "deep", "many digits"],
)
async def test_a_command_without_end_is_rejected(value: Any, reason: str) -> None:
    start = StartFlow(flow_name="order")
    async with talking_to(SHOP, nlu=Answering(start, SetSlot("size", value))) as talk:
        assert await talk.say("order food") == ["Which size?"]
        assert talk.last is not None
        assert [made["decision"] for made in talk.last.commands] == ["accepted", "rejected"]
        assert talk.last.commands[1]["reason"].startswith(reason)


def test_the_settings_name_the_provider_and_an_unknown_one_is_told() -> None:
    config = assistant(SHOP)
    assert isinstance(open_provider(config), LocalNLU)
    with pytest.raises(ConfigError, match="E215 unknown provider 'psychic'"):
        assistant(SHOP.replace("timeout: 0.05", "provider: psychic"))
    with pytest.raises(ProviderError, match=r"no provider 'psychic'\. Available: .*local"):
        open_provider(config, "psychic")


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
