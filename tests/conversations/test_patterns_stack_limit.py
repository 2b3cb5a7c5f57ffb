"""on_limit_reached: what happens when too many tasks are open."""

from soni.commands import (
    AffirmConfirmation,
    ChitChat,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, bank
from tests.talking import Talk, talking_to


def _limited(strategy: str, depth: int = 2, flows: str = "") -> str:
    limits = f"{{max_stack_depth: {depth}, on_limit_reached: {strategy}}}"
    return bank(f"settings: {{flow_management: {limits}}}", flows)


async def _two_open(talk: Talk) -> None:
    await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
    await talk.say("balance", StartFlow(flow_name="balance"))


WEATHER = StartFlow(flow_name="weather")
ASKED = "You have 2 tasks open. Shall I cancel transfer and start weather?"


async def test_cancel_oldest_makes_room() -> None:
    async with talking_to(_limited("cancel_oldest"), ACTIONS) as talk:
        await _two_open(talk)
        assert await talk.say("weather", WEATHER) == ["Which city?"]
        assert (talk.stack, talk.ended) == (["balance", "weather"], [("transfer", "cancelled")])
        archived = talk.state["metadata"]["completed_flows"][-1]
        assert archived["context"] == "Cancelled: stack depth limit"


async def test_three_tasks_may_be_open_where_nothing_is_said() -> None:
    async with talking_to(bank(flows="  lend: {trigger: {}, steps: [{collect: amount}]}\n"),
                          ACTIONS) as talk:  # fmt: skip
        await _two_open(talk)
        await talk.say("weather", WEATHER)
        assert talk.stack == ["transfer", "balance", "weather"]
        await talk.say("lend", StartFlow(flow_name="lend"))
        assert talk.stack == ["balance", "weather", "lend"]


async def test_reject_new_says_so_and_goes_on_where_it_was() -> None:
    async with talking_to(_limited("reject_new"), ACTIONS) as talk:
        await _two_open(talk)
        said = await talk.say("weather", WEATHER)
        full = "You have 2 tasks open. Please finish or cancel one before weather."
        assert said == [full, "Which account?"]
        assert talk.stack == ["transfer", "balance"]
        assert talk.state["command_log"][-1]["result"] == "rejected"


async def test_a_task_that_is_open_already_needs_no_room() -> None:
    async with talking_to(_limited("reject_new"), ACTIONS) as talk:
        await _two_open(talk)
        said = await talk.say("send money", StartFlow(flow_name="transfer"))
        assert said == ["Back to transfer.", "To whom?"]


async def test_ask_user_asks_and_yes_cancels_the_oldest_and_starts() -> None:
    async with talking_to(_limited("ask_user"), ACTIONS) as talk:
        await _two_open(talk)
        start = StartFlow(flow_name="weather", slots={"city": "Rome"})
        assert await talk.say("weather in Rome", start) == [ASKED]
        assert talk.stack == ["transfer", "balance"]
        said = await talk.say("yes", AffirmConfirmation())
        assert said == ["It is sunny in Rome.", "Back to balance.", "Which account?"]
        assert talk.ended == [("transfer", "cancelled"), ("weather", "completed")]


async def test_no_to_the_question_keeps_everything() -> None:
    async with talking_to(_limited("ask_user"), ACTIONS) as talk:
        await _two_open(talk)
        await talk.say("weather", WEATHER)
        said = await talk.say("no", DenyConfirmation())
        assert said == ["All right, nothing changes.", "Which account?"]
        assert talk.stack == ["transfer", "balance"]


async def test_the_question_stays_open_over_small_talk() -> None:
    async with talking_to(_limited("ask_user"), ACTIONS) as talk:
        await _two_open(talk)
        await talk.say("weather", WEATHER)
        assert await talk.say("hi", ChitChat()) == ["I'm here to help.", ASKED]


async def test_something_else_goes_on_with_the_active_task() -> None:
    async with talking_to(_limited("ask_user"), ACTIONS) as talk:
        await _two_open(talk)
        await talk.say("weather", WEATHER)
        said = await talk.say("main", SetSlot(slot_name="account", value="main"))
        assert said == ["There are 100 euros in main.", "Back to transfer.", "To whom?"]


async def test_another_instance_that_was_asked_about_is_another_instance() -> None:
    async with talking_to(_limited("ask_user"), ACTIONS) as talk:
        await talk.say("weather", WEATHER)
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        another = StartFlow(flow_name="transfer", another=True)
        said = await talk.say("another", another)
        assert said == ["You have 2 tasks open. Shall I cancel weather and start transfer?"]
        assert await talk.say("yes", AffirmConfirmation()) == ["How much?"]
        assert talk.stack == ["transfer", "transfer"]


async def test_a_sensitive_value_does_not_wait_in_the_question() -> None:
    flows = "  card: {trigger: {}, steps: [{collect: pin}, {say: 'Blocked.'}]}\n"
    yaml = _limited("ask_user", flows=flows).replace(
        "  city: {", '  pin: {prompt: "PIN?", sensitive: true}\n  city: {'
    )
    async with talking_to(yaml, ACTIONS) as talk:
        await _two_open(talk)
        await talk.say("block 1234", StartFlow(flow_name="card", slots={"pin": "1234"}))
        assert "1234" not in str(talk.state)
        assert await talk.say("yes", AffirmConfirmation()) == ["PIN?"]


async def test_the_second_of_two_starts_never_takes_the_place_of_the_first() -> None:
    async with talking_to(_limited("cancel_oldest", depth=1), ACTIONS) as talk:
        said = await talk.say("weather, then balance", WEATHER, StartFlow(flow_name="balance"))
        full = "You have 1 tasks open. Please finish or cancel one before balance."
        assert said == [full, "Which city?"]
        assert talk.stack == ["weather"]


async def test_the_application_meets_the_same_limit() -> None:
    async with talking_to(_limited("reject_new"), ACTIONS) as talk:
        await _two_open(talk)
        turn = await talk.runtime.start_flow("ann", "weather")
        full = "You have 2 tasks open. Please finish or cancel one before weather."
        assert turn.messages == [full, "Which account?"]


async def test_a_fallback_flow_that_finds_no_room_does_not_break_the_conversation() -> None:
    yaml = _limited(
        "reject_new", depth=1, flows="  lost: {steps: [{say: 'Let us see.'}]}\n"
    ).replace(
        "settings: {",
        "settings: {conversation: {fallback_flow: lost, on_no_progress: fallback, "
        "max_turns_without_progress: 1}, ",
    )
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("xyzzy", commands=[]) == ["I am connecting you with a person."]
