"""Questions beside the task are counted; too many in a row, and the fallback runs."""

import pytest

from soni.commands import ChitChat, Clarify, OutOfScope, SetSlot, StartFlow
from soni.core.texts import list_variations
from tests.conversations.shop import ACTIONS, WHERE, shop
from tests.talking import Talk, assistant, talking_to


def bounded(fallback: str, depth: int = 2) -> str:
    rule = f"{{max_depth: {depth}, fallback: {fallback}}}"
    return shop(f"conversation_patterns: {{clarification: {rule}}}")


async def asked_twice(talk: Talk) -> None:
    await talk.say("order", StartFlow(flow_name="order", slots={"dish": "pizza"}))
    for depth in (1, 2):
        assert await talk.say("where are you?") == [WHERE, "Which size?"]
        assert talk.state["digression_depth"] == depth


async def test_over_the_depth_a_person_takes_over() -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await asked_twice(talk)
        assert await talk.say("where are you?") == ["I am connecting you with a person."]
        assert talk.state["metadata"]["handoff"]["reason"] == "too many questions beside the task"
        assert talk.state["digression_depth"] == 0
        assert await talk.say("where are you?") == []
        released = await talk.runtime.release("ann")
        assert released.messages == ["Which size?"]
        assert await talk.say("where are you?") == [WHERE, "Which size?"]


async def test_over_the_depth_without_anybody_to_take_over_it_goes_on_answering() -> None:
    off = "conversation_patterns: {clarification: {max_depth: 2}, human_handoff: {enabled: false}}"
    async with talking_to(shop(off), ACTIONS) as talk:
        await asked_twice(talk)
        assert await talk.say("where are you?") == [WHERE, "Which size?"]
        assert talk.state["digression_depth"] == 3


async def test_over_the_depth_the_task_is_cancelled_and_the_one_below_goes_on() -> None:
    async with talking_to(bounded("cancel"), ACTIONS) as talk:
        await talk.say("reserve a table")
        await asked_twice(talk)
        said = await talk.say("where are you?")
        page = "Which table?\n1. by the window\n2. near the bar\nSay 'more' to see more."
        assert said == ["I have cancelled order.", "Back to reserve.", page]
        assert talk.ended == [("order", "cancelled")]
        assert talk.state["digression_depth"] == 0


async def test_over_the_depth_in_a_called_flow_the_whole_task_is_cancelled() -> None:
    async with talking_to(bounded("cancel", depth=1), ACTIONS) as talk:
        await talk.say("pay my bill")
        await talk.say("where are you?")
        assert await talk.say("where are you?") == ["I have cancelled pay."]
        assert talk.stack == []


async def test_over_the_depth_idle_there_is_nothing_to_cancel() -> None:
    async with talking_to(bounded("cancel", depth=1), ACTIONS) as talk:
        for _ in range(3):
            assert await talk.say("where are you?") == [WHERE]


async def test_over_the_depth_without_a_fallback_it_goes_on_answering() -> None:
    async with talking_to(bounded("none"), ACTIONS) as talk:
        await asked_twice(talk)
        for depth in (3, 4, 5):
            assert await talk.say("where are you?") == [WHERE, "Which size?"]
            assert talk.state["digression_depth"] == depth


async def test_questions_and_wishes_beside_the_task_count_together_and_small_talk_does_not() -> (
    None
):
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "pizza"}))
        await talk.say("where are you?")
        await talk.say("nice day", ChitChat())
        await talk.say("sell my car", OutOfScope())
        assert talk.state["last_digression_type"] == "out_of_scope"
        assert await talk.say("why?") == ["I am connecting you with a person."]
        assert talk.state["last_digression_type"] == "clarification"


@pytest.mark.parametrize("digression", [OutOfScope(), Clarify(topic="where are you?")])
async def test_a_real_answer_begins_the_count_anew(digression: OutOfScope) -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await talk.say("order food")
        for answer, asked in (("pizza", "Which size?"), ("large", "Is it a gift?")):
            for depth in (1, 2):
                await talk.say("by the way", digression)
                assert talk.state["digression_depth"] == depth
            assert await talk.say(answer) == [asked]
            assert talk.state["digression_depth"] == 0
        assert talk.state["last_digression_type"] is not None


async def test_a_refused_answer_was_an_attempt_and_begins_the_count_anew() -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await asked_twice(talk)
        said = await talk.say("huge", SetSlot(slot_name="size", value="huge"))
        assert said == ["Please choose one of: small, large.", "Which size?"]
        assert talk.state["digression_depth"] == 0
        assert await talk.say("where are you?") == [WHERE, "Which size?"]


async def test_an_answer_with_a_question_behind_it_is_progress() -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await asked_twice(talk)
        assert await talk.say("large, and where are you?") == [WHERE, "Is it a gift?"]
        assert await talk.say("where are you?") == [WHERE, "Is it a gift?"]


async def test_another_task_begins_the_count_anew() -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await asked_twice(talk)
        await talk.say("pay my bill")
        assert talk.state["digression_depth"] == 0
        assert await talk.say("why?") == ["It proves that it is you.", "Your PIN?"]


async def test_a_depth_of_its_own_for_each_conversation() -> None:
    async with talking_to(bounded("handoff"), ACTIONS) as talk:
        await asked_twice(talk)
        bob = Talk(talk.runtime, talk.clock, "bob")
        assert await bob.say("where are you?") == [WHERE]
        assert bob.state["digression_depth"] == 1


async def test_what_answered_is_kept_in_the_trace() -> None:
    config = assistant(shop("conversation_patterns: {clarification: {max_depth: 9}}"), ACTIONS)
    (where,) = [e.id for e in config.knowledge if WHERE in list_variations(e.answer, "en")]
    async with talking_to(config) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "pizza"}))
        for message in ("why?", "where are you?", "what can you do?", "what is this?", "who won?"):
            await talk.say(message, Clarify(topic=message))
        await talk.say("hi", ChitChat())
        traced = [e["data"]["answer"] for e in talk.state["trace"] if e["event"] == "digression"]
        first = ["question", f"knowledge/{where}", "abilities", "description"]
        assert traced == [*first, "none", "chitchat"]


@pytest.mark.parametrize(
    ("topic", "kind"),
    [
        ("", "clarification"),
        ("why?", "clarification"),
        ("what are the options?", "clarification"),
        ("why do you need the dish?", "clarification"),
        ("help", "help"),
        ("what can you do?", "help"),
        ("where are you?", "question"),
        ("who painted the walls?", "question"),
    ],
)
async def test_the_type_of_the_last_digression_says_what_was_asked(topic: str, kind: str) -> None:
    async with talking_to(shop(), ACTIONS) as talk:
        await talk.say("order", StartFlow("order", {"dish": "pizza"}))
        await talk.say(topic, Clarify(topic))
        assert talk.state["last_digression_type"] == kind
    async with talking_to(bounded("handoff", depth=1), ACTIONS) as talk:
        await talk.say("order", StartFlow("order", {"dish": "pizza"}))
        await talk.say("sell my car", OutOfScope())
        assert await talk.say(topic, Clarify(topic)) == ["I am connecting you with a person."]
        assert talk.state["last_digression_type"] == kind


async def test_nothing_in_particular_at_the_beginning_is_a_call_for_help() -> None:
    async with talking_to(shop(), ACTIONS) as talk:
        await talk.say("what?", Clarify())
        assert talk.state["last_digression_type"] == "help"
