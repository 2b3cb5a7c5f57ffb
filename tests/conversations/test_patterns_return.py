"""Interruption and return: the task below comes back with the question it was left at."""

import pytest

from soni.commands import ChitChat, Clarify, ResumeFlow, SetSlot, StartFlow
from tests.conversations.desk import (
    ACTIONS,
    BALANCE,
    CANCEL,
    DESK,
    NO,
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
from tests.talking import talking_to

ROME = put("city", "Rome")
SURE = "Send 5 to Bob?"
BOTH = transfer(amount=5, recipient="Bob")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", [
            ("send money", ["How much?"]),
            ("what is the weather", ["Which city?"]),
            ("Rome", ["It is sunny in Rome.", "Back to transfer.", "How much?"]),
            ("5", ["To whom?"]),
        ]),
        ("es", [
            ("enviar dinero", ["¿Cuánto?"]),
            ("qué tiempo hace", ["¿Qué ciudad?"]),
            ("Roma", ["Hace sol en Roma.", "Volvemos a transfer.", "¿Cuánto?"]),
            ("5", ["¿A quién?"]),
        ]),
    ],
)  # fmt: skip
async def test_as_it_is_said(language: str, lines: list[Line]) -> None:
    await held(lines, language=language)


async def test_the_language_of_the_return_is_that_of_the_message() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        assert await talk.say("send", TRANSFER) == ["How much?"]
        assert await talk.say("tiempo", WEATHER, language="es") == ["¿Qué ciudad?"]
        said = ["Hace sol en Rome.", "Volvemos a transfer.", "¿Cuánto?"]
        assert await talk.say("Rome", ROME, language="es") == said
        assert await talk.say("5", language="en") == ["To whom?"]


async def test_a_confirmation_comes_back_as_it_was_and_is_answered_then() -> None:
    back = ["It is sunny in Rome.", "Back to transfer.", SURE]
    talk = await held(
        [(BOTH, [SURE]), (WEATHER, ["Which city?"]), (ROME, back), (YES, ["Sent 5 to Bob."])]
    )
    assert talk.actions == [("send", {"amount": 5, "recipient": "Bob"})]


async def test_what_to_change_comes_back_as_what_to_change() -> None:
    change_what = "What would you like to change?"
    back = ["It is sunny in Rome.", "Back to transfer.", change_what]
    await held([
        (BOTH, [SURE]), (NO, [change_what]), (WEATHER, ["Which city?"]), (ROME, back),
        (NO, ["I have cancelled transfer."]),
    ])  # fmt: skip


async def test_a_flow_without_a_question_is_over_before_the_return() -> None:
    talk = await held(
        [(BOTH, [SURE]), ("when are you open", ["From 9 to 5.", "Back to transfer.", SURE])]
    )
    assert (talk.stack, talk.ended) == (["transfer"], [("hours", "completed")])


async def test_cancelling_what_interrupted_returns_too() -> None:
    back = ["I have cancelled weather.", "Back to transfer.", "How much?"]
    await held([(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]), (CANCEL, back)])


async def test_two_levels_come_back_one_by_one() -> None:
    await held([
        (TRANSFER, ["How much?"]), (BALANCE, ["Which account?"]), (WEATHER, ["Which city?"]),
        (ROME, ["It is sunny in Rome.", "Back to balance.", "Which account?"]),
        ("main", ["There is 100 in main.", "Back to transfer.", "How much?"]),
    ])  # fmt: skip


async def test_two_levels_come_back_at_once_if_the_middle_one_needs_nothing_more() -> None:
    both = (ROME, put("account", "main", "balance"))
    await held([
        (TRANSFER, ["How much?"]), (BALANCE, ["Which account?"]), (WEATHER, ["Which city?"]),
        (both, ["It is sunny in Rome.", "Back to balance.", "There is 100 in main.",
                "Back to transfer.", "How much?"]),
    ])  # fmt: skip


async def test_a_value_for_the_task_below_is_there_when_it_comes_back() -> None:
    below = put("amount", 5, "transfer")
    back = ["It is sunny in Rome.", "Back to transfer.", "To whom?"]
    await held(
        [
            (TRANSFER, ["How much?"]),
            (WEATHER, ["Which city?"]),
            (below, ["Which city?"]),
            (ROME, back),
        ]
    )


async def test_a_correction_below_is_acknowledged_now_and_shown_on_return() -> None:
    await held([
        (BOTH, [SURE]), (WEATHER, ["Which city?"]),
        (change("amount", 6), ["amount is now 6.", "Which city?"]),
        (ROME, ["It is sunny in Rome.", "Back to transfer.", "Send 6 to Bob?"]),
    ])  # fmt: skip


async def test_a_digression_in_between_is_no_return() -> None:
    await held([
        (TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]),
        (ChitChat(), ["I'm here to help.", "Which city?"]),
        (Clarify(topic="the moon"), ["I have no answer to that.", "Which city?"]),
    ])  # fmt: skip


async def test_noise_in_between_is_no_return() -> None:
    pardon = ["I did not understand that.", "Which city?"]
    await held([(TRANSFER, ["How much?"]), (WEATHER, ["Which city?"]), ((), pardon)])


async def test_starting_the_paused_one_again_swaps_the_two() -> None:
    await held(
        [
            (TRANSFER, ["How much?"]),
            (WEATHER, ["Which city?"]),
            (TRANSFER, ["Back to transfer.", "How much?"]),
            (WEATHER, ["Back to weather.", "Which city?"]),
            (ResumeFlow(), ["Back to transfer.", "How much?"]),
        ]
    )


async def test_an_answer_that_ends_the_task_leaves_nothing_to_return_to() -> None:
    last = (put("account", "main"), WEATHER)
    await held(
        [
            (BALANCE, ["Which account?"]),
            (last, ["There is 100 in main.", "Which city?"]),
            (ROME, ["It is sunny in Rome."]),
        ]
    )


CALLS = """
  card: {trigger: {}, steps: [{call: identify}, {say: {en: "Blocked.", es: "Bloqueada."}}]}
  identify: {steps: [{collect: grade}]}
"""


@pytest.mark.parametrize(
    ("language", "asked", "city", "back"),
    [
        (
            "en",
            "How many stars?",
            "Which city?",
            ["It is sunny in Rome.", "Back to card.", "How many stars?"],
        ),
        (
            "es",
            "¿Cuántas estrellas?",
            "¿Qué ciudad?",
            ["Hace sol en Rome.", "Volvemos a card.", "¿Cuántas estrellas?"],
        ),
    ],
)
async def test_a_called_flow_comes_back_under_its_callers_name(
    language: str, asked: str, city: str, back: list[str]
) -> None:
    card = StartFlow(flow_name="card")
    await held(
        [(card, [asked]), (WEATHER, [city]), (ROME, back)], desk(flows=CALLS), language=language
    )


@pytest.mark.parametrize(
    ("keys", "language", "back"),
    [
        (
            'responses: {flow_resumed: "So, {flow}."}',
            "en",
            ["It is sunny in Rome.", "So, transfer.", "How much?"],
        ),
        (
            'responses: {flow_resumed: "So, {flow}."}',
            "es",
            ["Hace sol en Rome.", "So, transfer.", "¿Cuánto?"],
        ),
        (
            'responses: {flow_resumed: {es: "Sigamos con {flow}."}}',
            "es",
            ["Hace sol en Rome.", "Sigamos con transfer.", "¿Cuánto?"],
        ),
        (
            "conversation_patterns: {interruption: {announce_return: false}}",
            "es",
            ["Hace sol en Rome.", "¿Cuánto?"],
        ),
    ],
)
async def test_the_words_and_whether_there_are_any_are_the_authors(
    keys: str, language: str, back: list[str]
) -> None:
    first = {"en": ["How much?"], "es": ["¿Cuánto?"]}[language]
    then = {"en": ["Which city?"], "es": ["¿Qué ciudad?"]}[language]
    await held([(TRANSFER, first), (WEATHER, then), (ROME, back)], desk(keys), language=language)


async def test_attempts_at_the_question_are_remembered_over_the_interruption() -> None:
    lots = SetSlot(slot_name="amount", value="lots")
    bad = ["Please give a whole number.", "How much?"]
    back = ["It is sunny in Rome.", "Back to transfer.", "How much?"]
    given_up = ["Please give a whole number.", "I am connecting you with a person."]
    await held(
        [
            (TRANSFER, ["How much?"]),
            (lots, bad),
            (lots, bad),
            (WEATHER, ["Which city?"]),
            (ROME, back),
            (lots, given_up),
        ]
    )
