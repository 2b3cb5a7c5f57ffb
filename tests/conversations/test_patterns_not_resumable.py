"""resumable: false: interrupted means cancelled; nothing comes back."""

import pytest

from soni.commands import ChitChat, Clarify, HumanHandoff, ResumeFlow, StartFlow
from tests.conversations.desk import (
    RELEASE,
    TRANSFER,
    WEATHER,
    YES,
    Line,
    desk,
    held,
    put,
    transfer,
)
from tests.talking import Talk

FLOWS = """
  quiz:
    trigger: {examples: [quiz]}
    resumable: false
    steps:
      - collect: grade
      - {confirm: {en: "{grade} it is?", es: "¿Son {grade}?"}}
      - say: {en: "Right!", es: "¡Bien!"}
  game: {trigger: {}, resumable: false, steps: [{call: round}, {say: "Over."}]}
  round: {steps: [{collect: city}]}
  lesson: {trigger: {}, steps: [{call: task}, {say: "Learnt."}]}
  task: {resumable: false, steps: [{collect: grade}]}
"""
QUIZ = StartFlow(flow_name="quiz")
ASKED = "How many stars?"
ROME = put("city", "Rome")


async def _held(lines: list[Line], keys: str = "", language: str = "en") -> Talk:
    return await held(lines, desk(keys, FLOWS), language=language)


@pytest.mark.parametrize(
    ("language", "asked", "city", "sun"),
    [
        ("en", ASKED, "Which city?", "It is sunny in Rome."),
        ("es", "¿Cuántas estrellas?", "¿Qué ciudad?", "Hace sol en Rome."),
    ],
)
async def test_interrupted_it_does_not_come_back(
    language: str, asked: str, city: str, sun: str
) -> None:
    talk = await _held([(QUIZ, [asked]), (WEATHER, [city]), (ROME, [sun])], language=language)
    assert talk.stack == []
    archived = [
        (f["flow_name"], f["flow_state"]) for f in talk.state["metadata"]["completed_flows"]
    ]
    assert archived == [("quiz", "cancelled"), ("weather", "completed")]


async def test_at_its_confirmation_a_yes_after_the_interruption_confirms_nothing() -> None:
    talk = await _held([
        (QUIZ, [ASKED]), ("3", ["3 it is?"]), ("when are you open", ["From 9 to 5."]),
        ("yes", ["I did not understand that."]),
    ])  # fmt: skip
    assert talk.stack == []


async def test_what_was_below_it_comes_back_instead() -> None:
    await _held([
        (TRANSFER, ["How much?"]), (QUIZ, [ASKED]), (WEATHER, ["Which city?"]),
        (ROME, ["It is sunny in Rome.", "Back to transfer.", "How much?"]),
    ])  # fmt: skip


async def test_asked_for_again_it_begins_anew() -> None:
    talk = await _held([
        (StartFlow(flow_name="quiz", slots={"grade": 3}), ["3 it is?"]), (WEATHER, ["Which city?"]),
        (QUIZ, [ASKED]),
    ])  # fmt: skip
    assert talk.stack == ["weather", "quiz"]


async def test_it_cannot_be_resumed_by_name() -> None:
    resume = ResumeFlow(flow_name="quiz")
    pardon = ["I did not understand that.", "Which city?"]
    talk = await _held([(QUIZ, [ASKED]), (WEATHER, ["Which city?"]), (resume, pardon)])
    assert talk.state["command_log"][-1]["reason"] == "no such paused task; paused: none"


async def test_resuming_another_task_leaves_it_for_good() -> None:
    talk = await _held([
        (TRANSFER, ["How much?"]), (QUIZ, [ASKED]),
        (ResumeFlow(), ["Back to transfer.", "How much?"]),
    ])  # fmt: skip
    assert (talk.stack, talk.ended) == (["transfer"], [("quiz", "cancelled")])


async def test_digressions_and_noise_do_not_interrupt_it() -> None:
    await _held([
        (QUIZ, [ASKED]),
        (ChitChat(), ["I'm here to help.", ASKED]),
        (Clarify(topic="the moon"), ["I have no answer to that.", ASKED]),
        ((), ["I did not understand that.", ASKED]),
        ("3", ["3 it is?"]), (YES, ["Right!"]),
    ])  # fmt: skip


async def test_a_start_of_itself_does_not_interrupt_it() -> None:
    await _held([(QUIZ, [ASKED]), (StartFlow(flow_name="quiz", slots={"grade": 3}), ["3 it is?"])])


async def test_another_of_itself_takes_its_place() -> None:
    talk = await _held([
        (StartFlow(flow_name="quiz", slots={"grade": 3}), ["3 it is?"]),
        (StartFlow(flow_name="quiz", another=True), [ASKED]),
    ])  # fmt: skip
    assert (talk.stack, talk.ended) == (["quiz"], [("quiz", "cancelled")])


async def test_a_person_in_between_does_not_interrupt_it() -> None:
    await _held([
        (QUIZ, [ASKED]), (HumanHandoff(), ["I am connecting you with a person."]),
        (RELEASE, [ASKED]), ("3", ["3 it is?"]),
    ])  # fmt: skip


async def test_the_answer_that_ends_it_is_no_interruption() -> None:
    talk = await _held([
        (QUIZ, [ASKED]), ("3", ["3 it is?"]), ((YES, WEATHER), ["Right!", "Which city?"]),
    ])  # fmt: skip
    assert talk.ended == [("quiz", "completed")]


async def test_a_wish_that_is_refused_does_not_cancel_it() -> None:
    off = "conversation_patterns: {interruption: {enabled: false}}"
    lines: list[Line] = [(QUIZ, [ASKED]), (WEATHER, ["Let us finish quiz first.", ASKED])]
    assert (await _held(lines, off)).stack == ["quiz"]


async def test_its_place_is_free_for_what_interrupts_it() -> None:
    one = "settings: {flow_management: {max_stack_depth: 1, on_limit_reached: reject_new}}"
    talk = await _held([(QUIZ, [ASKED]), (WEATHER, ["Which city?"])], one)
    assert (talk.stack, talk.ended) == (["weather"], [("quiz", "cancelled")])


async def test_what_it_called_goes_with_it() -> None:
    talk = await _held([
        (StartFlow(flow_name="game"), ["Which city?"]), (TRANSFER, ["How much?"]),
    ])  # fmt: skip
    assert sorted(talk.ended) == [("game", "cancelled"), ("round", "cancelled")]


async def test_of_a_task_only_the_flow_that_was_started_decides() -> None:
    await _held([
        (StartFlow(flow_name="lesson"), [ASKED]), (WEATHER, ["Which city?"]),
        (ROME, ["It is sunny in Rome.", "Back to lesson.", ASKED]),
    ])  # fmt: skip


async def test_waiting_below_the_first_of_two_wishes_it_has_not_begun_and_starts() -> None:
    await _held([
        ((WEATHER, QUIZ), ["Which city?"]), (ROME, ["It is sunny in Rome.", ASKED]),
        (transfer(amount=5), ["To whom?"]),
    ])  # fmt: skip
