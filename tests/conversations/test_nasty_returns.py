"""Nasty returns: digressions in digressions, a yes after an interruption, messages in a burst."""

import asyncio

import pytest

from soni.commands import ChitChat, Clarify, Command, HumanHandoff, OutOfScope, StartFlow
from tests.conversations.desk import (
    ACTIONS,
    CANCEL,
    COSTS,
    DESK,
    LOAN,
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
from tests.talking import Talk, talking_to

BOTH, SURE, SENT = transfer(amount=5, recipient="Bob"), "Send 5 to Bob?", "Sent 5 to Bob."
ROME = put("city", "Rome")
SUN = "It is sunny in Rome."
PARDON = "I did not understand that."
PERSON = "I am connecting you with a person."
COST, TIME = Clarify(topic="What does it cost?"), Clarify(topic="How long does it take?")


# --- a digression inside a digression


async def test_a_question_after_a_question_keeps_the_first_pending_one() -> None:
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), ("what does it cost?", ["It is free.", "How much?"]),
        ("how long does it take?", ["A day.", "How much?"]), ("5", ["To whom?"]),
    ]  # fmt: skip
    await held(lines, desk(COSTS))


async def test_two_questions_in_one_message_are_both_answered_and_the_pending_one_asked_once() -> (
    None
):
    await held(
        [(BOTH, [SURE]), ((COST, TIME), ["It is free.", "A day.", SURE]), (YES, [SENT])],
        desk(COSTS),
    )


async def test_two_questions_in_one_message_in_spanish() -> None:
    both = (Clarify(topic="¿Cuánto cuesta?"), Clarify(topic="¿Cuánto tarda?"))
    said = ["Es gratis.", "Un día.", "¿Envío 5 a Bob?"]
    await held([(BOTH, ["¿Envío 5 a Bob?"]), (both, said)], desk(COSTS), language="es")


async def test_different_kinds_one_after_the_other_count_together() -> None:
    shallow = "conversation_patterns: {clarification: {max_depth: 2, fallback: cancel}}"
    lines: list[Line] = [
        (TRANSFER, ["How much?"]),
        (COST, ["It is free.", "How much?"]),
        (ChitChat(), ["I'm here to help.", "How much?"]),
        (OutOfScope(), ["I cannot help with that.", "How much?"]),
        (OutOfScope(), ["I have cancelled transfer."]),
    ]
    await held(lines, desk(shallow + COSTS))


async def test_an_answer_in_between_starts_the_count_anew() -> None:
    shallow = "conversation_patterns: {clarification: {max_depth: 1, fallback: handoff}}"
    lines: list[Line] = [
        (TRANSFER, ["How much?"]), (COST, ["It is free.", "How much?"]), ("5", ["To whom?"]),
        (COST, ["It is free.", "To whom?"]), (TIME, [PERSON]),
    ]  # fmt: skip
    await held(lines, desk(shallow + COSTS))


async def test_a_question_inside_an_interruption_belongs_to_the_interruption() -> None:
    lines: list[Line] = [
        (BOTH, [SURE]), (WEATHER, ["Which city?"]), (COST, ["It is free.", "Which city?"]),
        (TIME, ["A day.", "Which city?"]), (ROME, [SUN, "Back to transfer.", SURE]), (YES, [SENT]),
    ]  # fmt: skip
    await held(lines, desk(COSTS))


async def test_an_interruption_inside_a_digression_forgets_nothing() -> None:
    lines: list[Line] = [
        (TRANSFER, ["How much?"]),
        (COST, ["It is free.", "How much?"]),
        ("when are you open", ["From 9 to 5.", "Back to transfer.", "How much?"]),
    ]
    talk = await held(lines, desk(COSTS))
    assert talk.state["digression_depth"] == 0


# --- an interruption at a confirmation, and "yes" after the return


@pytest.mark.parametrize(
    ("interruption", "back"),
    [
        (ROME, [SUN, "Back to transfer.", SURE]),
        (CANCEL, ["I have cancelled weather.", "Back to transfer.", SURE]),
    ],
)
async def test_yes_after_the_return_confirms_what_is_shown(
    interruption: Command, back: list[str]
) -> None:
    talk = await held(
        [(BOTH, [SURE]), (WEATHER, ["Which city?"]), (interruption, back), ("yes", [SENT])]
    )
    assert talk.actions == [("send", {"amount": 5, "recipient": "Bob"})]


async def test_yes_before_the_return_confirms_nothing_below() -> None:
    talk = await held([(BOTH, [SURE]), (WEATHER, ["Which city?"]), (YES, [PARDON, "Which city?"])])
    assert talk.actions == []


async def test_two_confirmations_on_top_of_each_other_take_a_yes_each() -> None:
    loan = StartFlow(flow_name="loan", slots={"amount": 9})
    lines: list[Line] = [
        (BOTH, [SURE]), (loan, ["Borrow 9?"]), ("yes", ["Here is 9.", "Back to transfer.", SURE]),
    ]  # fmt: skip
    talk = await held(lines, desk(flows=LOAN))
    assert talk.actions == []
    talk = await held([*lines, ("yes", [SENT])], desk(flows=LOAN))
    assert talk.actions == [("send", {"amount": 5, "recipient": "Bob"})]


async def test_two_nos_to_the_upper_one_do_not_count_for_the_lower() -> None:
    loan = StartFlow(flow_name="loan", slots={"amount": 9})
    what = "What would you like to change?"
    lines: list[Line] = [
        (BOTH, [SURE]), (loan, ["Borrow 9?"]), (NO, [what]),
        (NO, ["I have cancelled loan.", "Back to transfer.", SURE]), (NO, [what]),
    ]  # fmt: skip
    await held(lines, desk(flows=LOAN))


async def test_yes_after_a_return_with_other_values_confirms_those() -> None:
    below = change("amount", 6, "transfer")
    talk = await held([
        (BOTH, [SURE]), (WEATHER, ["Which city?"]), (below, ["amount is now 6.", "Which city?"]),
        (ROME, [SUN, "Back to transfer.", "Send 6 to Bob?"]), (YES, ["Sent 6 to Bob."]),
    ])  # fmt: skip
    assert talk.actions == [("send", {"amount": 6, "recipient": "Bob"})]


async def test_yes_and_the_interruptions_answer_in_one_message_confirm_nothing() -> None:
    talk = await held(
        [
            (BOTH, [SURE]),
            (WEATHER, ["Which city?"]),
            ((YES, ROME), [SUN, "Back to transfer.", SURE]),
        ]
    )
    assert talk.actions == []


async def test_yes_and_the_same_wish_again_is_one_transfer() -> None:
    talk = await held([(BOTH, [SURE]), ((YES, TRANSFER), [SENT, "How much?"])])
    assert talk.actions == [("send", {"amount": 5, "recipient": "Bob"})]


# --- messages in a burst


async def _burst(talk: Talk, *messages: str | Command) -> list[list[str]]:
    """Send messages without waiting for the answers."""
    turns = [
        talk.say(said) if isinstance(said, str) else talk.say("this", said) for said in messages
    ]
    return list(await asyncio.gather(*turns))


async def test_two_messages_in_a_burst_are_both_handled_in_order() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        assert await _burst(talk, "send money", "5") == [["How much?"], ["To whom?"]]
        assert await _burst(talk, "Bob", "yes") == [[SURE], [SENT]]


async def test_a_burst_before_anything_was_said() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        said = await _burst(talk, BOTH, WEATHER, "Rome", "yes")
        assert said == [[SURE], ["Which city?"], [SUN, "Back to transfer.", SURE], [SENT]]
        state = await talk.runtime.get_state("ann")
        assert (state["turn_count"], state["flow_stack"]) == (4, [])


async def test_a_second_yes_in_a_burst_confirms_nothing_more() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("send 5 to Bob", BOTH)
        assert await _burst(talk, "yes", "yes") == [[SENT], [PARDON]]


async def test_yes_and_cancel_in_a_burst_happen_in_the_order_they_came() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("send 5 to Bob", BOTH)
        assert await _burst(talk, YES, CANCEL) == [[SENT], ["There is nothing to cancel."]]
        await talk.say("send 5 to Bob", BOTH)
        assert await _burst(talk, CANCEL, YES) == [["I have cancelled transfer."], [PARDON]]


async def test_a_correction_and_a_yes_in_a_burst_confirm_the_corrected_value() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("send 5 to Bob", BOTH)
        said = await _burst(talk, change("amount", 6), YES)
        assert said == [["amount is now 6.", "Send 6 to Bob?"], ["Sent 6 to Bob."]]


async def test_after_a_handoff_the_rest_of_a_burst_is_only_recorded() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("send 5 to Bob", BOTH)
        assert await _burst(talk, HumanHandoff(), YES, "hello?") == [[PERSON], [], []]
        assert (await talk.runtime.release("ann")).messages == [SURE]


async def test_the_same_message_delivered_twice_in_a_burst_is_one() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("send 5 to Bob", BOTH)
        twice = [talk.say("yes", YES, message_id="m-1") for _ in range(2)]
        assert await asyncio.gather(*twice) == [[SENT], [SENT]]
        assert (await talk.runtime.get_state("ann"))["turn_count"] == 2


async def test_bursts_of_two_users_do_not_mix() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        ann, bob = Talk(talk.runtime, talk.clock, "ann"), Talk(talk.runtime, talk.clock, "bob")
        said = await asyncio.gather(
            ann.say("send money"), bob.say("what is the weather"), ann.say("5"), bob.say("Rome")
        )
        assert list(said) == [["How much?"], ["Which city?"], ["To whom?"], [SUN]]
