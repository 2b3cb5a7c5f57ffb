"""What a message tells the graph at the start of its turn."""

from soni.commands import SetSlot
from soni.runtime.turn import Message


def test_commands_are_handed_over_as_plain_data() -> None:
    sent = Message(
        text="5",
        user_id="ann",
        conversation_id="web",
        message_id="m1",
        commands=[SetSlot(slot_name="amount", value=5), {"type": "CancelFlow"}],
        facts={"api": "start_flow"},
    )
    opening = sent.make_input()
    assert opening["user_message"] == "5"
    assert opening["turn"]["api"] == "start_flow"
    assert opening["turn"]["message_id"] == "m1"
    assert opening["turn"]["given"] == [
        {
            "type": "SetSlot",
            "slot_name": "amount",
            "value": 5,
            "confidence": 1.0,
            "flow_name": None,
        },
        {"type": "CancelFlow"},
    ]


def test_no_commands_are_not_the_same_as_none_given() -> None:
    def given(commands: list[SetSlot] | None) -> object:
        sent = Message(text="", user_id="a", conversation_id="a", commands=commands)
        return sent.make_input()["turn"]["given"]

    assert given(None) is None
    assert given([]) == []


def test_half_a_character_becomes_one_that_can_be_stored() -> None:
    sent = Message(text="a\ud800b", user_id="a", conversation_id="a")
    assert sent.make_input()["user_message"] == "a?b"
