"""ResumeFlow: a paused task comes to the top, by its name or as the one paused last."""

import pytest

from soni.commands import ChitChat, HumanHandoff, ResumeFlow, StartFlow
from tests.conversations.desk import (
    BALANCE,
    CANCEL,
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

ROME = put("city", "Rome")
OPEN: list[Line] = [
    (transfer(amount=5), ["To whom?"]),
    (BALANCE, ["Which account?"]),
    (WEATHER, ["Which city?"]),
]


def resume(flow: str | None = None) -> ResumeFlow:
    return ResumeFlow(flow_name=flow)


@pytest.mark.parametrize(
    ("flow", "said"),
    [
        (None, ["Back to balance.", "Which account?"]),
        ("balance", ["Back to balance.", "Which account?"]),
        ("transfer", ["Back to transfer.", "To whom?"]),
        ("weather", ["Which city?"]),
    ],
)
async def test_by_name_or_the_one_paused_last(flow: str | None, said: list[str]) -> None:
    await held([*OPEN, (resume(flow), said)])


@pytest.mark.parametrize(
    ("language", "words", "asked", "city", "back"),
    [
        ("en", "go back", "How much?", "Which city?", "Back to transfer."),
        ("en", "where were we?", "How much?", "Which city?", "Back to transfer."),
        ("es", "volver", "¿Cuánto?", "¿Qué ciudad?", "Volvemos a transfer."),
        ("es", "sigue", "¿Cuánto?", "¿Qué ciudad?", "Volvemos a transfer."),
    ],
)
async def test_as_it_is_said(language: str, words: str, asked: str, city: str, back: str) -> None:
    lines: list[Line] = [(TRANSFER, [asked]), (WEATHER, [city]), (words, [back, asked])]
    await held(lines, language=language)


async def test_the_order_of_the_others_stays() -> None:
    talk = await held([*OPEN, (resume("transfer"), ["Back to transfer.", "To whom?"])])
    assert talk.stack == ["balance", "weather", "transfer"]
    assert [flow["flow_state"] for flow in talk.state["flow_stack"]] == [
        "paused",
        "paused",
        "active",
    ]


async def test_the_others_come_back_in_that_order() -> None:
    await held([
        *OPEN, (resume("transfer"), ["Back to transfer.", "To whom?"]), ("Bob", ["Send 5 to Bob?"]),
        ("yes", ["Sent 5 to Bob.", "Back to weather.", "Which city?"]),
        ("Rome", ["It is sunny in Rome.", "Back to balance.", "Which account?"]),
    ])  # fmt: skip


@pytest.mark.parametrize("flow", ["transfer", "hours", "nonsense"])
async def test_what_is_not_paused_cannot_be_resumed(flow: str) -> None:
    talk = await held(
        [(WEATHER, ["Which city?"]), (resume(flow), ["I did not understand that.", "Which city?"])]
    )
    assert talk.last is not None
    assert talk.last.commands[0]["reason"] == "no such paused task; paused: none"


async def test_idle_there_is_nothing_to_resume() -> None:
    await held([(resume(), ["I did not understand that."])])
    await held([(resume(), ["No lo he entendido."])], language="es")


async def test_a_completed_task_is_no_paused_one() -> None:
    pardon = ["I did not understand that.", "Which city?"]
    await held(
        [
            ("when are you open", ["From 9 to 5."]),
            (WEATHER, ["Which city?"]),
            (resume("hours"), pardon),
        ]
    )


async def test_at_a_confirmation_it_is_no_answer_and_the_confirmation_waits_below() -> None:
    both = transfer(amount=5, recipient="Bob")
    talk = await held([
        (WEATHER, ["Which city?"]), (both, ["Send 5 to Bob?"]),
        (resume("weather"), ["Back to weather.", "Which city?"]),
        (ROME, ["It is sunny in Rome.", "Back to transfer.", "Send 5 to Bob?"]),
        (YES, ["Sent 5 to Bob."]),
    ])  # fmt: skip
    assert talk.stack == []


async def test_with_the_answer_to_the_open_question_that_is_taken_first() -> None:
    both = (ROME, resume("transfer"))
    said = ["It is sunny in Rome.", "Back to transfer.", "To whom?"]
    talk = await held([*OPEN, (both, said)])
    assert talk.stack == ["balance", "transfer"]


async def test_with_a_value_for_the_resumed_task_it_is_asked_the_next_question() -> None:
    both = (resume("transfer"), put("recipient", "Bob"))
    await held([*OPEN, (both, ["Back to transfer.", "Send 5 to Bob?"])])


async def test_two_in_one_message_the_first_is_on_top() -> None:
    both = (resume("transfer"), resume("balance"))
    talk = await held([*OPEN, (both, ["Back to transfer.", "To whom?"])])
    assert talk.stack == ["weather", "balance", "transfer"]


async def test_with_a_cancel_the_top_goes_and_the_named_one_comes() -> None:
    both = (CANCEL, resume("transfer"))
    talk = await held(
        [*OPEN, (both, ["I have cancelled weather.", "Back to transfer.", "To whom?"])]
    )
    assert talk.stack == ["balance", "transfer"]


async def test_what_the_cancel_brings_back_anyway_is_not_announced_twice() -> None:
    both = (CANCEL, resume("balance"))
    await held([*OPEN, (both, ["I have cancelled weather.", "Back to balance.", "Which account?"])])


async def test_a_called_flow_is_resumed_by_the_name_of_its_task() -> None:
    flows = """
  card: {trigger: {}, steps: [{call: identify}, {say: "Blocked."}]}
  identify: {steps: [{collect: grade}]}
"""
    asked = "How many stars?"
    lines: list[Line] = [
        (StartFlow(flow_name="card"), [asked]),
        (WEATHER, ["Which city?"]),
        (resume("identify"), ["I did not understand that.", "Which city?"]),
        (resume("card"), ["Back to card.", asked]),
    ]
    await held(lines, desk(flows=flows))


async def test_of_two_instances_the_one_paused_last_is_meant() -> None:
    another = StartFlow(flow_name="transfer", slots={"amount": 7}, another=True)
    talk = await held([
        (transfer(amount=5), ["To whom?"]), (another, ["To whom?"]), (WEATHER, ["Which city?"]),
        (resume("transfer"), ["Back to transfer.", "To whom?"]),
    ])  # fmt: skip
    assert talk.slots == {"amount": 7}


@pytest.mark.parametrize(
    ("keys", "language", "said"),
    [
        ("conversation_patterns: {interruption: {announce_return: false}}", "en", ["How much?"]),
        (
            'responses: {flow_resumed: {en: "{flow}, then.", es: "Pues {flow}."}}',
            "en",
            ["transfer, then.", "How much?"],
        ),
        (
            'responses: {flow_resumed: {en: "{flow}, then.", es: "Pues {flow}."}}',
            "es",
            ["Pues transfer.", "¿Cuánto?"],
        ),
    ],
)
async def test_the_announcement_is_the_authors(keys: str, language: str, said: list[str]) -> None:
    first = {"en": "How much?", "es": "¿Cuánto?"}[language]
    city = {"en": "Which city?", "es": "¿Qué ciudad?"}[language]
    lines: list[Line] = [(TRANSFER, [first]), (WEATHER, [city]), (resume(), said)]
    await held(lines, desk(keys), language=language)


async def test_small_talk_beside_it_is_answered_and_the_task_comes_to_the_top() -> None:
    both = (ChitChat(), resume("transfer"))
    await held([*OPEN, (both, ["I'm here to help.", "Back to transfer.", "To whom?"])])


async def test_while_a_person_is_at_it_nothing_is_resumed() -> None:
    await held([
        *OPEN, (HumanHandoff(), ["I am connecting you with a person."]), (resume("transfer"), []),
        (RELEASE, ["Which city?"]), (resume("transfer"), ["Back to transfer.", "To whom?"]),
    ])  # fmt: skip
