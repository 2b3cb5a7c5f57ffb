"""Closing a turn: the messages of it, and which words of the user are kept."""

from typing import Any

import pytest

from soni.core.constants import MASK
from soni.core.state import apply_updates, create_initial_state
from soni.core.types import DialogueState
from soni.dm.turn_end import _collect_messages, mask_message


def state(said: str | None, *replies: str, **turn: Any) -> DialogueState:
    return apply_updates(
        create_initial_state(),
        {
            "user_message": said,
            "replies": [{"text": text} for text in replies],
            "turn_count": 3,
            "turn": turn,
        },
    )


def test_what_was_said_is_kept_in_its_order() -> None:
    messages = _collect_messages(state("hi", "a", "b"))
    assert [(m.type, m.content) for m in messages] == [("human", "hi"), ("ai", "a"), ("ai", "b")]


def test_what_the_application_did_has_no_message_of_the_user() -> None:
    assert [(m.type, m.content) for m in _collect_messages(state(None, "a"))] == [("ai", "a")]
    assert [m.id for m in _collect_messages(state("", "a"))] == ["3-user", "3-bot-0"]


@pytest.mark.parametrize(
    ("said", "turn", "stored"),
    [
        ("my pin is 1234", {}, "my pin is 1234"),
        ("my pin is 1234", {"secrets": ["1234"]}, f"my pin is {MASK}"),
        ("my pin is 1234", {"secrets": ["12 34"]}, MASK),
        ("Ann and BOB", {"secrets": ["bob", "ann"]}, f"{MASK} and {MASK}"),
        ("anything", {"private": True}, MASK),
        ("anything", {"private": True, "secrets": ["any"]}, MASK),
    ],
)
def test_the_users_words_are_stored_without_secrets(
    said: str, turn: dict[str, Any], stored: str
) -> None:
    assert mask_message(state(said, **turn)) == stored
