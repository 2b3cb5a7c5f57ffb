"""Every field of the state is filled with meaning, turn by turn."""

import json
from typing import Any

from soni.commands import (
    CancelFlow,
    ChitChat,
    Clarify,
    HumanHandoff,
    OutOfScope,
    SetSlot,
    StartFlow,
)
from soni.core.state import create_initial_state, get_current_flow_name
from tests.talking import talking_to

ASSISTANT = """
version: "1"
slots:
  amount: {type: integer, prompt: "How much?", help: "It is what you pay."}
flows:
  pay:
    description: Pay somebody.
    trigger: {examples: ["pay"]}
    outputs: [receipt]
    steps:
      - collect: amount
      - {step: sure, type: confirm, message: "Pay {amount}?"}
      - action: charge
      - say: "Paid."
  hours:
    trigger: {examples: ["hours"]}
    steps:
      - {collect: day, message: "Which day?"}
      - say: "9 to 5."
  fail:
    trigger: {examples: ["fail"]}
    steps: [{action: broken}]
"""

FUNCTIONS = """
from soni import ActionError, action

@action
def charge(amount: int) -> dict:
    return {"receipt": f"R{amount}"}

@action
def broken() -> dict:
    raise ActionError("no_line", "the line is down")
"""


def events(state: Any) -> list[str]:
    return [event["event"] for event in state["trace"]]


async def test_a_conversation_that_never_began_has_the_initial_state() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        assert await talk.runtime.get_state("nobody") == create_initial_state()


async def test_turn_count_counts_turns_and_last_response_is_the_last_turns_messages() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("pay")
        assert (talk.state["turn_count"], talk.state["last_response"]) == (1, "How much?")
        await talk.say("a lot")
        assert talk.state["turn_count"] == 2
        assert talk.state["last_response"] == "Please give a whole number.\nHow much?"
        assert talk.last is not None
        assert talk.last.text == talk.state["last_response"]


async def test_messages_are_what_both_sides_said_as_langchain_messages() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("pay")
        await talk.say("a lot")
        assert [(m.type, m.content, m.id) for m in talk.state["messages"]] == [
            ("human", "pay", "1-user"),
            ("ai", "How much?", "1-bot-0"),
            ("human", "a lot", "2-user"),
            ("ai", "Please give a whole number.", "2-bot-0"),
            ("ai", "How much?", "2-bot-1"),
        ]


async def test_the_state_names_the_step_and_the_slot_that_it_waits_for() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:

        def place() -> tuple[Any, ...]:
            state = talk.state
            return (
                state["conversation_state"],
                get_current_flow_name(state),
                state["current_step"],
                state["waiting_for_slot"],
            )

        await talk.say("pay")
        assert place() == ("waiting_for_slot", "pay", "collect_amount", "amount")
        assert talk.state["flow_stack"][0]["current_step"] == "collect_amount"
        await talk.say("5")
        assert place() == ("confirming", "pay", "sure", None)
        assert talk.slots == {"amount": 5}
        await talk.say("hours")
        assert place() == ("waiting_for_slot", "hours", "collect_day", "day")
        await talk.say("Friday")
        assert place() == ("confirming", "pay", "sure", None)
        await talk.say("yes")
        assert place() == ("idle", None, None, None)


async def test_the_stack_says_when_and_why_a_flow_was_started_and_paused() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        start = talk.clock().timestamp()
        await talk.say("pay")
        (pay,) = talk.state["flow_stack"]
        assert (pay["flow_state"], pay["started_at"], pay["paused_at"]) == ("active", start, None)
        assert pay["called_by"] is None
        assert pay["flow_id"].startswith("pay_")
        talk.clock.forward(seconds=30)
        await talk.say("hours")
        pay, hours = talk.state["flow_stack"]
        assert (pay["flow_state"], pay["paused_at"]) == ("paused", start + 30)
        assert pay["context"] == "User started hours"
        assert (hours["flow_state"], hours["started_at"]) == ("active", start + 30)
        await talk.say("Friday")
        (pay,) = talk.state["flow_stack"]
        assert (pay["flow_state"], pay["paused_at"]) == ("active", None)


async def test_finished_flows_free_their_slots_and_are_archived_with_their_outputs() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        start = talk.clock().timestamp()
        for said in ("pay", "5"):
            await talk.say(said)
        flow_id = talk.state["flow_stack"][0]["flow_id"]
        assert talk.state["flow_slots"] == {flow_id: {"amount": 5}}
        talk.clock.forward(seconds=9)
        await talk.say("yes")
        assert talk.state["flow_slots"] == {}
        (archived,) = talk.state["metadata"]["completed_flows"]
        assert archived["flow_id"] == flow_id
        assert archived["flow_state"] == "completed"
        assert archived["outputs"] == {"receipt": "R5"}
        assert archived["completed_at"] == start + 9
        assert talk.ended == [("pay", "completed")]


async def test_a_cancelled_flow_is_archived_as_cancelled_with_the_reason() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("pay")
        await talk.say("stop", CancelFlow(reason="changed my mind"))
        (archived,) = talk.state["metadata"]["completed_flows"]
        assert (archived["flow_state"], archived["context"]) == ("cancelled", "changed my mind")
        assert archived["outputs"] == {}


async def test_an_error_is_kept_with_its_time_and_the_flow_is_archived_as_error() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        assert await talk.say("fail") == ["Something went wrong, so I could not finish fail."]
        metadata = talk.state["metadata"]
        assert metadata["error"] == "no_line: the line is down"
        assert metadata["error_at"] == talk.clock().timestamp()
        assert metadata["completed_flows"][0]["flow_state"] == "error"
        assert metadata["completed_flows"][0]["context"] == "no_line: the line is down"
        assert talk.state["conversation_state"] == "idle"


async def test_last_nlu_call_is_when_a_message_was_last_understood() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("pay", StartFlow(flow_name="pay"))
        assert talk.state["last_nlu_call"] is None  # the command went past understanding
        talk.clock.forward(seconds=5)
        await talk.say("what?")
        asked = talk.clock().timestamp()
        assert talk.state["last_nlu_call"] == asked
        talk.clock.forward(seconds=5)
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        assert talk.state["last_nlu_call"] == asked


async def test_digressions_are_counted_while_they_follow_each_other_and_the_last_is_kept() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:

        def digression() -> tuple[int, str | None]:
            return talk.state["digression_depth"], talk.state["last_digression_type"]

        await talk.say("pay")
        assert digression() == (0, None)
        assert await talk.say("why?", Clarify()) == ["It is what you pay.", "How much?"]
        assert digression() == (1, "clarification")
        await talk.say("nice weather", ChitChat())
        assert digression() == (1, "chitchat")  # small talk does not count
        await talk.say("order a pizza", OutOfScope())
        assert digression() == (2, "out_of_scope")
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        assert digression() == (0, "out_of_scope")


async def test_the_command_log_says_what_became_of_each_command_when_and_where() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        now = talk.clock().timestamp()
        await talk.say(
            "pay 5 in Rome", StartFlow(flow_name="pay"), SetSlot(slot_name="city", value="Rome")
        )
        flow_id = talk.state["flow_stack"][0]["flow_id"]
        await talk.say("a lot", SetSlot(slot_name="amount", value="a lot"))
        shared = {"timestamp": now}
        assert [
            {key: value for key, value in entry.items() if key != "reason"}
            for entry in talk.state["command_log"]
        ] == [
            {"command": "SetSlot", "result": "rejected", "turn": 1, "flow_id": None, **shared,
             "args": {"slot_name": "city", "value": "Rome", "confidence": 1.0, "flow_name": None}},
            {"command": "StartFlow", "result": "success", "turn": 1, "flow_id": flow_id, **shared,
             "args": {"flow_name": "pay", "slots": {}, "another": False}},
            {"command": "SetSlot", "result": "error", "turn": 2, "flow_id": flow_id, **shared,
             "args": {"slot_name": "amount", "value": "a lot", "confidence": 1.0,
                      "flow_name": None}},
        ]  # fmt: skip
        assert talk.state["command_log"][0]["reason"]
        assert talk.state["command_log"][2]["reason"] == "Please give a whole number."


async def test_the_trace_tells_what_happened_in_order_each_with_its_time() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        start = talk.clock().timestamp()
        for said in ("pay", "5", "hours", "Friday"):
            await talk.say(said)
        await talk.say("hm", ChitChat())
        talk.clock.forward(seconds=60)
        await talk.say("yes")
        await talk.say("fail")
        await talk.say("human", HumanHandoff())
        assert events(talk.state) == [
            "flow_started", "flow_started", "flow_completed", "digression", "action_called",
            "flow_completed", "flow_started", "action_called", "error", "flow_error", "handoff",
        ]  # fmt: skip
        assert all(set(event) == {"event", "timestamp", "data"} for event in talk.state["trace"])
        assert [event["timestamp"] - start for event in talk.state["trace"]] == [0] * 4 + [60] * 7
        called = talk.state["trace"][4]["data"]
        assert called == {"step": "action_charge", "action": "charge"}


async def test_all_but_the_messages_is_plain_data_that_json_can_hold() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        for said in ("pay", "why", "5", "hours", "Friday", "yes", "fail", "agent"):
            await talk.say(said)
            plain = {key: value for key, value in talk.state.items() if key != "messages"}
            assert json.loads(json.dumps(plain)) == plain
            assert type(talk.state["conversation_state"]) is str


async def test_between_turns_nothing_of_the_turn_is_left_over() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        for said in ("pay", "5", "yes"):
            await talk.say(said)
            stored = await talk.runtime.get_state("ann")
            assert stored == talk.state
            assert stored["user_message"] is None
            assert stored["nlu_result"] is None
            assert stored["commands"] == []
