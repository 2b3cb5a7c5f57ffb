"""Changed flow: a conversation inside a flow that was edited goes on as well as it can."""

import pytest
from langgraph.checkpoint.memory import MemorySaver

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import talking_to

ANOTHER_QUESTION = BANK.replace('"To whom?"', '"Who gets it?"')
RENAMED = BANK.replace("- collect: recipient", "- {step: ask_who, type: collect, slot: recipient}")
NO_CONFIRM = BANK.replace(
    '      - {step: sure, type: confirm, message: "Send {amount} to {recipient}?"}\n', ""
)
RESTEPPED = BANK.replace("step: sure", "step: really")
GONE = BANK[: BANK.index("  transfer:")] + BANK[BANK.index("  balance:") :]
CHANGED = "transfer has changed meanwhile, so I start it again with what you told me."


async def _edited(
    before: str, start: list[Command], after: str, *then: Command, language: str = "en"
) -> list[str]:
    saver = MemorySaver()
    async with talking_to(before, ACTIONS, checkpointer=saver) as talk:
        for command in start:
            await talk.say("before", command)
    async with talking_to(after, ACTIONS, checkpointer=saver) as talk:
        return await talk.say("after", *then, language=language)


def _started(**slots: object) -> list[Command]:
    return [StartFlow(flow_name="transfer", slots=slots)]


async def test_it_goes_on_at_its_step_id() -> None:
    said = await _edited(BANK, _started(amount=5), ANOTHER_QUESTION, ChitChat())
    assert said == ["I'm here to help.", "Who gets it?"]
    bob = SetSlot(slot_name="recipient", value="Bob")
    said = await _edited(BANK, _started(amount=5), ANOTHER_QUESTION, bob)
    assert said == ["Send 5 to Bob?"]


async def test_if_the_step_is_gone_the_flow_restarts_with_its_slots_and_says_so() -> None:
    said = await _edited(BANK, _started(amount=5), RENAMED, ChitChat())
    assert said == ["I'm here to help.", CHANGED, "To whom?"]


async def test_the_answer_to_the_question_that_is_gone_is_kept() -> None:
    bob = SetSlot(slot_name="recipient", value="Bob")
    said = await _edited(BANK, _started(amount=5), RENAMED, bob)
    assert said == [CHANGED, "Send 5 to Bob?"]


async def test_a_yes_to_a_confirm_that_is_gone_is_no_yes_to_anything_else() -> None:
    start = _started(amount=5, recipient="Bob")
    said = await _edited(BANK, start, RESTEPPED, AffirmConfirmation())
    assert said == [CHANGED, "Send 5 to Bob?"]


async def test_a_step_that_was_added_before_the_current_one_is_not_asked() -> None:
    added = BANK.replace("- collect: amount", "- collect: city\n      - collect: amount")
    said = await _edited(BANK, _started(amount=5), added, ChitChat())
    assert said == ["I'm here to help.", "To whom?"]


async def test_a_correction_after_the_edit_is_no_crash() -> None:
    change = CorrectSlot(slot_name="amount", new_value=6)
    start = _started(amount=5, recipient="Bob")
    said = await _edited(BANK, start, RENAMED, change)
    assert said == ["amount is now 6.", "Send 6 to Bob?"]
    removed = BANK.replace("      - collect: amount\n", "")
    assert await _edited(BANK, start, removed, change) == said


async def test_if_the_flow_is_gone_it_says_so_and_goes_idle() -> None:
    said = await _edited(BANK, _started(amount=5), GONE, ChitChat())
    assert said == ["I'm here to help.", "transfer is no longer available."]


async def test_if_the_flow_is_gone_the_task_below_comes_back() -> None:
    start = [StartFlow(flow_name="weather"), *_started(amount=5)]
    said = await _edited(BANK, start, GONE, SetSlot(slot_name="recipient", value="Bob"))
    assert said == ["transfer is no longer available.", "Back to weather.", "Which city?"]


async def test_a_flow_that_is_gone_can_be_cancelled() -> None:
    said = await _edited(BANK, _started(amount=5), GONE, CancelFlow())
    assert said == ["I have cancelled transfer."]


async def test_a_paused_flow_that_is_gone_is_left_when_it_would_return() -> None:
    start = [*_started(amount=5), StartFlow(flow_name="weather")]
    said = await _edited(BANK, start, GONE, SetSlot(slot_name="city", value="Rome"))
    assert said == ["It is sunny in Rome.", "transfer is no longer available."]


async def test_a_paused_flow_whose_step_is_gone_restarts_when_it_returns() -> None:
    start = [*_started(amount=5), StartFlow(flow_name="weather")]
    said = await _edited(BANK, start, RENAMED, SetSlot(slot_name="city", value="Rome"))
    assert said == ["It is sunny in Rome.", CHANGED, "To whom?"]


async def test_a_value_that_its_slot_no_longer_takes_is_asked_for_again() -> None:
    typed = BANK.replace('recipient: {prompt: "To whom?"}',
                         'recipient: {type: integer, prompt: "To whom?"}')  # fmt: skip
    start = _started(amount=5, recipient="Bob")
    said = await _edited(BANK, start, typed, ChitChat())
    assert said == ["I'm here to help.", "To whom?"]


async def test_a_yes_to_a_value_that_was_lost_is_no_yes_to_the_next_one() -> None:
    choice = BANK.replace(
        'recipient: {prompt: "To whom?"}',
        'recipient: {type: choice, values: [Ann, Eve], prompt: "To whom?"}',
    )
    saver = MemorySaver()
    async with talking_to(BANK, ACTIONS, checkpointer=saver) as talk:
        await talk.say("before", *_started(amount=5, recipient="Bob"))
    async with talking_to(choice, ACTIONS, checkpointer=saver) as talk:
        assert await talk.say("yes", AffirmConfirmation()) == ["To whom?"]
        lost = [each for each in talk.state["trace"] if each["event"] == "slots_lost"]
        assert [each["data"]["slots"] for each in lost] == [["recipient"]]
        ann = SetSlot(slot_name="recipient", value="Ann")
        assert await talk.say("Ann", ann) == ["Send 5 to Ann?"]


async def test_it_is_said_in_the_language_of_the_turn() -> None:
    said = await _edited(BANK, _started(amount=5), RENAMED, ChitChat(), language="es")
    again = "transfer ha cambiado entretanto; la empiezo de nuevo con lo que me dijiste."
    assert said == ["Estoy aquí para ayudarte.", again, "To whom?"]
    said = await _edited(BANK, _started(amount=5), GONE, ChitChat(), language="es")
    assert said == ["Estoy aquí para ayudarte.", "transfer ya no está disponible."]


async def test_the_words_are_the_authors() -> None:
    own = 'responses: {flow_changed: "{flow} is new.", flow_gone: "No {flow} any more."}\n'
    said = await _edited(BANK, _started(amount=5), own + RENAMED, ChitChat())
    assert said == ["I'm here to help.", "transfer is new.", "To whom?"]
    said = await _edited(BANK, _started(amount=5), own + GONE, ChitChat())
    assert said == ["I'm here to help.", "No transfer any more."]


async def test_a_confirm_that_was_put_before_the_action_is_asked() -> None:
    said = await _edited(
        NO_CONFIRM, _started(amount=5), BANK, SetSlot(slot_name="recipient", value="Bob")
    )
    assert said == ["Send 5 to Bob?"]


@pytest.mark.parametrize(
    "step", [NO_CONFIRM, BANK.replace("type: confirm", "type: say"), RESTEPPED]
)
async def test_a_no_to_a_confirm_that_is_gone_never_does_what_was_denied(step: str) -> None:
    start = _started(amount=5, recipient="Bob")
    assert await _edited(BANK, start, step, DenyConfirmation()) == ["I have cancelled transfer."]


async def test_another_wish_is_granted_and_the_changed_flow_restarts_on_return() -> None:
    both = [StartFlow(flow_name="weather", slots={"city": "Rome"})]
    said = await _edited(BANK, _started(amount=5), RENAMED, *both)
    assert said == ["It is sunny in Rome.", CHANGED, "To whom?"]


async def test_a_flow_that_is_gone_cannot_be_started_again() -> None:
    said = await _edited(BANK, _started(amount=5), GONE, StartFlow(flow_name="transfer"))
    assert said == ["I did not understand that.", "transfer is no longer available."]


async def test_a_called_flow_that_is_gone_ends_its_whole_task() -> None:
    flows = """
  card: {trigger: {}, steps: [{call: identify}, {say: "Blocked."}]}
  identify: {steps: [{collect: city}]}
"""
    inlined = BANK + "  card: {trigger: {}, steps: [{collect: city}, {say: Blocked.}]}\n"
    start: list[Command] = [StartFlow(flow_name="card")]
    said = await _edited(BANK + flows, start, inlined, ChitChat())
    assert said == ["I'm here to help.", "identify is no longer available."]


async def test_a_language_that_was_added_is_spoken_from_then_on() -> None:
    spoken = BANK.replace('"To whom?"', '{en: "To whom?", es: "¿A quién?"}')
    said = await _edited(BANK, _started(amount=5), spoken, ChitChat(), language="es")
    assert said == ["Estoy aquí para ayudarte.", "¿A quién?"]


async def test_a_stricter_constraint_does_not_undo_what_was_accepted() -> None:
    strict = BANK.replace(
        "amount: {type: integer,",
        'amount: {type: integer, constraints: [{if: amount > 9, message: "Ten at least."}],',
    )
    start = _started(amount=5)
    assert await _edited(BANK, start, strict, ChitChat()) == ["I'm here to help.", "To whom?"]
    change = CorrectSlot(slot_name="amount", new_value=6)
    assert await _edited(BANK, start, strict, change) == ["Ten at least.", "How much?"]


async def test_a_yes_that_would_start_a_flow_that_is_gone_says_so() -> None:
    limits = "{max_stack_depth: 1, on_limit_reached: ask_user}"
    full = f"settings: {{flow_management: {limits}}}\n"
    start = [StartFlow(flow_name="weather"), *_started()]
    said = await _edited(full + BANK, start, full + GONE, AffirmConfirmation())
    assert said == ["transfer is no longer available."]
