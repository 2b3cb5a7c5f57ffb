"""on_limit_reached: what happens when too many tasks are open."""

import pytest

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, bank
from tests.conversations.desk import TRANSFER, Line, desk, held
from tests.talking import Talk, talking_to


def _limited(strategy: str, depth: int = 2, flows: str = "") -> str:
    limits = f"{{max_stack_depth: {depth}, on_limit_reached: {strategy}}}"
    return bank(f"settings: {{flow_management: {limits}}}", flows)


async def _two_open(talk: Talk) -> None:
    await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
    await talk.say("balance", StartFlow(flow_name="balance"))


WEATHER = StartFlow(flow_name="weather")
ASKED = "I can keep only 2 open at once. Shall I cancel transfer and start weather?"


async def test_cancel_oldest_makes_room() -> None:
    async with talking_to(_limited("cancel_oldest"), ACTIONS) as talk:
        await _two_open(talk)
        said = await talk.say("weather", WEATHER)
        assert said == ["I have cancelled transfer to make room for weather.", "Which city?"]
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
        full = "I can keep only 2 open at once. Please finish or cancel one before weather."
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
        assert said == [
            "I can keep only 2 open at once. Shall I cancel weather and start transfer?"
        ]
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
        full = "I can keep only 1 open at once. Please finish or cancel one before balance."
        assert said == [full, "Which city?"]
        assert talk.stack == ["weather"]


async def test_the_application_meets_the_same_limit() -> None:
    async with talking_to(_limited("reject_new"), ACTIONS) as talk:
        await _two_open(talk)
        turn = await talk.runtime.start_flow("ann", "weather")
        full = "I can keep only 2 open at once. Please finish or cancel one before weather."
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


ES_ASKED = "Solo puedo llevar 1 a la vez. ¿Cancelo transfer y empiezo weather?"


def _one(strategy: str, more: str = "") -> str:
    limits = f"{{max_stack_depth: 1, on_limit_reached: {strategy}}}"
    return desk(f"settings: {{flow_management: {limits}}}\n{more}")


@pytest.mark.parametrize(
    ("strategy", "language", "lines"),
    [
        (
            "cancel_oldest",
            "es",
            [
                (TRANSFER, ["¿Cuánto?"]),
                (WEATHER, ["He cancelado transfer para hacer sitio a weather.", "¿Qué ciudad?"]),
                ("Roma", ["Hace sol en Roma."]),
            ],
        ),
        (
            "reject_new",
            "es",
            [
                (TRANSFER, ["¿Cuánto?"]),
                (
                    WEATHER,
                    [
                        "Solo puedo llevar 1 a la vez. Termina o cancela algo antes de weather.",
                        "¿Cuánto?",
                    ],
                ),
            ],
        ),
        (
            "ask_user",
            "es",
            [
                (TRANSFER, ["¿Cuánto?"]),
                (WEATHER, [ES_ASKED]),
                ("no", ["De acuerdo, nada cambia.", "¿Cuánto?"]),
                (WEATHER, [ES_ASKED]),
                ("sí", ["¿Qué ciudad?"]),
            ],
        ),
        (
            "ask_user",
            "en",
            [
                (TRANSFER, ["How much?"]),
                (
                    WEATHER,
                    ["I can keep only 1 open at once. Shall I cancel transfer and start weather?"],
                ),
                ("no", ["All right, nothing changes.", "How much?"]),
            ],
        ),
    ],
)
async def test_each_strategy_as_it_is_heard(
    strategy: str, language: str, lines: list[Line]
) -> None:
    await held(lines, _one(strategy), language=language)


async def test_cancel_oldest_tells_it_before_the_new_flow_begins() -> None:
    room = "I have cancelled transfer to make room for hours."
    talk = await held(
        [(TRANSFER, ["How much?"]), ("when are you open", [room, "From 9 to 5."])],
        _one("cancel_oldest"),
    )
    assert talk.ended == [("transfer", "cancelled"), ("hours", "completed")]


async def test_cancel_oldest_takes_what_was_called_along_and_names_the_task() -> None:
    flows = """
  card: {trigger: {}, steps: [{call: identify}, {say: "Blocked."}]}
  identify: {steps: [{collect: grade}]}
"""
    room = "I have cancelled card to make room for weather."
    card = StartFlow(flow_name="card")
    yaml = _one("cancel_oldest") + flows
    talk = await held([(card, ["How many stars?"]), (WEATHER, [room, "Which city?"])], yaml)
    assert talk.ended == [("identify", "cancelled"), ("card", "cancelled")]


async def test_cancel_oldest_explains_refused_slots_after_it() -> None:
    room = "I have cancelled weather to make room for transfer."
    bad = StartFlow(flow_name="transfer", slots={"amount": "lots"})
    why = "I could not use amount: Please give a whole number."
    await held([(WEATHER, ["Which city?"]), (bad, [room, why, "How much?"])], _one("cancel_oldest"))


@pytest.mark.parametrize(
    ("language", "asked", "room", "city"),
    [
        ("en", "How much?", "No room: transfer goes.", "Which city?"),
        ("es", "¿Cuánto?", "Fuera transfer.", "¿Qué ciudad?"),
    ],
)
async def test_the_words_are_the_authors(language: str, asked: str, room: str, city: str) -> None:
    own = """
responses:
  flow_limit_cancelled: {en: "No room: {oldest} goes.", es: "Fuera {oldest}."}
"""
    lines: list[Line] = [(TRANSFER, [asked]), (WEATHER, [room, city])]
    await held(lines, _one("cancel_oldest", own), language=language)


async def test_nothing_is_cancelled_where_there_is_room() -> None:
    await held([(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"])])


async def test_ask_user_is_not_answered_by_a_cancel_which_is_for_the_task() -> None:
    shall = "I can keep only 1 open at once. Shall I cancel transfer and start weather?"
    lines: list[Line] = [
        (TRANSFER, ["How much?"]),
        (WEATHER, [shall]),
        (CancelFlow(), ["I have cancelled transfer."]),
    ]
    await held(lines, _one("ask_user"))


async def test_a_cancel_beside_the_wish_makes_the_room_itself() -> None:
    both = (CancelFlow(), WEATHER)
    for strategy in ("cancel_oldest", "reject_new", "ask_user"):
        said = ["I have cancelled transfer.", "Which city?"]
        await held([(TRANSFER, ["How much?"]), (both, said)], _one(strategy))
