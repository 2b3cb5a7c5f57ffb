"""RepeatLast: the last bot messages again."""

from soni.commands import Disambiguate, RepeatLast, StartFlow
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import talking_to

NEWS = (
    BANK
    + """
  news:
    trigger: {examples: [what is new]}
    steps:
      - say: "Rates went up."
      - say: "Fees went down."
"""
)


async def test_all_messages_of_the_last_turn_are_said_again() -> None:
    async with talking_to(NEWS, ACTIONS) as talk:
        news = ["Rates went up.", "Fees went down."]
        assert await talk.say("what is new") == news
        assert await talk.say("say that again") == news
        assert await talk.say("repeat", RepeatLast()) == news


async def test_a_pending_question_is_asked_once() -> None:
    async with talking_to(NEWS, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("repeat", RepeatLast()) == ["How much?"]
        news = ["Rates went up.", "Fees went down.", "Back to transfer.", "How much?"]
        assert await talk.say("what is new", StartFlow(flow_name="news")) == news
        assert await talk.say("repeat", RepeatLast()) == news


async def test_a_question_of_the_system_stays_open() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        which = ["Which one do you mean: 1. balance, 2. weather?"]
        either = Disambiguate(flow_names=("balance", "weather"))
        assert await talk.say("how is it?", either) == which
        assert await talk.say("repeat", RepeatLast()) == which
        assert await talk.say("the second") == ["Which city?"]


async def test_before_anything_was_said_there_is_nothing_to_repeat() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("repeat", RepeatLast()) == ["There is nothing to repeat."]


async def test_only_the_last_turn_is_repeated_even_if_the_application_spoke() -> None:
    async with talking_to(NEWS, ACTIONS) as talk:
        await talk.say("what is new", StartFlow(flow_name="news"))
        turn = await talk.runtime.start_flow("ann", "weather")
        assert turn.messages == ["Which city?"]
        assert await talk.say("repeat", RepeatLast()) == ["Which city?"]


async def test_it_is_no_digression() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(5):
            assert await talk.say("repeat", RepeatLast()) == ["How much?"]
        assert talk.state["digression_depth"] == 0
        assert talk.state["last_digression_type"] is None
