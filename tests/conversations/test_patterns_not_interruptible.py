"""interruptible: false: another task is refused politely and the question asked again."""

import pytest

from soni.commands import ChitChat, Clarify, Disambiguate, HumanHandoff, ResumeFlow, StartFlow
from tests.conversations.desk import (
    ACTIONS,
    CANCEL,
    TRANSFER,
    WEATHER,
    YES,
    Line,
    desk,
    held,
    put,
    transfer,
)
from tests.talking import talking_to

FLOWS = """
  vote:
    trigger: {examples: [vote]}
    interruptible: false
    steps:
      - collect: grade
      - {confirm: {en: "{grade} stars?", es: "¿{grade} estrellas?"}}
      - say: {en: "Thanks.", es: "Gracias."}
  pay: {trigger: {}, steps: [{call: check}, {collect: amount}]}
  check: {interruptible: false, steps: [{collect: grade}]}
  poll: {trigger: {}, interruptible: false, steps: [{call: inner}, {collect: grade}]}
  inner: {steps: [{collect: city}]}
"""
VOTE = StartFlow(flow_name="vote")
ASKED = "How many stars?"
FIRST = "Let us finish vote first."


async def _held(lines: list[Line], keys: str = "", language: str = "en") -> None:
    await held(lines, desk(keys, FLOWS), language=language)


@pytest.mark.parametrize(
    ("language", "first", "asked"),
    [("en", FIRST, ASKED), ("es", "Terminemos primero vote.", "¿Cuántas estrellas?")],
)
async def test_another_task_is_refused_and_the_question_follows(
    language: str, first: str, asked: str
) -> None:
    await _held([(VOTE, [asked]), (WEATHER, [first, asked])], language=language)


async def test_a_trigger_of_another_flow_is_refused_as_well() -> None:
    await _held([("vote", [ASKED]), ("what is the weather", [FIRST, ASKED])])


async def test_at_its_confirmation_the_confirmation_follows_and_yes_is_for_it() -> None:
    sure = "3 stars?"
    await _held([(VOTE, [ASKED]), ("3", [sure]), (WEATHER, [FIRST, sure]), (YES, ["Thanks."])])


async def test_two_wishes_in_one_message_are_refused_once() -> None:
    await _held([(VOTE, [ASKED]), ((WEATHER, TRANSFER), [FIRST, ASKED])])


async def test_another_one_of_itself_is_another_task() -> None:
    another = StartFlow(flow_name="vote", another=True)
    await _held([(VOTE, [ASKED]), (another, [FIRST, ASKED])])


async def test_a_paused_task_is_not_resumed_either() -> None:
    resume = ResumeFlow(flow_name="transfer")
    await _held([(TRANSFER, ["How much?"]), (VOTE, [ASKED]), (resume, [FIRST, ASKED])])


async def test_a_value_beside_the_wish_is_taken() -> None:
    both = (put("grade", 3), WEATHER)
    await _held([(VOTE, [ASKED]), (both, [FIRST, "3 stars?"])])


async def test_with_the_answer_that_ends_it_the_wish_is_granted() -> None:
    both = (YES, WEATHER)
    await _held([(VOTE, [ASKED]), ("3", ["3 stars?"]), (both, ["Thanks.", "Which city?"])])


async def test_cancelled_in_the_same_message_it_is_in_nobodys_way() -> None:
    both = (CANCEL, WEATHER)
    await _held([(VOTE, [ASKED]), (both, ["I have cancelled vote.", "Which city?"])])


async def test_digressions_are_no_interruptions() -> None:
    await _held([
        (VOTE, [ASKED]),
        (ChitChat(), ["I'm here to help.", ASKED]),
        (Clarify(topic="the moon"), ["I have no answer to that.", ASKED]),
    ])  # fmt: skip


async def test_a_person_may_take_over() -> None:
    await _held([(VOTE, [ASKED]), (HumanHandoff(), ["I am connecting you with a person."])])


async def test_which_flow_is_meant_is_asked_but_none_of_them_starts() -> None:
    which = Disambiguate(flow_names=("transfer", "weather"))
    asked = "Which one do you mean: 1. transfer, 2. weather?"
    await _held([(VOTE, [ASKED]), (which, [asked]), ("the second one", [FIRST, ASKED])])


async def test_values_for_itself_by_its_own_name_are_applied() -> None:
    await _held([(VOTE, [ASKED]), (StartFlow(flow_name="vote", slots={"grade": 3}), ["3 stars?"])])


async def test_what_was_interrupted_by_it_comes_back_when_it_is_done() -> None:
    await _held([
        (transfer(amount=5), ["To whom?"]), (VOTE, [ASKED]), (WEATHER, [FIRST, ASKED]),
        ("3", ["3 stars?"]), ("yes", ["Thanks.", "Back to transfer.", "To whom?"]),
    ])  # fmt: skip


async def test_a_called_flow_that_may_not_be_interrupted_guards_its_caller_while_it_runs() -> None:
    await _held([
        (StartFlow(flow_name="pay"), [ASKED]),
        (WEATHER, ["Let us finish check first.", ASKED]),
        ("3", ["How much?"]),
        (WEATHER, ["Which city?"]),
    ])  # fmt: skip


async def test_a_flow_that_may_not_be_interrupted_is_guarded_inside_what_it_calls() -> None:
    await _held([
        (StartFlow(flow_name="poll"), ["Which city?"]),
        (TRANSFER, ["Let us finish poll first.", "Which city?"]),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [("en", "One thing at a time.", ASKED), ("es", "Primero vote.", "¿Cuántas estrellas?")],
)
async def test_the_refusal_is_the_authors(language: str, said: str, asked: str) -> None:
    own = 'responses: {not_interruptible: {en: "One thing at a time.", es: "Primero {flow}."}}'
    await _held([(VOTE, [asked]), (WEATHER, [said, asked])], own, language)


@pytest.mark.parametrize(
    ("language", "first", "asked"),
    [
        ("en", "Let us finish transfer first.", "How much?"),
        ("es", "Terminemos primero transfer.", "¿Cuánto?"),
    ],
)
async def test_with_interruption_disabled_every_flow_is_like_that(
    language: str, first: str, asked: str
) -> None:
    off = "conversation_patterns: {interruption: {enabled: false}}"
    await _held([(TRANSFER, [asked]), (WEATHER, [first, asked])], off, language)


async def test_the_application_may_not_interrupt_it_either() -> None:
    async with talking_to(desk(flows=FLOWS), ACTIONS) as talk:
        await talk.say("vote", VOTE)
        assert (await talk.runtime.start_flow("ann", "weather")).messages == [FIRST, ASKED]
