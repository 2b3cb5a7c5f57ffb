"""Cancellation: at once, or asked about first; and when there is nothing to cancel."""

from datetime import timedelta

import pytest

from soni.commands import (
    CancelFlow,
    ChitChat,
    Clarify,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SkipSlot,
    StartFlow,
)
from tests.conversations.desk import (
    BALANCE,
    CANCEL,
    NO,
    RELEASE,
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

ASKS_FIRST = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"
REALLY = "Do you want to cancel transfer?"
DONE = "I have cancelled transfer."


async def _asked(lines: list[Line], language: str = "en", more: str = "") -> Talk:
    return await held(lines, desk(f"{ASKS_FIRST}\n{more}"), language=language)


@pytest.mark.parametrize(
    ("language", "words", "asked", "done"),
    [
        ("en", "cancel", "How much?", DONE),
        ("en", "Never mind!", "How much?", DONE),
        ("en", "forget about it", "How much?", DONE),
        ("es", "cancela", "¿Cuánto?", "He cancelado transfer."),
        ("es", "Déjalo.", "¿Cuánto?", "He cancelado transfer."),
        ("es", "olvídalo", "¿Cuánto?", "He cancelado transfer."),
    ],
)
async def test_as_it_is_said(language: str, words: str, asked: str, done: str) -> None:
    talk = await held([(TRANSFER, [asked]), (words, [done])], language=language)
    assert (talk.stack, talk.ended) == ([], [("transfer", "cancelled")])


@pytest.mark.parametrize(
    ("language", "words", "nothing"),
    [
        ("en", "cancel that", "There is nothing to cancel."),
        ("es", "anula", "No hay nada que cancelar."),
    ],
)
@pytest.mark.parametrize("keys", ["", ASKS_FIRST])
async def test_idle_it_says_that_there_is_nothing(
    language: str, words: str, nothing: str, keys: str
) -> None:
    await held([(words, [nothing])], desk(keys), language=language)


async def test_twice_in_a_row_the_second_finds_the_task_below_and_the_third_nothing() -> None:
    await held([
        (TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]),
        (CANCEL, ["I have cancelled weather.", "Back to transfer.", "How much?"]),
        (CANCEL, [DONE]), (CANCEL, ["There is nothing to cancel."]),
    ])  # fmt: skip


async def test_at_a_confirmation_nothing_is_done() -> None:
    talk = await held([(transfer(amount=5, recipient="Bob"), ["Send 5 to Bob?"]), (CANCEL, [DONE])])
    assert talk.actions == []


async def test_a_called_flow_goes_with_its_task_under_the_tasks_name() -> None:
    flows = """
  card: {trigger: {}, steps: [{call: identify}, {say: "Blocked."}]}
  identify: {steps: [{collect: grade}]}
"""
    lines: list[Line] = [
        (StartFlow(flow_name="card"), ["How many stars?"]),
        (CANCEL, ["I have cancelled card."]),
    ]
    talk = await held(lines, desk(flows=flows))
    assert sorted(talk.ended) == [("card", "cancelled"), ("identify", "cancelled")]


async def test_the_reason_is_kept() -> None:
    talk = await held([(TRANSFER, ["How much?"]), (CancelFlow(reason="too dear"), [DONE])])
    assert talk.state["metadata"]["completed_flows"][-1]["context"] == "too dear"
    talk = await _asked(
        [(TRANSFER, ["How much?"]), (CancelFlow(reason="too dear"), [REALLY]), (YES, [DONE])]
    )
    assert talk.state["metadata"]["completed_flows"][-1]["context"] == "too dear"


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", [("send money", ["How much?"]), ("cancel", [REALLY]), ("no", ["How much?"]),
                ("cancel", [REALLY]), ("yes", [DONE])]),
        ("es", [("enviar dinero", ["¿Cuánto?"]), ("cancelar", ["¿Quieres cancelar transfer?"]),
                ("no", ["¿Cuánto?"]), ("cancelar", ["¿Quieres cancelar transfer?"]),
                ("sí", ["He cancelado transfer."])]),
    ],
)  # fmt: skip
async def test_asked_first_no_keeps_it_and_yes_cancels(language: str, lines: list[Line]) -> None:
    await _asked(lines, language)


async def test_asked_first_about_a_task_that_came_on_top_of_another() -> None:
    await _asked(
        [
            (TRANSFER, ["How much?"]),
            (WEATHER, ["Which city?"]),
            (CANCEL, ["Do you want to cancel weather?"]),
            (YES, ["I have cancelled weather.", "Back to transfer.", "How much?"]),
        ]
    )


async def test_cancel_again_is_a_yes() -> None:
    await _asked([(TRANSFER, ["How much?"]), ("cancel", [REALLY]), ("cancel", [DONE])])


async def test_at_a_confirmation_the_yes_is_for_the_cancel_question_only() -> None:
    both = transfer(amount=5, recipient="Bob")
    talk = await _asked([(both, ["Send 5 to Bob?"]), (CANCEL, [REALLY]), (YES, [DONE])])
    assert talk.actions == []
    talk = await _asked(
        [
            (both, ["Send 5 to Bob?"]),
            (CANCEL, [REALLY]),
            (NO, ["Send 5 to Bob?"]),
            (YES, ["Sent 5 to Bob."]),
        ]
    )
    assert talk.stack == []


async def test_an_answer_to_the_task_takes_the_wish_to_cancel_back() -> None:
    await _asked([(TRANSFER, ["How much?"]), (CANCEL, [REALLY]), (put("amount", 5), ["To whom?"])])


async def test_noise_and_small_talk_leave_the_cancel_question_open() -> None:
    await _asked([
        (TRANSFER, ["How much?"]), (CANCEL, [REALLY]),
        ((), ["I did not understand that.", REALLY]),
        (ChitChat(), ["I'm here to help.", REALLY]),
        (Clarify(topic="the moon"), ["I have no answer to that.", REALLY]),
        (RepeatLast(), ["I have no answer to that.", REALLY]),
        (YES, [DONE]),
    ])  # fmt: skip


async def test_another_wish_leaves_the_task_uncancelled_below() -> None:
    await _asked([
        (TRANSFER, ["How much?"]), (CANCEL, [REALLY]), (WEATHER, ["Which city?"]),
        ("Rome", ["It is sunny in Rome.", "Back to transfer.", "How much?"]),
    ])  # fmt: skip


async def test_resuming_another_leaves_it_uncancelled_too() -> None:
    talk = await _asked([
        (BALANCE, ["Which account?"]), (TRANSFER, ["How much?"]), (CANCEL, [REALLY]),
        (ResumeFlow(flow_name="balance"), ["Back to balance.", "Which account?"]),
    ])  # fmt: skip
    assert talk.stack == ["transfer", "balance"]


async def test_a_person_in_between_leaves_the_cancel_question_open() -> None:
    await _asked(
        [
            (TRANSFER, ["How much?"]),
            (CANCEL, [REALLY]),
            (HumanHandoff(), ["I am connecting you with a person."]),
            (RELEASE, [REALLY]),
            (YES, [DONE]),
        ]
    )


async def test_skipping_is_no_answer_to_the_cancel_question() -> None:
    await _asked([
        (TRANSFER, ["How much?"]), (CANCEL, [REALLY]),
        (SkipSlot(), ["I did not understand that.", REALLY]),
    ])  # fmt: skip


async def test_after_the_session_timed_out_a_yes_cancels_nothing() -> None:
    talk = await _asked([
        (TRANSFER, ["How much?"]), (CANCEL, [REALLY]), (timedelta(hours=1), []),
        (YES, ["I did not understand that."]),
    ])  # fmt: skip
    assert talk.ended == [("transfer", "abandoned")]


@pytest.mark.parametrize(
    ("language", "asked", "really", "done"),
    [
        ("en", "How much?", "Stop transfer?", "Stopped."),
        ("es", "¿Cuánto?", "¿Paro?", "He cancelado transfer."),
    ],
)
async def test_the_words_are_the_authors(language: str, asked: str, really: str, done: str) -> None:
    own = """
responses:
  cancel_confirm: {en: "Stop {flow}?", es: "¿Paro?"}
  flow_cancelled: {en: "Stopped.", es: "He cancelado {flow}."}
"""
    await _asked([(TRANSFER, [asked]), (CANCEL, [really]), (YES, [done])], language, own)


@pytest.mark.parametrize(
    ("language", "asked", "pardon"),
    [("en", "How much?", "I did not understand that."), ("es", "¿Cuánto?", "No lo he entendido.")],
)
async def test_disabled_the_task_goes_on(language: str, asked: str, pardon: str) -> None:
    off = desk("conversation_patterns: {cancellation: {enabled: false}}")
    talk = await held([(TRANSFER, [asked]), (CANCEL, [pardon, asked])], off, language=language)
    assert talk.stack == ["transfer"]


async def test_disabled_a_value_beside_it_is_taken() -> None:
    off = desk("conversation_patterns: {cancellation: {enabled: false}}")
    both = (CANCEL, put("amount", 5))
    await held([(TRANSFER, ["How much?"]), (both, ["To whom?"])], off)


async def test_a_correction_beside_a_cancel_has_nothing_left_to_correct() -> None:
    both = (CANCEL, change("amount", 6))
    await held([(transfer(amount=5), ["To whom?"]), (both, [DONE])])
