"""Several instances of one flow: "book another one" opens a new one beside the first."""

import pytest

from soni.commands import ResumeFlow, StartFlow
from tests.conversations.desk import (
    CANCEL,
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


def another(**slots: object) -> StartFlow:
    return StartFlow(flow_name="transfer", slots=slots, another=True)


FIVE = transfer(amount=5, recipient="Bob")
SEVEN = another(amount=7, recipient="Eve")
ASK_5, ASK_7 = "Send 5 to Bob?", "Send 7 to Eve?"


async def test_without_another_the_open_one_is_meant() -> None:
    talk = await held([(transfer(amount=5), ["To whom?"]), (TRANSFER, ["To whom?"])])
    assert (talk.stack, talk.slots) == (["transfer"], {"amount": 5})


@pytest.mark.parametrize(
    ("language", "whom", "much", "back"),
    [
        ("en", "To whom?", "How much?", "Back to transfer."),
        ("es", "¿A quién?", "¿Cuánto?", "Volvemos a transfer."),
    ],
)
async def test_another_begins_empty_and_the_first_comes_back_with_its_question(
    language: str, whom: str, much: str, back: str
) -> None:
    done = {"en": "I have cancelled transfer.", "es": "He cancelado transfer."}[language]
    lines: list[Line] = [
        (transfer(amount=5), [whom]), (another(), [much]), (CANCEL, [done, back, whom]),
    ]  # fmt: skip
    talk = await held(lines, language=language)
    assert talk.slots == {"amount": 5}


async def test_each_has_its_own_slots() -> None:
    talk = await held([(FIVE, [ASK_5]), (SEVEN, [ASK_7])])
    assert talk.stack == ["transfer", "transfer"]
    kept = [talk.state["flow_slots"][flow["flow_id"]] for flow in talk.state["flow_stack"]]
    assert kept == [{"amount": 5, "recipient": "Bob"}, {"amount": 7, "recipient": "Eve"}]


async def test_one_yes_confirms_the_one_that_asked() -> None:
    talk = await held(
        [(FIVE, [ASK_5]), (SEVEN, [ASK_7]), (YES, ["Sent 7 to Eve.", "Back to transfer.", ASK_5])]
    )
    assert talk.actions == [("send", {"amount": 7, "recipient": "Eve"})]


async def test_each_is_done_once() -> None:
    talk = await held([
        (FIVE, [ASK_5]), (SEVEN, [ASK_7]), (YES, ["Sent 7 to Eve.", "Back to transfer.", ASK_5]),
        (YES, ["Sent 5 to Bob."]),
    ])  # fmt: skip
    assert talk.actions == [("send", {"amount": 5, "recipient": "Bob"})]
    assert talk.stack == []


async def test_a_yes_and_another_in_one_message() -> None:
    said = ["Sent 5 to Bob.", ASK_7]
    talk = await held([(FIVE, [ASK_5]), ((YES, SEVEN), said), (YES, ["Sent 7 to Eve."])])
    assert talk.stack == []


async def test_a_no_concerns_the_one_that_asked() -> None:
    what = "What would you like to change?"
    await held([
        (FIVE, [ASK_5]), (SEVEN, [ASK_7]), (NO, [what]),
        (NO, ["I have cancelled transfer.", "Back to transfer.", ASK_5]),
    ])  # fmt: skip


async def test_a_correction_concerns_the_one_on_top() -> None:
    talk = await held(
        [
            (FIVE, [ASK_5]),
            (SEVEN, [ASK_7]),
            (change("amount", 8), ["amount is now 8.", "Send 8 to Eve?"]),
            (YES, ["Sent 8 to Eve.", "Back to transfer.", ASK_5]),
        ]
    )
    assert talk.slots["amount"] == 5


async def test_a_value_answers_the_one_that_asks() -> None:
    talk = await held([
        (transfer(amount=5), ["To whom?"]), (another(amount=7), ["To whom?"]), ("Eve", [ASK_7]),
    ])  # fmt: skip
    below = talk.state["flow_stack"][0]["flow_id"]
    assert talk.state["flow_slots"][below] == {"amount": 5}


async def test_resume_swaps_them() -> None:
    resume = ResumeFlow(flow_name="transfer")
    await held([
        (FIVE, [ASK_5]), (SEVEN, [ASK_7]), (resume, ["Back to transfer.", ASK_5]),
        (resume, ["Back to transfer.", ASK_7]),
    ])  # fmt: skip


async def test_a_start_of_the_flow_is_for_the_one_on_top() -> None:
    again = transfer(amount=8)
    talk = await held(
        [(FIVE, [ASK_5]), (SEVEN, [ASK_7]), (again, ["amount is now 8.", "Send 8 to Eve?"])]
    )
    assert talk.stack == ["transfer", "transfer"]


async def test_a_start_from_elsewhere_is_for_the_one_paused_last() -> None:
    talk = await held([
        (FIVE, [ASK_5]), (SEVEN, [ASK_7]), (WEATHER, ["Which city?"]),
        (TRANSFER, ["Back to transfer.", ASK_7]),
    ])  # fmt: skip
    assert talk.stack == ["transfer", "weather", "transfer"]


async def test_two_others_in_one_message_are_done_one_after_the_other() -> None:
    both = (another(amount=1, recipient="A"), another(amount=2, recipient="B"))
    await held([
        (both, ["Send 1 to A?"]), (YES, ["Sent 1 to A.", "Send 2 to B?"]), (YES, ["Sent 2 to B."]),
    ])  # fmt: skip


async def test_when_idle_another_is_simply_one() -> None:
    talk = await held([(another(), ["How much?"])])
    assert talk.stack == ["transfer"]


async def test_the_same_wish_twice_in_one_message_is_one() -> None:
    talk = await held([((SEVEN, SEVEN), [ASK_7])])
    assert (talk.stack, talk.decisions[1]) == (["transfer"], ("StartFlow", "rejected"))


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (
            "reject_new",
            ["I can keep only 1 open at once. Please finish or cancel one before transfer.", ASK_5],
        ),
        (
            "ask_user",
            ["I can keep only 1 open at once. Shall I cancel transfer and start transfer?"],
        ),
        ("cancel_oldest", ["I have cancelled transfer to make room for transfer.", ASK_7]),
    ],
)
async def test_instances_count_against_the_limit(strategy: str, said: list[str]) -> None:
    keys = f"settings: {{flow_management: {{max_stack_depth: 1, on_limit_reached: {strategy}}}}}"
    await held([(FIVE, [ASK_5]), (SEVEN, said)], desk(keys))


async def test_attempts_are_counted_for_each_alone() -> None:
    keys = "settings: {collection: {max_attempts: 2}}"
    bad = put("amount", "lots")
    again = ["Please give a whole number.", "How much?"]
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), (bad, again), (another(), ["How much?"]), (bad, again),
        (CANCEL, ["I have cancelled transfer.", "Back to transfer.", "How much?"]),
        (bad, ["Please give a whole number.", "I am connecting you with a person."]),
    ]  # fmt: skip
    await held(lines, desk(keys))


async def test_what_belongs_to_the_conversation_is_known_to_both() -> None:
    flows = """
  order:
    trigger: {}
    steps: [{collect: city}, {collect: amount}, {say: "{amount} to {city}."}]
"""
    yaml = desk(flows=flows).replace("  city: {", "  city: {scope: conversation, ")
    first = StartFlow(flow_name="order", slots={"city": "Rome"})
    lines: list[Line] = [
        (first, ["How much?"]),
        (StartFlow(flow_name="order", another=True), ["How much?"]),
        ("7", ["7 to Rome.", "Back to order.", "How much?"]),
        ("5", ["5 to Rome."]),
    ]
    await held(lines, yaml)
