"""The policy: cleans a message's commands, puts them in order, and says why."""

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

LEND = "  lend: {trigger: {}, steps: [{collect: amount}, {collect: recipient}]}\n"


def _set(slot: str, value: object) -> SetSlot:
    return SetSlot(slot_name=slot, value=value)


async def test_a_command_said_twice_counts_once() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("hi hi", ChitChat(), ChitChat())
        assert said == ["I'm here to help."]
        assert talk.decisions == [("ChitChat", "accepted"), ("ChitChat", "rejected")]
        assert talk.last.commands[1]["reason"] == "said twice"


async def test_of_two_values_for_one_slot_the_later_counts() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("5, no, 0", _set("amount", 5), _set("amount", 0)) == ["To whom?"]
        assert talk.slots == {"amount": 0}
        assert talk.last.commands[0]["reason"] == "replaced by what was said later"


async def test_a_correction_replaces_the_value_said_before_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        change = CorrectSlot(slot_name="amount", new_value=6)
        assert await talk.say("5, I mean 6", _set("amount", 5), change) == ["To whom?"]
        assert talk.slots == {"amount": 6}


async def test_unknown_types_and_broken_fields_are_rejected_with_the_reason() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        broken = [
            {"type": "Dance"},
            {"type": "SetSlot", "slot_name": "amount"},
            {"type": "SetSlot", "slot_name": "amount", "value": 5, "loud": True},
            {"flow_name": "weather"},
            "yes",
            None,
        ]
        said = await talk.say("dance", commands=broken)
        assert said == ["I did not understand that.", "How much?"]
        assert [made["decision"] for made in talk.last.commands] == ["rejected"] * 6
        reasons = [made["reason"] for made in talk.last.commands]
        assert reasons[0].startswith("unknown command 'Dance'; available: AffirmConfirmation, ")
        assert reasons[1:3] == ["invalid fields: value", "invalid fields: loud"]


async def test_serialised_commands_are_as_good_as_models() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        given = [{"type": "StartFlow", "flow_name": "transfer", "slots": {"amount": 5}}]
        assert await talk.say("send 5", commands=given) == ["To whom?"]


async def test_all_rejected_or_none_is_not_understood() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        nothing = ["I did not understand that.", "How much?"]
        said = await talk.say("hm", AffirmConfirmation(), _set("city", "Rome"))
        assert said == nothing
        can_do = "I can help with: transfer, balance, weather."
        assert await talk.say("hm", commands=[]) == [nothing[0], can_do, nothing[1]]


async def test_the_order_is_cancel_answers_starts_corrections_sets_digressions_handoff() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        backwards = [
            HumanHandoff(),
            ChitChat(),
            SetSlot(slot_name="city", value="Rome", flow_name="weather"),
            CorrectSlot(slot_name="amount", new_value=6),
            StartFlow(flow_name="weather"),
            _set("recipient", "Bob"),
        ]
        await talk.say("everything", *backwards)
        log = [e["command"] for e in talk.state["command_log"] if e["result"] != "rejected"]
        order = ["SetSlot", "StartFlow", "CorrectSlot", "SetSlot", "HumanHandoff"]
        assert log == ["StartFlow", *order]


async def test_an_answer_runs_the_flow_to_its_next_wait_before_a_start_pushes() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        also = [StartFlow(flow_name="weather"), AffirmConfirmation()]
        said = await talk.say("yes, and how is the weather?", *also)
        assert said == ["Sent 5 to Bob.", "Which city?"]
        assert talk.stack == ["weather"]


async def test_the_question_reached_by_the_answer_is_not_asked_before_the_other_task() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        also = [StartFlow(flow_name="weather"), _set("amount", 5)]
        assert await talk.say("5, and the weather?", *also) == ["Which city?"]
        assert talk.stack == ["transfer", "weather"]
        said = await talk.say("Rome", _set("city", "Rome"))
        assert said == ["It is sunny in Rome.", "Back to transfer.", "To whom?"]


async def test_values_said_together_are_all_written_before_steps_advance() -> None:
    flows = """
  order:
    trigger: {}
    steps:
      - {collect: amount}
      - {say: "{amount} for {recipient}."}
      - {collect: recipient}
      - {say: "Done."}
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("order", StartFlow(flow_name="order"))
        both = [_set("amount", 5), _set("recipient", "Bob")]
        assert await talk.say("5 for Bob", *both) == ["5 for Bob.", "Done."]


async def test_two_starts_the_first_runs_and_the_second_waits_below() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        two = [StartFlow(flow_name="weather"), StartFlow(flow_name="balance")]
        assert await talk.say("weather, then balance", *two) == ["Which city?"]
        assert talk.stack == ["balance", "weather"]
        said = await talk.say("Rome", _set("city", "Rome"))
        assert said == ["It is sunny in Rome.", "Which account?"]


async def test_two_starts_during_a_task_wait_above_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        two = [
            StartFlow(flow_name="weather", slots={"city": "Rome"}),
            StartFlow(flow_name="balance", slots={"account": "main"}),
        ]
        said = await talk.say("weather in Rome, then balance", *two)
        assert said == [
            "It is sunny in Rome.",
            "There are 100 euros in main.",
            "Back to transfer.",
            "How much?",
        ]


async def test_the_first_may_be_a_task_that_was_open_already() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        two = [StartFlow(flow_name="transfer"), StartFlow(flow_name="balance")]
        said = await talk.say("the transfer, then my balance", *two)
        assert said == ["Back to transfer.", "How much?"]
        assert talk.stack == ["weather", "balance", "transfer"]


async def test_the_second_may_be_a_task_that_was_open_already() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        two = [StartFlow(flow_name="balance"), StartFlow(flow_name="transfer")]
        assert await talk.say("my balance, then the transfer", *two) == ["Which account?"]
        assert talk.stack == ["weather", "transfer", "balance"]


async def test_a_task_that_waits_its_turn_is_not_announced_as_a_return() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        two = [StartFlow(flow_name="weather"), StartFlow(flow_name="balance")]
        await talk.say("weather, then balance", *two)
        said = await talk.say("stop", CancelFlow())
        assert said == ["I have cancelled weather.", "Which account?"]


async def test_a_refusal_to_be_interrupted_is_said_once() -> None:
    flows = "  tax: {trigger: {}, interruptible: false, steps: [{collect: amount}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("tax", StartFlow(flow_name="tax"))
        two = [StartFlow(flow_name="weather"), StartFlow(flow_name="balance")]
        said = await talk.say("weather and balance", *two)
        assert said == ["Let us finish tax first.", "How much?"]


async def test_a_slot_name_means_the_asked_slot_first() -> None:
    async with talking_to(bank(flows=LEND), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        both = [StartFlow(flow_name="lend"), _set("amount", 5)]
        assert await talk.say("5, and lend", *both) == ["How much?"]
        lower, upper = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert talk.state["flow_slots"] == {lower: {"amount": 5}, upper: {}}


async def test_then_the_flow_started_by_the_same_message() -> None:
    async with talking_to(bank(flows=LEND), ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        # The recipient is asked next, but nobody has heard that question yet.
        both = [StartFlow(flow_name="lend"), _set("amount", 7)]
        assert await talk.say("lend 7", *both) == ["To whom?"]
        lower, upper = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert talk.state["flow_slots"] == {lower: {"amount": 5}, upper: {"amount": 7}}


async def test_a_question_nobody_heard_is_not_answered_by_what_was_said_with_the_start() -> None:
    async with talking_to(bank(flows=LEND), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say(
            "5, and lend Bob something",
            _set("amount", 5),
            StartFlow(flow_name="lend"),
            _set("recipient", "Bob"),
        )
        assert said == ["How much?"]
        lower, upper = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert talk.state["flow_slots"] == {lower: {"amount": 5}, upper: {"recipient": "Bob"}}


async def test_then_the_active_task_then_paused_ones_from_the_top() -> None:
    async with talking_to(bank(flows=LEND), ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("lend 7", StartFlow(flow_name="lend", slots={"amount": 7}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("the amount is 8", _set("amount", 8))
        assert said == ["amount is now 8.", "Which city?"]
        await talk.say("back", ResumeFlow(flow_name="transfer"))
        said = await talk.say("the amount is 6", _set("amount", 6))
        assert said == ["amount is now 6.", "To whom?"]
        amounts = [slots.get("amount") for slots in talk.state["flow_slots"].values()]
        assert sorted(amount for amount in amounts if amount) == [6, 8]


async def test_last_the_conversation_scope() -> None:
    yaml = bank().replace("  city: {", '  name: {prompt: "Name?", scope: conversation}\n  city: {')
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("I am Ann", _set("name", "Ann"))
        assert talk.state["conversation_slots"] == {"name": "Ann"}
        assert talk.decisions == [("SetSlot", "accepted")]


async def test_a_turn_asks_one_question_after_answers_and_acknowledgements() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        said = await talk.say(
            "why? 6 actually, and hello, say it again",
            Clarify(topic="what is this"),
            RepeatLast(),
            CorrectSlot(slot_name="amount", new_value=6),
        )
        assert said == ["amount is now 6.", "I send money to somebody.", "To whom?"]
