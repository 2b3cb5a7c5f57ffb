"""Nasty combinations: several things in one message, and answers that cross each other."""

import pytest

from soni.commands import (
    ChitChat,
    Clarify,
    Command,
    DenyConfirmation,
    Disambiguate,
    HumanHandoff,
    ResumeFlow,
    SkipSlot,
    StartFlow,
)
from tests.conversations.desk import (
    BALANCE,
    BOTH,
    CANCEL,
    COSTS,
    DONE,
    LOAN,
    NO,
    RELEASE,
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

WHAT = "What would you like to change?"
PERSON = "I am connecting you with a person."


# --- a correction and an interruption in one message


@pytest.mark.parametrize("said", [(SIX, WEATHER), (WEATHER, SIX)])
async def test_a_correction_and_an_interruption_in_either_order(said: tuple[Command, ...]) -> None:
    await held([
        (transfer(amount=5), ["To whom?"]), (said, ["amount is now 6.", "Which city?"]),
        (ROME, [SUN, "Back to transfer.", "To whom?"]), ("Bob", [SURE_6]),
    ])  # fmt: skip


async def test_a_correction_and_an_interruption_at_a_confirmation() -> None:
    talk = await held([
        (BOTH, [SURE]), ((SIX, WEATHER), ["amount is now 6.", "Which city?"]),
        (ROME, [SUN, "Back to transfer.", SURE_6]), (YES, ["Sent 6 to Bob."]),
    ])  # fmt: skip
    assert talk.actions == [("send", {"amount": 6, "recipient": "Bob"})]


async def test_a_correction_and_an_interruption_in_spanish() -> None:
    lines: list[Line] = [
        (BOTH, ["¿Envío 5 a Bob?"]), ((SIX, WEATHER), ["amount ahora es 6.", "¿Qué ciudad?"]),
        (ROME, ["Hace sol en Rome.", "Volvemos a transfer.", "¿Envío 6 a Bob?"]),
    ]  # fmt: skip
    await held(lines, language="es")


async def test_an_invalid_correction_and_an_interruption() -> None:
    bad = change("amount", "lots")
    await held([
        (BOTH, [SURE]), ((bad, WEATHER), ["Please give a whole number.", "Which city?"]),
        (ROME, [SUN, "Back to transfer.", SURE]),
    ])  # fmt: skip


async def test_a_correction_that_names_its_flow_is_not_taken_for_the_new_one() -> None:
    loan = StartFlow(flow_name="loan")
    mine = (change("amount", 6, "transfer"), loan)
    await held([(BOTH, [SURE]), (mine, ["amount is now 6.", "How much?"])], desk(flows=LOAN))
    either = (SIX, loan)
    talk = await held([(BOTH, [SURE]), (either, ["Borrow 6?"])], desk(flows=LOAN))
    assert [slots["amount"] for slots in talk.state["flow_slots"].values()] == [5, 6]


# --- yes, no and values beside a question


@pytest.mark.parametrize(
    ("language", "start", "words", "said"),
    [
        ("en", SURE, "yes, and what does it cost?", ["It is free.", SURE]),
        ("en", SURE, "yes. how long does it take?", ["A day.", SURE]),
        ("es", "¿Envío 5 a Bob?", "sí, ¿y cuánto cuesta?", ["Es gratis.", "¿Envío 5 a Bob?"]),
        ("en", SURE, "no, what does it cost?", ["It is free.", WHAT]),
    ],
)
async def test_an_answer_and_a_question(
    language: str, start: str, words: str, said: list[str]
) -> None:
    talk = await held([(BOTH, [start]), (words, said)], desk(COSTS), language=language)
    assert talk.actions == []


async def test_a_value_and_a_question() -> None:
    said = ["It is free.", "To whom?"]
    await held([(TRANSFER, ["How much?"]), ("5, and what does it cost?", said)], desk(COSTS))


async def test_yes_with_a_question_and_a_change_confirms_nothing() -> None:
    three = (YES, Clarify(topic="What does it cost?"), SIX)
    talk = await held(
        [(BOTH, [SURE]), (three, ["amount is now 6.", "It is free.", SURE_6])], desk(COSTS)
    )
    assert talk.actions == []


async def test_yes_with_a_question_that_has_no_answer() -> None:
    both = (YES, Clarify(topic="the moon"))
    await held([(BOTH, [SURE]), (both, [SENT, "I have no answer to that."])])


# --- no and another wish, skips, resumes, people


async def test_deny_and_start_leaves_what_to_change_for_the_return() -> None:
    talk = await held([
        (BOTH, [SURE]), ((NO, WEATHER), ["Which city?"]), (ROME, [SUN, "Back to transfer.", WHAT]),
        (NO, [DONE]),
    ])  # fmt: skip
    assert talk.actions == []


async def test_deny_with_a_slot_and_start_asks_for_it_on_return() -> None:
    both = (DenyConfirmation(slot_to_change="amount"), WEATHER)
    await held(
        [
            (BOTH, [SURE]),
            (both, ["Which city?"]),
            (ROME, [SUN, "Back to transfer.", "How much?"]),
            ("6", [SURE_6]),
        ]
    )


async def test_deny_start_and_value_in_one_message() -> None:
    three = (NO, SIX, WEATHER)
    await held(
        [
            (BOTH, [SURE]),
            (three, ["amount is now 6.", "Which city?"]),
            (ROME, [SUN, "Back to transfer.", SURE_6]),
        ]
    )


async def test_skip_and_a_correction_in_one_message() -> None:
    needed = "I need recipient to go on."
    said = [needed, "amount is now 6.", "To whom?"]
    await held([(transfer(amount=5), ["To whom?"]), ((SkipSlot(), SIX), said)])


async def test_resume_and_set_in_one_message() -> None:
    both = (ResumeFlow(flow_name="transfer"), put("recipient", "Bob"))
    await held(
        [
            (transfer(amount=5), ["To whom?"]),
            (WEATHER, ["Which city?"]),
            (both, ["Back to transfer.", SURE]),
            (YES, [SENT, "Back to weather.", "Which city?"]),
        ]
    )


async def test_resume_and_an_answer_to_what_is_being_left() -> None:
    both = (ResumeFlow(flow_name="transfer"), ROME)
    await held(
        [(BOTH, [SURE]), (WEATHER, ["Which city?"]), (both, [SUN, "Back to transfer.", SURE])]
    )


async def test_handoff_and_start_in_one_message() -> None:
    talk = await held(
        [(BOTH, [SURE]), ((HumanHandoff(), WEATHER), [PERSON]), (RELEASE, ["Which city?"])]
    )
    assert talk.stack == ["transfer", "weather"]


async def test_handoff_and_cancel_in_one_message() -> None:
    await held([(BOTH, [SURE]), ((HumanHandoff(), CANCEL), [DONE, PERSON]), (RELEASE, [])])


async def test_small_talk_a_value_and_a_start_in_one_message() -> None:
    three = (ChitChat(), put("amount", 5), WEATHER)
    talk = await held(
        [
            (TRANSFER, ["How much?"]),
            (three, ["Which city?"]),
            (ROME, [SUN, "Back to transfer.", "To whom?"]),
        ]
    )
    assert talk.slots == {"amount": 5}


async def test_which_flow_and_an_answer_in_one_message() -> None:
    two = (put("amount", 5), Disambiguate(flow_names=("balance", "weather")))
    asked = "Which one do you mean: 1. balance, 2. weather?"
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), (two, [asked]), ("the second one", ["Which city?"]),
        (ROME, [SUN, "Back to transfer.", "To whom?"]),
    ]  # fmt: skip
    await held(lines)


async def test_three_wishes_in_one_message_are_granted_in_that_order() -> None:
    await held([
        ((WEATHER, BALANCE, TRANSFER), ["Which city?"]), (ROME, [SUN, "Which account?"]),
        ("main", ["There is 100 in main.", "How much?"]),
    ])  # fmt: skip


async def test_a_new_wish_and_two_paused_ones_in_one_message_come_in_that_order() -> None:
    three = (WEATHER, ResumeFlow(flow_name="transfer"), ResumeFlow(flow_name="balance"))
    await held([
        (TRANSFER, ["How much?"]), (BALANCE, ["Which account?"]), (three, ["Which city?"]),
        (ROME, [SUN, "Back to transfer.", "How much?"]),
        (CANCEL, ["I have cancelled transfer.", "Back to balance.", "Which account?"]),
    ])  # fmt: skip


async def test_two_wishes_for_a_person_are_one() -> None:
    two = (HumanHandoff(reason="angry"), HumanHandoff(reason="a complaint"))
    talk = await held([(two, [PERSON])])
    assert talk.state["metadata"]["handoff"]["reason"] == "a complaint"


@pytest.mark.parametrize(
    ("answer", "said"), [(YES, [SUN]), (NO, ["All right, nothing changes.", "How much?"])]
)
async def test_an_answer_about_the_limit_and_a_value_for_the_new_flow(
    answer: Command, said: list[str]
) -> None:
    one = desk("settings: {flow_management: {max_stack_depth: 1, on_limit_reached: ask_user}}")
    shall = "I can keep only 1 open at once. Shall I cancel transfer and start weather?"
    lines: list[Line] = [(TRANSFER, ["How much?"]), (WEATHER, [shall]), ((answer, ROME), said)]
    await held(lines, one)


GIFT = """
slots:
  gift: {type: boolean, prompt: "A gift?"}
  note: {prompt: "A note?", required: false}
flows:
  wrap:
    trigger: {}
    steps:
      - collect: gift
      - collect: note
      - {confirm: "Gift: {gift}?"}
      - action: pack
      - say: "Packed."
"""
PACK = """
from soni import action

@action
def pack(gift: bool) -> dict:
    return {}
"""
WRAP = StartFlow(flow_name="wrap")


@pytest.mark.parametrize("said", [(YES, NO), (NO, YES)])
async def test_yes_and_no_to_a_yes_or_no_slot_are_a_no(said: tuple[Command, ...]) -> None:
    talk = await held([(WRAP, ["A gift?"]), (said, ["A note?"])], GIFT, PACK)
    assert talk.slots == {"gift": False}


async def test_yes_and_no_beside_a_change_that_is_not_shown_confirm_nothing() -> None:
    known = StartFlow(flow_name="wrap", slots={"gift": True, "note": "hi"})
    three = (YES, NO, put("note", "hello"))
    said = ["note is now hello.", "Gift: yes?"]
    talk = await held([(known, ["Gift: yes?"]), (three, said)], GIFT, PACK)
    assert talk.actions == []


async def test_yes_beside_a_cancel_is_no_answer_of_the_task_below() -> None:
    another = StartFlow(flow_name="wrap", another=True)
    said = ["I have cancelled wrap.", "Back to wrap.", "A gift?"]
    talk = await held(
        [(WRAP, ["A gift?"]), (another, ["A gift?"]), ((YES, CANCEL), said)], GIFT, PACK
    )
    assert talk.slots == {}
