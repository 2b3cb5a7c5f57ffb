"""Several slots in one message: all are written, then the flow goes on to the first it must ask."""

import pytest

from soni.commands import ChitChat, SetSlot, SkipSlot, StartFlow
from tests.conversations.desk import NO, TRANSFER, YES, Line, change, desk, held, put, transfer

FIVE, BOB = put("amount", 5), put("recipient", "Bob")
TRIP = """
slots:
  day: {type: date, prompt: {en: "Which day?", es: "¿Qué día?"}}
  back: {type: date, prompt: {en: "Back when?", es: "¿Cuándo vuelves?"},
         constraints: [{if: back > day, message: {en: "Back before you left?", es: "¿Vuelves antes?"}}]}
  seats: {type: integer, prompt: {en: "How many?", es: "¿Cuántos?"}}
  meal: {prompt: "Which meal?", required: false, default: none}
  pin: {prompt: "Your PIN?", sensitive: true, ask_before_filling: true}
  who: {prompt: "Who travels?", scope: conversation}
flows:
  travel:
    trigger: {examples: [travel]}
    steps:
      - {collect: [day, back], message: {en: "From when to when?", es: "¿De cuándo a cuándo?"}}
      - collect: seats
      - collect: who
      - say: "{seats} for {who}: {day} to {back}."
  secure:
    trigger: {}
    steps: [{collect: seats}, {collect: pin}, {collect: meal}, {say: "{seats}, {meal}, {pin}."}]
"""  # noqa: E501 - a slot reads best on one line


async def test_both_at_the_start_leave_only_the_confirmation() -> None:
    await held([(transfer(amount=5, recipient="Bob"), ["Send 5 to Bob?"])])


@pytest.mark.parametrize("said", [(FIVE, BOB), (BOB, FIVE)])
async def test_both_at_the_first_question_in_either_order(said: tuple[SetSlot, SetSlot]) -> None:
    await held([(TRANSFER, ["How much?"]), (said, ["Send 5 to Bob?"])])


async def test_in_spanish() -> None:
    lines: list[Line] = [
        (TRANSFER, ["¿Cuánto?"]),
        ((FIVE, BOB), ["¿Envío 5 a Bob?"]),
        ("sí", ["Enviado 5 a Bob."]),
    ]
    await held(lines, language="es")


async def test_a_later_one_alone_is_kept_and_the_asked_one_is_asked_again() -> None:
    talk = await held([(TRANSFER, ["How much?"]), (BOB, ["How much?"]), (FIVE, ["Send 5 to Bob?"])])
    assert talk.slots == {"amount": 5, "recipient": "Bob"}


async def test_of_two_values_for_one_slot_the_later_counts() -> None:
    talk = await held([(TRANSFER, ["How much?"]), ((FIVE, put("amount", 6)), ["To whom?"])])
    assert talk.slots == {"amount": 6}
    assert talk.decisions == [("SetSlot", "rejected"), ("SetSlot", "accepted")]


async def test_a_bad_one_beside_a_good_one_is_explained_and_only_it_is_asked() -> None:
    lots = put("amount", "lots")
    said = ["Please give a whole number.", "How much?"]
    await held([(TRANSFER, ["How much?"]), ((lots, BOB), said), (FIVE, ["Send 5 to Bob?"])])


async def test_a_bad_one_for_later_does_not_hold_up_the_good_one() -> None:
    bad = put("seats", "many")
    lines: list[Line] = [
        (StartFlow(flow_name="travel"), ["From when to when?"]),
        ((put("day", "2026-03-05"), bad), ["Please give a whole number.", "Back when?"]),
    ]
    await held(lines, TRIP, "")


async def test_one_question_for_two_slots_takes_both_or_asks_for_the_other() -> None:
    both = (put("day", "2026-03-05"), put("back", "2026-03-09"))
    start = (StartFlow(flow_name="travel"), ["From when to when?"])
    await held([start, (both, ["How many?"])], TRIP, "")
    await held([start, (both[1], ["Which day?"]), (both[0], ["How many?"])], TRIP, "")


@pytest.mark.parametrize(
    ("language", "asked", "why", "again"),
    [
        ("en", "From when to when?", "Back before you left?", "Back when?"),
        ("es", "¿De cuándo a cuándo?", "¿Vuelves antes?", "¿Cuándo vuelves?"),
    ],
)
async def test_two_that_do_not_go_together_keep_the_first(
    language: str, asked: str, why: str, again: str
) -> None:
    both = (put("day", "2026-03-09"), put("back", "2026-03-05"))
    lines: list[Line] = [(StartFlow(flow_name="travel"), [asked]), (both, [why, again])]
    talk = await held(lines, TRIP, "", language)
    assert talk.slots == {"day": "2026-03-09"}


async def test_one_of_the_conversation_goes_past_its_question_too() -> None:
    known = StartFlow(
        flow_name="travel",
        slots={"day": "2026-03-05", "back": "2026-03-09", "seats": 2, "who": "Ann"},
    )
    again = StartFlow(flow_name="travel", slots={"day": "2026-04-05", "back": "2026-04-09"})
    said = ["2 for Ann: 5 March 2026 to 9 March 2026."]
    later = ["1 for Ann: 5 April 2026 to 9 April 2026."]
    await held([(known, said), (again, ["How many?"]), ("1", later)], TRIP, "")


async def test_one_that_is_only_filled_when_asked_is_asked_all_the_same() -> None:
    start = StartFlow(flow_name="secure", slots={"seats": 2, "pin": "1234", "meal": "fish"})
    talk = await held([(start, ["Your PIN?"]), ("9876", ["2, fish, ••••."])], TRIP, "")
    assert "1234" not in str(talk.state)


async def test_a_value_and_a_skip_in_one_message() -> None:
    start = StartFlow(flow_name="secure", slots={"seats": 2})
    both = (put("pin", "1234"), SkipSlot(slot_name="meal"))
    await held([(start, ["Your PIN?"]), (both, ["2, none, ••••."])], TRIP, "")


async def test_zero_and_the_empty_text_are_values_among_others() -> None:
    await held([(transfer(amount=0, recipient=""), ["Send 0 to ?"])])


async def test_a_new_one_and_a_change_of_an_old_one_in_one_message() -> None:
    said = ["amount is now 6.", "Send 6 to Bob?"]
    await held([(transfer(amount=5), ["To whom?"]), ((change("amount", 6), BOB), said)])


async def test_both_changed_at_the_confirmation_are_shown_once() -> None:
    start = (transfer(amount=5, recipient="Bob"), ["Send 5 to Bob?"])
    both = (change("amount", 6), change("recipient", "Eve"))
    said = ["amount is now 6.", "recipient is now Eve.", "Send 6 to Eve?"]
    await held([start, (both, said)])
    await held([start, ((NO, *both), said), (YES, ["Sent 6 to Eve."])])


async def test_small_talk_beside_two_values_comes_before_the_next_question() -> None:
    lines: list[Line] = [
        (TRANSFER, ["How much?"]),
        ((ChitChat(), FIVE, BOB), ["I'm here to help.", "Send 5 to Bob?"]),
    ]
    await held(lines)


async def test_a_value_that_no_open_flow_has_is_dropped_and_the_others_are_taken() -> None:
    talk = await held([(TRANSFER, ["How much?"]), ((put("city", "Rome"), FIVE), ["To whom?"])])
    assert talk.decisions == [("SetSlot", "rejected"), ("SetSlot", "accepted")]


async def test_without_acknowledgements_only_the_next_question_is_heard() -> None:
    quiet = desk("conversation_patterns: {correction: {acknowledge: false}}")
    lines: list[Line] = [
        (transfer(amount=5), ["To whom?"]),
        ((change("amount", 6), BOB), ["Send 6 to Bob?"]),
    ]
    await held(lines, quiet)
