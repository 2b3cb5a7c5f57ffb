"""Invalid value: the reason, then the question; after max_attempts, a person."""

import pytest

from soni.commands import ChitChat, DenyConfirmation, SetSlot, SkipSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.conversations.desk import Line, held, put
from tests.talking import talking_to

LOTS = SetSlot(slot_name="amount", value="lots")
GOODBYE = "I am connecting you with a person."


async def test_the_reason_then_the_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("lots") == ["Please give a whole number.", "How much?"]
        assert talk.slots == {}
        logged = talk.state["command_log"][-1]
        assert (logged["result"], logged["reason"]) == ("error", "Please give a whole number.")


async def test_for_a_choice_its_values_are_said() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("the moon")
        assert said == ["Please choose one of: main, savings.", "Which account?"]
        assert await talk.say("current") == ["There are 100 euros in main."]


async def test_a_validators_words_are_the_reason() -> None:
    yaml = """
slots: {code: {prompt: "Code?", validator: known}}
flows: {enter: {trigger: {}, steps: [{collect: code}, {say: "Welcome."}]}}
"""
    actions = """
from soni import validator
@validator
def known(code: str) -> bool:
    if code == "old":
        raise ValueError("That code has expired.")
    return code == "good"
"""
    async with talking_to(yaml, actions) as talk:
        await talk.say("enter", StartFlow(flow_name="enter"))
        assert await talk.say("old") == ["That code has expired.", "Code?"]
        assert await talk.say("bad") == ["That value is not possible here.", "Code?"]
        assert await talk.say("good") == ["Welcome."]


async def test_after_max_attempts_a_person_takes_over() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(2):
            assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]
        reason = "no valid value for amount after 3 attempts"
        assert talk.state["metadata"]["handoff"]["reason"] == reason


async def test_the_steps_own_max_attempts_counts_before_the_settings() -> None:
    flows = """
  strict:
    trigger: {}
    steps: [{collect: amount, max_attempts: 1}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("strict", StartFlow(flow_name="strict"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]


async def test_a_good_value_starts_the_count_anew() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 2}}"), ACTIONS) as talk:
        await talk.say("to Bob", StartFlow(flow_name="transfer", slots={"recipient": "Bob"}))
        await talk.say("lots", LOTS)
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        change = DenyConfirmation(slot_to_change="amount")
        assert await talk.say("no, the amount", change) == ["How much?"]
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]


async def test_after_a_release_the_count_starts_anew() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 1}}"), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]
        assert (await talk.runtime.release("ann")).messages == ["How much?"]
        assert await talk.say("5") == ["To whom?"]


async def test_without_anybody_to_hand_over_to_it_goes_on_asking() -> None:
    off = """
settings: {collection: {max_attempts: 1}}
conversation_patterns: {human_handoff: {enabled: false}}
"""
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(3):
            assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]


async def test_a_value_for_a_later_question_counts_no_attempt_at_this_one() -> None:
    flows = "  card: {trigger: {}, steps: [{collect: recipient}, {collect: amount}]}\n"
    yaml = bank("settings: {collection: {max_attempts: 1}}", flows)
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("card", StartFlow(flow_name="card"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", "To whom?"]


async def test_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("la luna")
        assert said == ["Elige una de estas opciones: main, savings.", "Which account?"]


TICKET = """
slots:
  seats: {type: integer, prompt: {en: "How many?", es: "¿Cuántas?"}, constraints: [
    {if: seats > 0, message: {en: "At least one.", es: "Una como mínimo."}},
    {if: seats <= 8, message: {en: "Eight at most, not {seats}.", es: "Ocho como mucho."}}]}
  day: {type: date, prompt: {en: "Which day?", es: "¿Qué día?"}}
  pin: {prompt: "Your PIN?", sensitive: true, validator: four}
flows:
  book:
    trigger: {}
    steps:
      - {collect: seats, max_attempts: 2, on_invalid: sorry}
      - collect: day
      - {say: {en: "{seats} on {day}.", es: "{seats} el {day}."}, jump_to: end}
      - {step: sorry, say: {en: "Then call us.", es: "Entonces llámanos."}}
  unlock: {trigger: {}, steps: [{collect: pin}, {say: "Open."}]}
"""
FOUR = """
from soni import validator

@validator
def four(pin: str) -> bool:
    if len(pin) != 4:
        raise ValueError(f"{pin} has not four digits.")
    return True
"""
BOOK = StartFlow(flow_name="book")


@pytest.mark.parametrize(
    ("language", "asked", "none", "many"),
    [
        ("en", "How many?", "At least one.", "Eight at most, not 9."),
        ("es", "¿Cuántas?", "Una como mínimo.", "Ocho como mucho."),
    ],
)
async def test_the_constraint_that_does_not_hold_says_why(
    language: str, asked: str, none: str, many: str
) -> None:
    await held([(BOOK, [asked]), ("0", [none, asked])], TICKET, FOUR, language)
    await held([(BOOK, [asked]), ("9", [many, asked])], TICKET, FOUR, language)


@pytest.mark.parametrize(
    ("language", "asked", "why", "sorry"),
    [
        ("en", "How many?", "Please give a whole number.", "Then call us."),
        ("es", "¿Cuántas?", "Por favor, da un número entero.", "Entonces llámanos."),
    ],
)
async def test_after_the_limit_the_steps_way_out_is_taken(
    language: str, asked: str, why: str, sorry: str
) -> None:
    lines: list[Line] = [(BOOK, [asked]), ("x", [why, asked]), ("y", [why, sorry])]
    talk = await held(lines, TICKET, FOUR, language)
    assert talk.ended == [("book", "completed")]


async def test_reasons_of_different_kinds_are_counted_together() -> None:
    whole = "Please give a whole number."
    lines: list[Line] = [
        (BOOK, ["How many?"]),
        ("x", [whole, "How many?"]),
        ("0", ["At least one.", "Then call us."]),
    ]
    await held(lines, TICKET, FOUR)


async def test_each_question_has_its_own_count() -> None:
    date = "That is not a date I understand, such as 2026-03-02 or tomorrow."
    lines: list[Line] = [
        (BOOK, ["How many?"]),
        ("x", ["Please give a whole number.", "How many?"]),
        ("2", ["Which day?"]),
        ("x", [date, "Which day?"]),
        ("y", [date, "Which day?"]),
        ("tomorrow", ["2 on 3 March 2026."]),
    ]
    await held(lines, TICKET, FOUR)


async def test_noise_questions_and_skips_are_no_attempts() -> None:
    whole = ["Please give a whole number.", "How many?"]
    lines: list[Line] = [
        (BOOK, ["How many?"]), ("x", whole), ((), ["I did not understand that.", "How many?"]),
        (ChitChat(), ["I'm here to help.", "How many?"]),
        (SkipSlot(), ["I need seats to go on.", "How many?"]), ("2", ["Which day?"]),
    ]  # fmt: skip
    await held(lines, TICKET, FOUR)


async def test_two_bad_values_in_one_message_say_both_reasons_and_count_the_asked_one() -> None:
    date = "That is not a date I understand, such as 2026-03-02 or tomorrow."
    both = (put("seats", "x"), put("day", "someday"))
    whole = "Please give a whole number."
    lines: list[Line] = [
        (BOOK, ["How many?"]),
        (both, [whole, date, "How many?"]),
        (both, [whole, date, "Then call us."]),
    ]
    await held(lines, TICKET, FOUR)


async def test_a_bad_value_at_the_start_is_explained_by_name_and_counts_nothing() -> None:
    bad = StartFlow(flow_name="book", slots={"seats": "x"})
    said = "I could not use seats: Please give a whole number."
    lines: list[Line] = [
        (bad, [said, "How many?"]),
        ("x", ["Please give a whole number.", "How many?"]),
    ]
    await held(lines, TICKET, FOUR)
    dicho = "No he podido usar seats: Por favor, da un número entero."
    await held([(bad, [dicho, "¿Cuántas?"])], TICKET, FOUR, "es")


async def test_a_bad_sensitive_value_is_shown_nowhere() -> None:
    start = StartFlow(flow_name="unlock")
    lines: list[Line] = [
        (start, ["Your PIN?"]),
        ("12345", ["•••• has not four digits.", "Your PIN?"]),
    ]
    talk = await held(lines, TICKET, FOUR)
    assert "12345" not in str(talk.state)


@pytest.mark.parametrize(
    ("language", "asked", "why"),
    [("en", "How many?", "Digits, please."), ("es", "¿Cuántas?", "Con cifras, por favor.")],
)
async def test_the_reason_is_the_authors(language: str, asked: str, why: str) -> None:
    own = 'responses: {invalid_integer: {en: "Digits, please.", es: "Con cifras, por favor."}}'
    await held([(BOOK, [asked]), ("x", [why, asked])], f"{own}\n{TICKET}", FOUR, language)
