"""StartFlow: push, or go on with what is open; slots come along."""

from soni.commands import CorrectSlot, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to


async def test_a_flow_that_is_not_open_is_pushed() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("send money", StartFlow(flow_name="transfer")) == ["How much?"]
        assert talk.stack == ["transfer"]
        assert await talk.say("weather?", StartFlow(flow_name="weather")) == ["Which city?"]
        assert talk.stack == ["transfer", "weather"]


async def test_an_example_starts_its_flow_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("I want to send money, please") == ["How much?"]
        assert talk.decisions == [("StartFlow", "accepted")]


async def test_an_active_flow_is_not_pushed_again_and_its_slots_are_applied() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        again = StartFlow(flow_name="transfer", slots={"recipient": "Bob"})
        assert await talk.say("send money to Bob", again) == ["How much?"]
        assert (talk.stack, talk.slots) == (["transfer"], {"recipient": "Bob"})


async def test_the_asked_slot_may_come_with_the_active_flow_named_again() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        again = StartFlow(flow_name="transfer", slots={"amount": 0, "recipient": ""})
        assert await talk.say("send nothing to nobody", again) == ["Send 0 to ?"]
        assert talk.slots == {"amount": 0, "recipient": ""}


async def test_another_value_for_a_filled_slot_of_the_active_flow_is_a_correction() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 50, "recipient": "Bob"}
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=both))
        again = StartFlow(flow_name="transfer", slots={"amount": 60, "recipient": "Bob"})
        said = await talk.say("send 60 to Bob", again)
        assert said == ["amount is now 60.", "Send 60 to Bob?"]


async def test_a_paused_task_comes_to_the_top_instead_of_a_second_one() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        paused = talk.state["flow_stack"][0]["flow_id"]
        said = await talk.say("send money", StartFlow(flow_name="transfer"))
        assert said == ["Back to transfer.", "To whom?"]
        assert talk.stack == ["weather", "transfer"]
        assert talk.state["flow_stack"][1]["flow_id"] == paused
        assert talk.slots == {"amount": 50}


async def test_slots_for_a_paused_task_are_applied_when_it_comes_to_the_top() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        again = StartFlow(flow_name="transfer", slots={"amount": 60, "recipient": "Bob"})
        said = await talk.say("send 60 to Bob", again)
        assert said == ["amount is now 60.", "Back to transfer.", "Send 60 to Bob?"]
        assert talk.stack == ["weather", "transfer"]


async def test_another_makes_a_new_instance_beside_the_active_one() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        another = StartFlow(flow_name="transfer", another=True)
        assert await talk.say("send another one", another) == ["How much?"]
        assert talk.stack == ["transfer", "transfer"]
        assert talk.slots == {}
        first, second = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert await talk.say("7", SetSlot(slot_name="amount", value=7)) == ["To whom?"]
        assert talk.state["flow_slots"] == {first: {"amount": 50}, second: {"amount": 7}}


async def test_another_makes_a_new_instance_beside_a_paused_one() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        another = StartFlow(flow_name="transfer", another=True, slots={"amount": 7})
        assert await talk.say("send another 7", another) == ["To whom?"]
        assert talk.stack == ["transfer", "weather", "transfer"]
        assert talk.slots == {"amount": 7}


async def test_valid_slots_are_written_and_each_refusal_is_explained() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        slots = {"amount": "lots", "recipient": "Bob"}
        said = await talk.say("send lots to Bob", StartFlow(flow_name="transfer", slots=slots))
        assert said == ["I could not use amount: Please give a whole number.", "How much?"]
        assert talk.slots == {"recipient": "Bob"}


async def test_two_refusals_are_two_explanations() -> None:
    flow = """
  card:
    trigger: {}
    steps: [{collect: amount}, {collect: account}]
"""
    async with talking_to(bank(flows=flow), ACTIONS) as talk:
        slots = {"amount": "lots", "account": "the moon"}
        said = await talk.say("a card", StartFlow(flow_name="card", slots=slots))
        assert said == [
            "I could not use amount: Please give a whole number.",
            "I could not use account: Please choose one of: main, savings.",
            "How much?",
        ]


async def test_a_refused_slot_of_a_start_counts_no_attempt() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 1}}"), ACTIONS) as talk:
        bad = StartFlow(flow_name="transfer", slots={"amount": "lots"})
        explained = ["I could not use amount: Please give a whole number.", "How much?"]
        assert await talk.say("send lots", bad) == explained
        # Said again while the amount is asked: still no answer to the question.
        assert await talk.say("send lots", bad) == explained
        assert talk.state["metadata"].get("handoff") is None


async def test_a_slot_the_flow_does_not_have_is_not_written() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        slots = {"city": "Rome", "amount": 5}
        said = await talk.say("send 5", StartFlow(flow_name="transfer", slots=slots))
        assert said == ["To whom?"]
        assert talk.slots == {"amount": 5}


async def test_an_unknown_flow_is_rejected_with_the_flows_there_are() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("sell my car", StartFlow(flow_name="sell_car"))
        assert said == ["I did not understand that."]
        assert talk.decisions == [("StartFlow", "rejected")]
        reason = talk.last.commands[0]["reason"]
        assert reason == "unknown flow; available: transfer, balance, weather"


async def test_flows_without_a_trigger_hidden_or_on_a_false_condition_do_not_start() -> None:
    flows = """
  plumbing: {steps: [{say: "Plumbing."}]}
  secret: {trigger: {examples: [s]}, hidden: true, steps: [{say: "Secret."}]}
  vip: {trigger: {condition: "session.vip == true"}, steps: [{say: "Welcome, VIP."}]}
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        for name in ("plumbing", "secret", "vip"):
            said = await talk.say(name, StartFlow(flow_name=name))
            assert said[0] == "I did not understand that."
            assert talk.decisions == [("StartFlow", "rejected")]
        vip = StartFlow(flow_name="vip")
        assert await talk.say("vip", vip, context={"vip": True}) == ["Welcome, VIP."]


async def test_the_application_starts_any_flow() -> None:
    flows = "  secret: {hidden: true, steps: [{collect: city}, {say: 'Ah, {city}.'}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        turn = await talk.runtime.start_flow("ann", "secret", inputs={"city": "Rome"})
        assert turn.messages == ["Ah, Rome.", "Back to transfer.", "How much?"]


async def test_inputs_from_an_archived_output_pass_the_slot_writer() -> None:
    flows = """
  refer:
    trigger: {}
    outputs: [reference]
    steps: [{set: {reference: "many"}}, {say: "Made."}]
  pay:
    trigger: {}
    inputs: {amount: {from: refer.reference}}
    steps: [{collect: amount}, {say: "Paid {amount}."}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        assert await talk.say("refer", StartFlow(flow_name="refer")) == ["Made."]
        assert await talk.say("pay", StartFlow(flow_name="pay")) == [
            "I could not use amount: Please give a whole number.",
            "How much?",
        ]
        assert talk.slots == {}


async def test_declared_inputs_come_from_the_last_completed_instance() -> None:
    flows = """
  refer:
    trigger: {}
    outputs: [reference]
    steps: [{collect: amount}, {set: {reference: "{{ amount }}"}}]
  pay:
    trigger: {}
    inputs: {reference: {from: refer.reference}}
    steps: [{say: "Reference {reference}."}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        assert await talk.say("pay", StartFlow(flow_name="pay")) == ["Reference ."]
        for amount in (7, 0):
            await talk.say("r", StartFlow(flow_name="refer", slots={"amount": amount}))
        await talk.say("r", StartFlow(flow_name="refer"))
        pay = StartFlow(flow_name="pay")
        said = await talk.say("pay", pay)
        assert said == ["Reference 0.", "Back to refer.", "How much?"]


async def test_a_correction_in_the_message_that_starts_a_flow_fills_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        start = StartFlow(flow_name="transfer", slots={"amount": 50})
        change = CorrectSlot(slot_name="amount", new_value=60)
        said = await talk.say("send 50, no, 60", start, change)
        assert said == ["amount is now 60.", "To whom?"]
