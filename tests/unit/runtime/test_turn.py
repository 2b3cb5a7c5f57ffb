"""Turn: what the caller gets."""

from soni.core.records import Reply
from soni.core.state import create_initial_state
from soni.runtime.turn import Turn


def turn(messages: list[str], **timings: float) -> Turn:
    replies = [Reply(text=text) for text in messages]
    return Turn("ann", 1, None, replies, [], create_initial_state(), timings)


def test_its_text_is_its_messages_joined_by_newlines() -> None:
    assert turn(["One.", "Two?"]).text == "One.\nTwo?"
    assert turn([]).text == ""


def test_two_turns_that_differ_in_speed_only_are_equal() -> None:
    assert turn(["a"], total=1.0) == turn(["a"], total=2.0)
    assert turn(["a"]) != turn(["b"])
