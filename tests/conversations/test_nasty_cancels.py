"""Nasty cancels: beside other wishes, and while the user is asked whether to cancel at all."""

from datetime import timedelta

import pytest

from soni.commands import CancelFlow, Command, StartFlow
from tests.conversations.desk import (
    BALANCE,
    BOTH,
    CANCEL,
    COSTS,
    DONE,
    LOAN,
    NO,
    ROME,
    SENT,
    SIX,
    SUN,
    SURE,
    SURE_6,
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

PARDON = "I did not understand that."
ASKS_FIRST = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"
REALLY = "Do you want to cancel transfer?"


# --- cancel and start, cancel and correct, and both asked about first


async def test_cancel_and_start_with_a_value_for_the_new_one() -> None:
    both = (CANCEL, StartFlow(flow_name="weather", slots={"city": "Rome"}))
    await held([(BOTH, [SURE]), (both, [DONE, SUN])])


async def test_cancel_and_start_of_the_same_begins_empty() -> None:
    talk = await held([(BOTH, [SURE]), ((CANCEL, TRANSFER), [DONE, "How much?"])])
    assert talk.slots == {}


async def test_cancel_and_start_asked_about_first_starts_nothing_unasked() -> None:
    lines: list[Line] = [(BOTH, [SURE]), ((CANCEL, WEATHER), [REALLY]), (NO, [SURE]), (YES, [SENT])]
    talk = await held(lines, desk(ASKS_FIRST))
    assert talk.stack == []


async def test_cancel_and_two_starts() -> None:
    said = (CANCEL, WEATHER, BALANCE)
    await held([(BOTH, [SURE]), (said, [DONE, "Which city?"]), (ROME, [SUN, "Which account?"])])


async def test_two_starts_then_a_cancel_drops_the_first_and_begins_the_second() -> None:
    cancelled = ["I have cancelled weather.", "Which account?"]
    await held(
        [
            ((WEATHER, BALANCE), ["Which city?"]),
            (CANCEL, cancelled),
            ("main", ["There is 100 in main."]),
        ]
    )


async def test_cancel_beside_two_starts_when_idle_has_nothing_to_cancel() -> None:
    await held([((CANCEL, WEATHER, BALANCE), ["There is nothing to cancel.", "Which city?"])])


async def test_cancel_and_a_correction_of_the_task_that_comes_back() -> None:
    loan = StartFlow(flow_name="loan", slots={"amount": 9})
    said = ["I have cancelled loan.", "amount is now 6.", "Back to transfer.", SURE_6]
    await held([(BOTH, [SURE]), (loan, ["Borrow 9?"]), ((CANCEL, SIX), said)], desk(flows=LOAN))


async def test_cancel_and_a_correction_of_what_is_cancelled() -> None:
    both = (CANCEL, change("amount", 6, "transfer"))
    talk = await held([(BOTH, [SURE]), (both, [DONE])])
    assert talk.state["command_log"][-1]["result"] == "rejected"


async def test_cancel_wins_over_yes_and_no() -> None:
    for answer in (YES, NO):
        talk = await held([(BOTH, [SURE]), ((answer, CANCEL), [DONE])])
        assert talk.actions == []


# --- while a cancel is being confirmed


@pytest.mark.parametrize("value", [SIX, put("amount", 6), transfer(amount=6)])
async def test_a_correction_while_confirming_a_cancel_goes_on_with_the_task(value: Command) -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        (value, ["amount is now 6.", SURE_6]),
        (YES, ["Sent 6 to Bob."]),
    ]
    await held(lines, desk(ASKS_FIRST))


async def test_an_invalid_correction_while_confirming_a_cancel_goes_on_as_well() -> None:
    why = ["Please give a whole number.", SURE]
    await held([(BOTH, [SURE]), (CANCEL, [REALLY]), (change("amount", "x"), why)], desk(ASKS_FIRST))


@pytest.mark.parametrize("value", [SIX, put("amount", 6)])
async def test_no_to_a_cancel_question_with_a_value(value: Command) -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        ((NO, value), ["amount is now 6.", SURE_6]),
    ]
    talk = await held(lines, desk(ASKS_FIRST))
    assert talk.stack == ["transfer"]


async def test_no_to_a_cancel_question_with_the_value_that_was_asked() -> None:
    both = (NO, put("amount", 5))
    await held(
        [(TRANSFER, ["How much?"]), (CANCEL, [REALLY]), (both, ["To whom?"])], desk(ASKS_FIRST)
    )


async def test_no_to_a_cancel_question_and_another_wish() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]), (CANCEL, [REALLY]), ((NO, WEATHER), ["Which city?"]),
        (ROME, [SUN, "Back to transfer.", SURE]),
    ]  # fmt: skip
    await held(lines, desk(ASKS_FIRST))


async def test_yes_to_a_cancel_question_and_another_wish() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        ((YES, WEATHER), [DONE, "Which city?"]),
    ]
    talk = await held(lines, desk(ASKS_FIRST))
    assert (talk.stack, talk.actions) == (["weather"], [])


async def test_a_question_while_confirming_a_cancel_leaves_it_open() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        ("what does it cost?", ["It is free.", REALLY]),
        (YES, [DONE]),
    ]
    await held(lines, desk(ASKS_FIRST + COSTS))


@pytest.mark.parametrize("late", [YES, NO, SIX])
async def test_a_pending_cancel_question_times_out_with_its_task(late: Command) -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        (timedelta(hours=1), []),
        (late, [PARDON]),
    ]
    talk = await held(lines, desk(ASKS_FIRST))
    assert (talk.ended, talk.actions) == ([("transfer", "abandoned")], [])


async def test_a_late_cancel_is_not_asked_about() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        (timedelta(hours=1), []),
        (CANCEL, ["There is nothing to cancel."]),
    ]
    await held(lines, desk(ASKS_FIRST))


async def test_two_cancels_in_one_message_give_up_one_task() -> None:
    two = (CANCEL, CancelFlow(reason="too dear"))
    back = ["I have cancelled weather.", "Back to transfer.", "How much?"]
    await held([(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]), (two, back)])


async def test_a_second_cancel_beside_a_wish_is_a_yes_and_grants_it() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]),
        (CANCEL, [REALLY]),
        ((CANCEL, WEATHER), [DONE, "Which city?"]),
    ]
    await held(lines, desk(ASKS_FIRST))


async def test_a_change_in_words_while_confirming_a_cancel() -> None:
    six = ["amount is now 6.", SURE_6]
    lines: list[Line] = [(BOTH, [SURE]), ("cancel", [REALLY]), ("no, change the amount to 6", six)]
    await held(lines, desk(ASKS_FIRST))
