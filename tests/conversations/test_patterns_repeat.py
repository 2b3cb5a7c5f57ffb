"""Repeat: what the bot said last is said again, and its question is asked once."""

from datetime import timedelta

import pytest

from soni.commands import CancelFlow, ChitChat, Clarify, Disambiguate, HumanHandoff, RepeatLast
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

AGAIN = RepeatLast()
BOTH = transfer(amount=5, recipient="Bob")
SURE = "Send 5 to Bob?"


@pytest.mark.parametrize("word", ["repeat", "Say that again!", "Pardon?", "what did you say?"])
async def test_words_for_it(word: str) -> None:
    await held([("when are you open", ["From 9 to 5."]), (word, ["From 9 to 5."])])


@pytest.mark.parametrize("word", ["repite", "¿Cómo dices?", "otra vez", "Perdona"])
async def test_words_for_it_in_spanish(word: str) -> None:
    await held([("cuándo abren", ["De 9 a 5."]), (word, ["De 9 a 5."])], language="es")


@pytest.mark.parametrize(
    ("language", "nothing"),
    [("en", "There is nothing to repeat."), ("es", "No hay nada que repetir.")],
)
async def test_before_anything_was_said(language: str, nothing: str) -> None:
    await held([(AGAIN, [nothing])], language=language)


@pytest.mark.parametrize(("language", "nothing"), [("en", "About what?"), ("es", "¿Qué?")])
async def test_the_words_for_that_are_the_authors(language: str, nothing: str) -> None:
    own = desk('responses: {nothing_to_repeat: {en: "About what?", es: "¿Qué?"}}')
    await held([(AGAIN, [nothing])], own, language=language)


async def test_a_welcome_is_repeated_with_the_rest() -> None:
    own = desk("responses: {welcome: {en: Welcome., es: Hola.}}")
    await held([(AGAIN, ["Welcome.", "There is nothing to repeat."])], own)
    await held([(TRANSFER, ["Welcome.", "How much?"]), (AGAIN, ["Welcome.", "How much?"])], own)


async def test_a_question_alone_is_asked_again_once() -> None:
    await held([(TRANSFER, ["How much?"]), (AGAIN, ["How much?"]), (AGAIN, ["How much?"])])


async def test_a_confirmation_is_shown_again_and_still_to_be_answered() -> None:
    await held([(BOTH, [SURE]), (AGAIN, [SURE]), (YES, ["Sent 5 to Bob."])])


async def test_what_to_change_is_asked_again() -> None:
    what = "What would you like to change?"
    await held(
        [(BOTH, [SURE]), (NO, [what]), (AGAIN, [what]), (NO, ["I have cancelled transfer."])]
    )


async def test_what_was_said_before_the_question_comes_again_too() -> None:
    back = ["I have cancelled weather.", "Back to transfer.", "How much?"]
    await held(
        [(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]), (CANCEL, back), (AGAIN, back)]
    )


async def test_a_reason_comes_again_with_the_question_and_is_no_second_attempt() -> None:
    bad = ["Please give a whole number.", "How much?"]
    one_left = desk("settings: {collection: {max_attempts: 2}}")
    person = ["Please give a whole number.", "I am connecting you with a person."]
    await held([(TRANSFER, ["How much?"]), ("lots", bad), (AGAIN, bad), ("lots", person)], one_left)


async def test_an_acknowledgement_comes_again_and_nothing_is_corrected_twice() -> None:
    said = ["amount is now 6.", "Send 6 to Bob?"]
    talk = await held([(BOTH, [SURE]), (change("amount", 6), said), (AGAIN, said)])
    assert talk.slots["amount"] == 6


async def test_after_the_end_the_last_words_come_again_and_nothing_is_done_twice() -> None:
    talk = await held([(BOTH, [SURE]), (YES, ["Sent 5 to Bob."]), (AGAIN, ["Sent 5 to Bob."])])
    assert (talk.actions, talk.stack) == ([], [])


async def test_repeating_a_repetition_says_the_same() -> None:
    hours: Line = ("when are you open", ["From 9 to 5."])
    await held([hours, (AGAIN, ["From 9 to 5."]), (AGAIN, ["From 9 to 5."])])


async def test_a_question_of_the_system_stays_open() -> None:
    asks = desk("conversation_patterns: {cancellation: {confirm_before_cancel: true}}")
    really = "Do you want to cancel transfer?"
    done = "I have cancelled transfer."
    await held(
        [(TRANSFER, ["How much?"]), (CANCEL, [really]), (AGAIN, [really]), (YES, [done])], asks
    )
    which = "Which one do you mean: 1. transfer, 2. weather?"
    two = Disambiguate(flow_names=("transfer", "weather"))
    await held([(two, [which]), (AGAIN, [which]), ("the first one", ["How much?"])])


async def test_it_is_no_digression_and_no_progress_either() -> None:
    shallow = desk("conversation_patterns: {clarification: {max_depth: 1, fallback: cancel}}")
    moon = Clarify(topic="the moon")
    none = ["I have no answer to that.", "How much?"]
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), (moon, none), (AGAIN, none), (AGAIN, none),
        (moon, ["I have cancelled transfer."]),
    ]  # fmt: skip
    await held(lines, shallow)


async def test_in_another_language_what_was_said_stays_and_the_question_is_asked_in_it() -> None:
    talk = await held(
        [(TRANSFER, ["How much?"]), ("lots", ["Please give a whole number.", "How much?"])]
    )
    assert talk.state["last_response"] == "Please give a whole number.\nHow much?"


async def test_beside_a_value_the_old_words_come_before_the_new_question() -> None:
    both = (AGAIN, put("amount", 5))
    hours: Line = ("when are you open", ["From 9 to 5."])
    await held(
        [
            hours,
            ((AGAIN, TRANSFER), ["From 9 to 5.", "How much?"]),
            (both, ["From 9 to 5.", "To whom?"]),
        ]
    )


async def test_beside_a_cancel_the_old_words_come_after_it() -> None:
    bad = ["Please give a whole number.", "How much?"]
    said = ["I have cancelled transfer.", "Please give a whole number."]
    await held([(TRANSFER, ["How much?"]), ("lots", bad), ((CancelFlow(), AGAIN), said)])


async def test_after_a_release_the_question_is_what_was_said_last() -> None:
    await held(
        [
            (TRANSFER, ["How much?"]),
            (HumanHandoff(), ["I am connecting you with a person."]),
            (AGAIN, []),
            (RELEASE, ["How much?"]),
            (AGAIN, ["How much?"]),
        ]
    )


async def test_after_a_timeout_a_question_that_is_gone_is_not_asked_again() -> None:
    nothing = ["There is nothing to repeat."]
    await held([(TRANSFER, ["How much?"]), (timedelta(hours=1), []), (AGAIN, nothing)])


async def test_small_talk_is_repeated_with_the_question_behind_it() -> None:
    said = ["I'm here to help.", "Which account?"]
    await held([(BALANCE, ["Which account?"]), (ChitChat(), said), (AGAIN, said)])
