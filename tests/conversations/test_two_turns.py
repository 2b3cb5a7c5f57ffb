"""The two-turn example of the requirements, exactly as written."""

from pathlib import Path
from subprocess import run
from sys import executable

from langgraph.checkpoint.memory import MemorySaver

from soni.config.models import CollectStepConfig, FlowConfig, SayStepConfig, SoniConfig
from soni.runtime.loop import RuntimeLoop

CONFIG = SoniConfig(
    flows={
        "greet": FlowConfig(
            steps=[
                CollectStepConfig(step="ask", slot="name", message="What is your name?"),
                SayStepConfig(step="hello", message="Hello, {name}!"),
            ]
        )
    }
)

SECOND_PROCESS = """
import asyncio, sys
from soni import RuntimeLoop
from soni.persistence import open_store
from tests.conversations.test_two_turns import CONFIG

async def main():
    async with RuntimeLoop(CONFIG, store=open_store("sqlite", sys.argv[1])) as runtime:
        print(await runtime.process_message(sys.argv[2], user_id="test"))

asyncio.run(main())
"""


async def test_a_name_is_asked_and_greeted() -> None:
    checkpointer = MemorySaver()
    async with RuntimeLoop(CONFIG, checkpointer=checkpointer) as runtime:
        assert await runtime.process_message("hi", user_id="test") == "What is your name?"
    async with RuntimeLoop(CONFIG, checkpointer=checkpointer) as runtime:
        assert await runtime.process_message("Alice", user_id="test") == "Hello, Alice!"


def test_the_second_turn_may_run_in_a_new_process_on_the_same_file(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]

    def said_in_a_process(message: str) -> str:
        command = [executable, "-c", SECOND_PROCESS, str(tmp_path / "talk.db"), message]
        return run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()

    assert said_in_a_process("hi") == "What is your name?"
    assert said_in_a_process("Alice") == "Hello, Alice!"
