"""Confirm: yes, no, no with a slot, no with a value, and answers that are neither."""

import pytest

from soni.commands import (
    ChitChat,
    Clarify,
    Command,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    SkipSlot,
)
from tests.conversations.desk import (
    NO,
    RELEASE,
    WEATHER,
    YES,
    Line,
    change,
    desk,
    held,
    put,
    transfer,
)

BOTH = transfer(amount=5, recipient="Bob")
SURE, SENT = "Send 5 to Bob?", "Sent 5 to Bob."
WHAT = "What would you like to change?"
PARDON = "I did not understand that."
PERSON = "I am connecting you with a person."
CAN_DO = "I can help with: transfer, balance, weather, hours."
START: Line = (BOTH, [SURE])


def no(slot: str) -> DenyConfirmation:
    return DenyConfirmation(slot_to_change=slot)


@pytest.mark.parametrize("word", ["yes", "Sure!", "go ahead", "that's right", "OK."])
async def test_words_for_yes(word: str) -> None:
    await held([START, (word, [SENT])])


@pytest.mark.parametrize("word", ["sí", "¡Claro!", "vale", "Adelante", "si por favor"])
async def test_words_for_yes_in_spanish(word: str) -> None:
    await held([(BOTH, ["¿Envío 5 a Bob?"]), (word, ["Enviado 5 a Bob."])], language="es")


@pytest.mark.parametrize("word", ["no", "Nope.", "that's wrong", "rather not"])
async def test_words_for_no_ask_what_to_change(word: str) -> None:
    talk = await held([START, (word, [WHAT])])
    assert (talk.actions, talk.stack) == ([], ["transfer"])


@pytest.mark.parametrize("word", ["no", "mejor no", "Para nada."])
async def test_words_for_no_in_spanish(word: str) -> None:
    lines: list[Line] = [
        (BOTH, ["¿Envío 5 a Bob?"]),
        (word, ["¿Qué quieres cambiar?"]),
        (word, ["He cancelado transfer."]),
    ]
    await held(lines, language="es")


@pytest.mark.parametrize("word", ["yes but wait", "no idea", "maybe", "yesno"])
async def test_words_that_are_neither_confirm_nothing(word: str) -> None:
    talk = await held([START, (word, [PARDON, SURE])])
    assert talk.actions == []


async def test_no_with_a_slot_asks_for_it_then_confirms_again() -> None:
    talk = await held(
        [START, (no("amount"), ["How much?"]), ("6", ["Send 6 to Bob?"]), (YES, ["Sent 6 to Bob."])]
    )
    assert talk.actions == [("send", {"amount": 6, "recipient": "Bob"})]


async def test_no_with_a_slot_as_it_is_said() -> None:
    await held([START, ("no, change the recipient", ["To whom?"]), ("Eve", ["Send 5 to Eve?"])])
    await held([START, ("no", [WHAT]), ("the amount", ["How much?"]), ("6", ["Send 6 to Bob?"])])


async def test_no_with_a_slot_in_spanish() -> None:
    lines: list[Line] = [
        (BOTH, ["¿Envío 5 a Bob?"]), (no("amount"), ["¿Cuánto?"]), ("6", ["¿Envío 6 a Bob?"]),
        ("sí", ["Enviado 6 a Bob."]),
    ]  # fmt: skip
    await held(lines, language="es")


async def test_no_with_the_same_value_again_confirms_the_same_again() -> None:
    await held([START, (no("amount"), ["How much?"]), ("5", [SURE]), (YES, [SENT])])


async def test_no_with_a_slot_then_an_invalid_value_asks_it_again() -> None:
    bad = ["Please give a whole number.", "How much?"]
    await held([START, (no("amount"), ["How much?"]), ("lots", bad), ("6", ["Send 6 to Bob?"])])


@pytest.mark.parametrize("value", [put("amount", 6), change("amount", 6)])
async def test_no_with_a_value_changes_it_and_confirms_again(value: Command) -> None:
    lines: list[Line] = [
        START,
        ((NO, value), ["amount is now 6.", "Send 6 to Bob?"]),
        (YES, ["Sent 6 to Bob."]),
    ]
    await held(lines)


async def test_no_with_a_value_in_spanish() -> None:
    both = (NO, put("amount", 6))
    await held(
        [(BOTH, ["¿Envío 5 a Bob?"]), (both, ["amount ahora es 6.", "¿Envío 6 a Bob?"])],
        language="es",
    )


async def test_no_with_a_value_where_corrections_are_not_acknowledged() -> None:
    quiet = desk("conversation_patterns: {correction: {acknowledge: false}}")
    await held([START, ((NO, put("amount", 6)), ["Send 6 to Bob?"])], quiet)


async def test_no_with_a_value_where_corrections_are_disabled_changes_nothing() -> None:
    fixed = desk("conversation_patterns: {correction: {enabled: false}}")
    talk = await held(
        [START, ((NO, put("amount", 6)), ["amount cannot be changed any more.", SURE])], fixed
    )
    assert talk.actions == []


async def test_no_with_a_slot_and_a_value_for_another_changes_both() -> None:
    both = (no("amount"), put("recipient", "Eve"))
    said = ["recipient is now Eve.", "How much?"]
    await held([START, (both, said), ("6", ["Send 6 to Eve?"])])


async def test_two_slots_one_after_the_other() -> None:
    await held([
        START, (no("amount"), ["How much?"]), ("6", ["Send 6 to Bob?"]),
        (no("recipient"), ["To whom?"]), ("Eve", ["Send 6 to Eve?"]), (YES, ["Sent 6 to Eve."]),
    ])  # fmt: skip


async def test_asked_what_to_change_yes_is_no_answer_and_confirms_nothing() -> None:
    talk = await held(
        [
            START,
            (NO, [WHAT]),
            (YES, [WHAT]),
            (put("amount", 6), ["amount is now 6.", "Send 6 to Bob?"]),
        ]
    )
    assert talk.actions == []


async def test_asked_what_to_change_a_second_no_cancels_but_not_after_a_change() -> None:
    await held([START, (NO, [WHAT]), (NO, ["I have cancelled transfer."])])
    await held(
        [
            START,
            (NO, [WHAT]),
            (no("amount"), ["How much?"]),
            ("6", ["Send 6 to Bob?"]),
            (NO, [WHAT]),
        ]
    )


async def test_unclear_answers_are_counted_and_then_a_person_takes_over() -> None:
    await held([START, ((), [PARDON, SURE]), ((), [PARDON, CAN_DO, SURE]), ((), [PERSON])])


async def test_unclear_answers_in_spanish() -> None:
    two = desk("conversation_patterns: {confirmation: {max_retries: 2}}")
    lines: list[Line] = [
        (BOTH, ["¿Envío 5 a Bob?"]), ((), ["No lo he entendido.", "¿Envío 5 a Bob?"]),
        ((), ["Te paso con una persona."]),
    ]  # fmt: skip
    await held(lines, two, language="es")


async def test_unclear_answers_to_what_to_change_are_counted_too() -> None:
    two = desk("conversation_patterns: {confirmation: {max_retries: 2}}")
    await held([START, (NO, [WHAT]), ((), [PARDON, WHAT]), ((), [PERSON])], two)


async def test_a_clear_answer_starts_the_count_anew() -> None:
    two = desk("conversation_patterns: {confirmation: {max_retries: 2}}")
    await held([
        START, ((), [PARDON, SURE]), (change("amount", 6), ["amount is now 6.", "Send 6 to Bob?"]),
        ((), [PARDON, "Send 6 to Bob?"]), ((), [PERSON]),
    ], two)  # fmt: skip


async def test_after_a_release_the_same_is_asked_with_new_patience() -> None:
    one = desk("conversation_patterns: {confirmation: {max_retries: 1}}")
    await held([START, ((), [PERSON]), (RELEASE, [SURE]), (YES, [SENT])], one)


async def test_without_anybody_to_hand_over_to_it_goes_on_asking() -> None:
    alone = desk(
        "conversation_patterns: {confirmation: {max_retries: 1}, human_handoff: {enabled: false}}"
    )
    await held([START, ((), [PARDON, SURE]), ((), [PARDON, CAN_DO, SURE]), (YES, [SENT])], alone)


async def test_small_talk_questions_and_repeats_are_not_unclear() -> None:
    one = desk("conversation_patterns: {confirmation: {max_retries: 1}}")
    await held(
        [
            START,
            (ChitChat(), ["I'm here to help.", SURE]),
            (Clarify(topic="the moon"), ["I have no answer to that.", SURE]),
            (RepeatLast(), ["I have no answer to that.", SURE]),
            (YES, [SENT]),
        ],
        one,
    )


async def test_skip_is_no_answer_to_a_confirm() -> None:
    await held([START, (SkipSlot(), [PARDON, SURE])])


async def test_a_no_beside_a_wish_for_a_person_asks_nothing_more() -> None:
    talk = await held([START, ((NO, HumanHandoff()), [PERSON]), (RELEASE, [WHAT])])
    assert talk.actions == []


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("end", []),
        ("cancel_flow", ["I have cancelled transfer."]),
        ("collect_amount", [SURE]),
        ("error", ["Something went wrong, so I could not finish transfer."]),
    ],
)
async def test_on_no_decides_where_a_no_leads(target: str, said: list[str]) -> None:
    yaml = desk().replace("      - step: sure\n", f"      - step: sure\n        on_no: {target}\n")
    talk = await held([START, (NO, said)], yaml)
    assert talk.actions == []


async def test_with_on_no_a_value_beside_the_no_is_still_a_change() -> None:
    yaml = desk().replace("      - step: sure\n", "      - step: sure\n        on_no: end\n")
    await held([START, ((NO, put("amount", 6)), ["amount is now 6.", "Send 6 to Bob?"])], yaml)


async def test_a_yes_beside_another_wish_is_done_before_it() -> None:
    talk = await held([START, ((YES, WEATHER), [SENT, "Which city?"])])
    assert talk.stack == ["weather"]


@pytest.mark.parametrize(
    ("language", "sure", "what"),
    [("en", SURE, "So what is wrong?"), ("es", "¿Envío 5 a Bob?", "¿Qué falla?")],
)
async def test_the_words_are_the_authors(language: str, sure: str, what: str) -> None:
    own = desk('responses: {confirm_change: {en: "So what is wrong?", es: "¿Qué falla?"}}')
    await held([(BOTH, [sure]), (NO, [what])], own, language=language)


@pytest.mark.parametrize(
    "words", ["no, change the amount to 6", "Yes, but change the amount to 6.", "set amount to 6"]
)
async def test_a_change_in_words_is_made_and_shown_again(words: str) -> None:
    talk = await held([START, (words, ["amount is now 6.", "Send 6 to Bob?"])])
    assert talk.actions == []


@pytest.mark.parametrize("words", ["no, cambia amount a 6", "Sí, pero cambia el amount por 6"])
async def test_a_change_in_words_in_spanish(words: str) -> None:
    said = ["amount ahora es 6.", "¿Envío 6 a Bob?"]
    await held([(BOTH, ["¿Envío 5 a Bob?"]), (words, said)], language="es")
