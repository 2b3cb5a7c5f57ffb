"""The grammar of consent: what covers a message, and what it costs to find out."""

import sys
from dataclasses import replace

import pytest

from soni.commands.confirmed_question import ConfirmedQuestion, parse_question
from soni.commands.consent_grammar import read_plainly
from soni.language import find_language

EN = find_language("en")
FIXED = frozenset(["pay", "euros", "from", "to"])
PAY = parse_question("Pay 50 euros from savings to checking?", FIXED, EN)


def says(message: str, question: ConfirmedQuestion = PAY) -> str | None:
    answer = read_plainly(message, EN, question)
    return answer.says if answer is not None else None


@pytest.mark.parametrize(
    "message",
    [
        "yes, pay 50 euros from savings to checking",
        "pay it",
        "yes to checking",
        "ok, 50 euros to checking please",
        "yes, pay the 50 euros",
        "YESSS!!!",
        "definitly",
        "👍🏽",
        "that's right - thank you",
    ],
)
def test_a_yes_may_say_the_question_again(message: str) -> None:
    assert says(message) == "yes"


@pytest.mark.parametrize(
    "message",
    [
        "yes, pay 60 euros",
        "yes, pay 50 euros from checking to savings",
        "yes to savings",
        "pay",
        "checking",
        "my pay",
        "yes...",
        "yes?",
        '"yes"',
        "yes no",
        "yeah right",
        "thanks",
        "",
        "?",
    ],
)
def test_what_is_not_covered_or_turned_round_is_no_yes(message: str) -> None:
    assert says(message) is None


def test_a_verb_that_may_be_about_the_task_needs_a_yes_beside_it() -> None:
    question = parse_question("Shall I cancel it?", None, EN)
    assert (says("cancel it", question), says("yes, cancel it", question)) == (None, "yes")
    assert says("cancel it", replace(question, gives_up=True)) == "yes"


def test_now_changes_a_day_that_is_confirmed() -> None:
    assert says("yes, right away") == "yes"
    assert says("yes, right away", replace(PAY, is_dated=True)) is None


def test_what_is_not_to_be_done_is_a_no() -> None:
    assert (says("don't pay it"), says("no thanks"), says("no, pay it")) == ("no", "no", None)


def count_calls(message: str) -> int:
    """Calls of Python functions that reading takes."""
    calls = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        read_plainly(message, EN, PAY)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    "words", ["yes ", "yes, pay 50 ", "that's all right ", "you can ", "yesss "]
)
def test_the_work_grows_with_the_length_of_the_message_and_no_faster(words: str) -> None:
    once, four_times = count_calls(words * 100), count_calls(words * 400)
    assert four_times < 4.5 * once
