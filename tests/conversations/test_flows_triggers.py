"""What makes a flow startable, and what starts it all the same."""

import pytest

from soni.commands import StartFlow
from tests.talking import talking_to

SHOP = """
    slots:
      member: {type: boolean, prompt: "Member?", scope: conversation}
    flows:
      order:
        trigger: {examples: ["order tea", "I want tea"]}
        steps:
          - say: "Tea it is."
      discount:
        trigger: {examples: ["discount"], condition: "member or session.vip"}
        steps:
          - say: "10 % off."
      join:
        trigger: {intents: ["join"]}
        steps:
          - set: {member: true}
          - say: "Welcome."
      bare:
        trigger: {}
        steps:
          - say: "Bare."
      internal:
        steps:
          - say: "Internal."
      secret:
        trigger: {examples: ["secret"]}
        hidden: true
        steps:
          - say: "Secret."
"""


async def test_a_trigger_makes_a_flow_startable() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("I want tea") == ["Tea it is."]
        assert await talk.say("Order tea!") == ["Tea it is."]
        assert await talk.say("join") == ["Welcome."]
        assert await talk.say("x", StartFlow(flow_name="bare")) == ["Bare."]


async def test_a_flow_is_startable_only_while_its_condition_holds() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("discount") == ["I did not understand that."]
        assert await talk.say("discount", context={"vip": True}) == ["10 % off."]
        assert await talk.say("x", StartFlow(flow_name="discount")) == [
            "I did not understand that."
        ]
        assert talk.decisions == [("StartFlow", "rejected")]
        assert talk.last is not None
        assert talk.last.commands[0]["reason"] == "the flow's trigger condition does not hold"
        await talk.say("join")
        assert await talk.say("discount") == ["10 % off."]


@pytest.mark.parametrize(
    ("flow", "reason"), [("internal", "the flow has no trigger"), ("secret", "the flow is hidden")]
)
async def test_a_flow_without_a_trigger_or_hidden_is_not_started_by_users(
    flow: str, reason: str
) -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say(flow) == ["I did not understand that."]
        start = StartFlow(flow_name=flow)
        assert (await talk.say("x", start))[0] == "I did not understand that."
        assert talk.last is not None
        assert talk.last.commands[0]["reason"] == reason


async def test_the_application_starts_any_flow_whatever_its_trigger() -> None:
    async with talking_to(SHOP) as talk:
        for flow, said in (
            ("internal", "Internal."),
            ("secret", "Secret."),
            ("discount", "10 % off."),
        ):
            assert (await talk.runtime.start_flow("ann", flow)).messages == [said]


async def test_hidden_flows_are_not_offered() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("blah")
        assert await talk.say("blah") == [
            "I did not understand that.",
            "I can help with: order, join, bare.",
        ]


async def test_a_flow_never_starts_itself() -> None:
    flow = """
    flows:
      order:
        trigger: {examples: [order]}
        steps:
          - {collect: size, message: "Size?"}
          - say: "{size}!"
    """
    async with talking_to(flow) as talk:
        assert await talk.say("order") == ["Size?"]
        assert await talk.say("order", StartFlow(flow_name="order")) == ["Size?"]
        assert talk.stack == ["order"]
        given = StartFlow(flow_name="order", slots={"size": "large"})
        assert await talk.say("order a large one", given) == ["large!"]


async def test_the_only_flow_without_a_trigger_starts_on_any_idle_message() -> None:
    flow = """
    flows:
      greet:
        steps:
          - {collect: name, message: "What is your name?"}
          - say: "Hello, {name}!"
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["What is your name?"]
        assert await talk.say("Ann") == ["Hello, Ann!"]
        assert await talk.say("good morning") == ["What is your name?"]


async def test_a_second_flow_without_a_trigger_ends_that() -> None:
    flow = """
    flows:
      one: {steps: [{say: "One."}]}
      two: {steps: [{say: "Two."}]}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hello") == ["I'm here to help."]
        assert await talk.say("blah") == ["I did not understand that."]


HELP = """
    slots:
      size: {prompt: "Size?", help: "We cut it to size."}
    flows:
      contact: {trigger: {examples: [help, ayuda, cancel, agent]}, steps: [{say: "Call 555."}]}
      order: {trigger: {examples: [order]}, steps: [{collect: size}, {say: "{size}!"}]}
"""


@pytest.mark.parametrize("word", ["help", "Help!", "ayuda", "cancel", "agent"])
async def test_when_idle_an_exact_example_means_more_than_a_word_everybody_knows(word: str) -> None:
    async with talking_to(HELP) as talk:
        assert await talk.say(word, language="es" if word == "ayuda" else "en") == ["Call 555."]


async def test_in_a_task_the_word_means_what_it_means_everywhere() -> None:
    async with talking_to(HELP) as talk:
        await talk.say("order")
        assert await talk.say("help") == ["We cut it to size.", "Size?"]
        assert await talk.say("cancel") == ["I have cancelled order."]
