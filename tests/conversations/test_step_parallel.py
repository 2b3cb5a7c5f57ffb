"""parallel, handoff and generate."""

import pytest

from soni.core.errors import NotAllowedError
from tests.talking import talking_to

QUOTES = """
slots:
  weight: {type: number, prompt: How heavy?}
actions:
  first: {inputs: [weight], outputs: [a]}
  second: {outputs: [b]}
  third: {outputs: [c]}
flows:
  quotes:
    trigger: {examples: [quotes]}
    steps:
      - {parallel: [first, {call: second, map_outputs: {b: bee}}, third], on_error: sorry}
      - {say: "{a} {bee} {c}", jump_to: end}
      - {step: sorry, say: "{_error_type}: a is {a}."}
"""

ALL_WELL = """
import asyncio
from soni import action

order = []

@action
async def first(weight):
    await asyncio.sleep(0.01)
    order.append("first")
    return {"a": weight * 2}

@action
async def second():
    order.append("second")
    return {"b": 2}

@action
def third():
    return {"c": ",".join(order)}
"""

TWO_FAIL = """
import asyncio
from soni import ActionError, action

@action
async def first(weight):
    return {"a": 1}

@action
async def second():
    await asyncio.sleep(0.01)
    raise ActionError("slow", "the second failed last")

@action
async def third():
    raise ActionError("quick", "the third failed first")
"""


async def test_actions_run_concurrently_after_missing_inputs_were_asked() -> None:
    async with talking_to(QUOTES, ALL_WELL) as talk:
        assert await talk.say("quotes") == ["How heavy?"]
        assert await talk.say("2") == ["4 2 second"]
        assert [name for name, _ in talk.actions] == ["first", "second", "third"]


async def test_nothing_is_written_unless_all_succeed_and_the_first_error_in_list_order_counts() -> (
    None
):
    async with talking_to(QUOTES, TWO_FAIL) as talk:
        await talk.say("quotes")
        assert await talk.say("2") == ["slow: a is ."]


async def test_a_handoff_step_hands_over_and_goes_on_when_released() -> None:
    async with talking_to(
        """
        flows:
          complain:
            trigger: {examples: [complain]}
            steps:
              - {collect: topic, message: About what?}
              - {handoff: complaints, context: {about: "{{ topic }}"}, message: A person comes.}
              - say: Was that all?
        """
    ) as talk:
        await talk.say("complain")
        assert await talk.say("noise") == ["A person comes."]
        handoff = talk.state["metadata"]["handoff"]
        assert (handoff["queue"], handoff["context"]) == ("complaints", {"about": "noise"})
        assert await talk.say("hello?") == []
        released = await talk.runtime.release("ann")
        assert released.messages == ["Was that all?"]
        with pytest.raises(NotAllowedError, match="not handed off"):
            await talk.runtime.release("ann")


async def test_generate_says_its_fallback_without_a_model() -> None:
    async with talking_to(
        """
        flows:
          joke:
            trigger: {examples: [joke]}
            steps:
              - {generate: Tell a joke, fallback: "I know none, {session.name}."}
              - {generate: Sum it up, store_as: summary, fallback: short}
              - {say: "{summary}"}
              - {generate: Nothing, on_error: sorry}
              - {step: sorry, say: "{_error_type}"}
        """
    ) as talk:
        assert await talk.say("joke", context={"name": "Ann"}) == [
            "I know none, Ann.",
            "short",
            "no_model",
        ]
