"""Timeout: what was left open for too long is abandoned, whatever was being asked."""

from datetime import timedelta

import pytest

from soni.commands import (
    ChitChat,
    Command,
    Disambiguate,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    StartFlow,
)
from tests.conversations.desk import (
    CANCEL,
    NO,
    TRANSFER,
    WEATHER,
    YES,
    Line,
    change,
    desk,
    held,
    put,
    transfer,
)
from tests.talking import Talk

LONG: Line = (timedelta(minutes=31), [])
PARDON = "I did not understand that."
BOTH = transfer(amount=5, recipient="Bob")
SURE = "Send 5 to Bob?"


def _archived(talk: Talk) -> list[tuple[str, str]]:
    flows = talk.state["metadata"]["completed_flows"]
    return [(flow["flow_name"], flow["flow_state"]) for flow in flows]


@pytest.mark.parametrize(
    ("language", "asked", "words", "said"),
    [
        ("en", "How much?", "what is the weather", "Which city?"),
        ("es", "¿Cuánto?", "qué tiempo hace", "¿Qué ciudad?"),
    ],
)
async def test_the_message_is_handled_as_idle(
    language: str, asked: str, words: str, said: str
) -> None:
    talk = await held([(TRANSFER, [asked]), LONG, (words, [said])], language=language)
    assert (talk.stack, talk.ended) == (["weather"], [("transfer", "abandoned")])


async def test_a_value_that_comes_too_late_is_not_understood() -> None:
    talk = await held([(TRANSFER, ["How much?"]), LONG, ("5", [PARDON])])
    assert (talk.stack, _archived(talk)) == ([], [("transfer", "abandoned")])
    await held([(TRANSFER, ["¿Cuánto?"]), LONG, ("5", ["No lo he entendido."])], language="es")


@pytest.mark.parametrize("late", [YES, NO, change("amount", 6), put("amount", 6)])
async def test_no_late_answer_to_a_confirmation_does_anything(late: Command) -> None:
    lines: list[Line] = [(BOTH, [SURE]), LONG, (late, [PARDON])]
    talk = await held(lines)
    assert (talk.actions, talk.stack) == ([], [])


async def test_what_to_change_is_no_longer_asked() -> None:
    what = "What would you like to change?"
    await held([(BOTH, [SURE]), (NO, [what]), LONG, (NO, [PARDON])])


async def test_a_late_cancel_finds_nothing() -> None:
    await held([(TRANSFER, ["How much?"]), LONG, (CANCEL, ["There is nothing to cancel."])])
    await held(
        [(TRANSFER, ["¿Cuánto?"]), LONG, (CANCEL, ["No hay nada que cancelar."])], language="es"
    )


async def test_a_late_wish_for_the_same_begins_anew() -> None:
    talk = await held([(transfer(amount=5), ["To whom?"]), LONG, (TRANSFER, ["How much?"])])
    assert (talk.stack, talk.slots) == (["transfer"], {})


async def test_all_open_tasks_are_abandoned_with_what_they_called() -> None:
    flows = """
  card: {trigger: {}, steps: [{call: identify}, {say: "Blocked."}]}
  identify: {steps: [{collect: grade}]}
"""
    lines: list[Line] = [
        (TRANSFER, ["How much?"]),
        (StartFlow(flow_name="card"), ["How many stars?"]),
        LONG,
        ("when are you open", ["From 9 to 5."]),
    ]
    talk = await held(lines, desk(flows=flows))
    gone = {("transfer", "abandoned"), ("card", "abandoned"), ("identify", "abandoned")}
    assert set(talk.ended) == {*gone, ("hours", "completed")}
    assert talk.state["flow_slots"] == {}


async def test_a_paused_task_cannot_be_resumed_any_more() -> None:
    resume = ResumeFlow(flow_name="transfer")
    await held([(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]), LONG, (resume, [PARDON])])


@pytest.mark.parametrize(
    ("first", "asked", "late"),
    [
        (Disambiguate(flow_names=("transfer", "weather")),
         "Which one do you mean: 1. transfer, 2. weather?", "the first one"),
        (Disambiguate(flow_names=("transfer", "weather")),
         "Which one do you mean: 1. transfer, 2. weather?", "none"),
    ],
)  # fmt: skip
async def test_a_question_of_the_system_is_forgotten(
    first: Disambiguate, asked: str, late: str
) -> None:
    await held([(first, [asked]), LONG, (late, [PARDON])])


@pytest.mark.parametrize("late", [YES, NO])
async def test_a_question_about_the_limit_is_forgotten(late: Command) -> None:
    one = desk("settings: {flow_management: {max_stack_depth: 1, on_limit_reached: ask_user}}")
    shall = "I can keep only 1 open at once. Shall I cancel transfer and start weather?"
    lines: list[Line] = [(TRANSFER, ["How much?"]), (WEATHER, [shall]), LONG, (late, [PARDON])]
    talk = await held(lines, one)
    assert talk.ended == [("transfer", "abandoned")]


async def test_exactly_the_timeout_is_not_too_long_and_a_second_more_is() -> None:
    half_an_hour = timedelta(seconds=1800)
    await held([(TRANSFER, ["How much?"]), (half_an_hour, []), ("5", ["To whom?"])])
    more = half_an_hour + timedelta(seconds=1)
    await held([(TRANSFER, ["How much?"]), (more, []), ("5", [PARDON])])


async def test_every_message_counts_even_one_that_was_not_understood() -> None:
    while_talking: Line = (timedelta(minutes=20), [])
    await held([
        (TRANSFER, ["How much?"]), while_talking, ((), [PARDON, "How much?"]), while_talking,
        (ChitChat(), ["I'm here to help.", "How much?"]), while_talking, ("5", ["To whom?"]),
    ])  # fmt: skip


async def test_the_timeout_is_a_setting() -> None:
    day = desk("settings: {conversation: {session_timeout: 86400}}")
    await held([(TRANSFER, ["How much?"]), LONG, ("5", ["To whom?"])], day)


async def test_the_default_flow_takes_a_late_message() -> None:
    keys = "settings: {conversation: {default_flow: hours}}"
    await held([(TRANSFER, ["How much?"]), LONG, (put("amount", 5), ["From 9 to 5."])], desk(keys))


async def test_counts_of_the_old_session_are_forgotten_with_its_tasks() -> None:
    keys = "settings: {collection: {max_attempts: 2}}"
    bad = ["Please give a whole number.", "How much?"]
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), ("lots", bad), LONG, (TRANSFER, ["How much?"]), ("lots", bad),
    ]  # fmt: skip
    await held(lines, desk(keys))


async def test_a_late_wish_for_a_person_is_granted_without_the_old_task() -> None:
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), LONG, (HumanHandoff(), ["I am connecting you with a person."]),
    ]  # fmt: skip
    talk = await held(lines)
    assert talk.state["metadata"]["handoff"]["summary"] == "no open task"


async def test_what_was_said_before_the_question_can_still_be_repeated() -> None:
    said = ["amount is now 6.", "To whom?"]
    lines: list[Line] = [
        (transfer(amount=5), ["To whom?"]), (change("amount", 6), said), LONG,
        (RepeatLast(), ["amount is now 6."]),
    ]  # fmt: skip
    await held(lines)


async def test_idle_nothing_is_abandoned() -> None:
    lines: list[Line] = [
        ("when are you open", ["From 9 to 5."]),
        LONG,
        ("when are you open", ["From 9 to 5."]),
    ]
    talk = await held(lines)
    assert _archived(talk) == [("hours", "completed"), ("hours", "completed")]
