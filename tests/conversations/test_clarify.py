"""Clarify: the user asks something; it is answered, and the question follows."""

import pytest

from soni.commands import ChitChat, Clarify, OutOfScope, RepeatLast, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import Talk, talking_to

HELP = "Nobody can send an amount I do not know."


@pytest.mark.parametrize(
    "topic",
    ["", "amount", "Amount", "why", "Why do you need that?", "which?", "what for"],
)  # fmt: skip
async def test_help_answers_an_empty_topic_the_slots_name_and_a_why(topic: str) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("?", Clarify(topic=topic)) == [HELP, "How much?"]
        assert (talk.stack, talk.slots) == (["transfer"], {})


@pytest.mark.parametrize("topic", ["¿Por qué?", "por que lo necesitas", "¿Para qué?"])
async def test_help_answers_a_why_in_the_language_of_the_conversation(topic: str) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"), language="es")
        assert await talk.say("?", Clarify(topic=topic)) == [HELP, "How much?"]
        assert (talk.stack, talk.slots) == (["transfer"], {})


async def test_why_is_understood_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("Why do you need that?") == [HELP, "How much?"]


async def test_values_answer_what_the_options_are() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("what are the options?")
        assert said == ["You can choose: main, savings.", "Which account?"]
        which = Clarify(topic="which ones are there?")
        assert await talk.say("which?", which) == said


async def test_help_and_values_are_both_said() -> None:
    yaml = """
slots:
  size: {type: choice, values: [small, large], prompt: "Size?", help: "We cut {dish} to size."}
  dish: {prompt: "Dish?"}
flows: {order: {trigger: {}, steps: [{collect: dish}, {collect: size}]}}
"""
    async with talking_to(yaml) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "pizza"}))
        said = await talk.say("why?", Clarify())
        assert said == ["We cut pizza to size.", "You can choose: small, large.", "Size?"]


async def test_anything_else_is_answered_by_the_flows_description() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("what is this?", Clarify(topic="what is this"))
        assert said == ["I send money to somebody.", "How much?"]


async def test_a_slot_without_help_is_answered_by_the_description_too() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        assert await talk.say("why?", Clarify()) == ["I send money to somebody.", "To whom?"]


async def test_at_a_confirm_the_description_answers_and_the_confirm_follows() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        said = await talk.say("what?", Clarify(topic="what"))
        assert said == ["I send money to somebody.", "Send 5 to Bob?"]
        assert talk.actions == []


async def test_without_any_answer_it_says_so() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("who won?", Clarify(topic="who won")) == ["I have no answer to that."]
        await talk.say("weather", StartFlow(flow_name="weather"))
        said = await talk.say("who won?", Clarify(topic="who won"))
        assert said == ["I have no answer to that.", "Which city?"]


async def test_idle_it_says_what_can_be_done() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("what can you do?")
        able = "transfer (I send money to somebody), balance, weather"
        assert said == [f"I can help with: {able}."]


async def test_the_answer_is_about_the_question_that_was_asked_not_the_next_one() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        both = [SetSlot(slot_name="amount", value=5), Clarify()]
        assert await talk.say("5, but why?", *both) == [HELP, "To whom?"]


async def test_consecutive_digressions_are_counted_and_kept() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        counted = [(OutOfScope(), "out_of_scope"), (Clarify(), "clarification")]
        for depth, (digression, kind) in enumerate(counted, 1):
            await talk.say("by the way", digression)
            kept = (talk.state["digression_depth"], talk.state["last_digression_type"])
            assert kept == (depth, kind)
        await talk.say("repeat", RepeatLast())
        assert talk.state["digression_depth"] == 2
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        kept = (talk.state["digression_depth"], talk.state["last_digression_type"])
        assert kept == (0, "clarification")


def _bounded(fallback: str) -> str:
    return f"conversation_patterns: {{clarification: {{max_depth: 1, fallback: {fallback}}}}}"


async def test_over_max_depth_the_handoff_runs() -> None:
    async with talking_to(bank(_bounded("handoff")), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("why?", Clarify()) == [HELP, "How much?"]
        assert await talk.say("why?", Clarify()) == ["I am connecting you with a person."]
        assert talk.state["metadata"]["handoff"]["reason"] == "too many questions beside the task"


async def test_over_max_depth_the_task_may_be_cancelled() -> None:
    async with talking_to(bank(_bounded("cancel")), ACTIONS) as talk:
        await talk.say("weather", StartFlow(flow_name="weather"))
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("why?", Clarify())
        said = await talk.say("why?", Clarify())
        assert said == ["I have cancelled transfer.", "Back to weather.", "Which city?"]
        assert talk.state["digression_depth"] == 0


async def test_over_max_depth_with_no_fallback_it_goes_on_answering() -> None:
    async with talking_to(bank(_bounded("none")), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(4):
            assert await talk.say("why?", Clarify()) == [HELP, "How much?"]


async def test_disabled_clarification_is_rejected() -> None:
    off = "conversation_patterns: {clarification: {enabled: false}}"
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("why?", Clarify())
        assert said == ["I did not understand that.", "How much?"]


async def test_a_digression_never_touches_the_stack() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("weather", StartFlow(flow_name="weather"))
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        before = _where(talk)
        for digression in (Clarify(), ChitChat(), OutOfScope()):
            await talk.say("by the way", digression)
            assert _where(talk) == before


def _where(talk: Talk) -> object:
    stack = [
        (flow["flow_id"], flow["flow_state"], flow["current_step"])
        for flow in talk.state["flow_stack"]
    ]
    return stack, talk.state["flow_slots"]
