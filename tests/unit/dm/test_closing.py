"""Closing a turn: what is kept of the messages, and which words of the user."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage, RemoveMessage

from soni.core.constants import MASK
from soni.core.state import apply_updates, create_initial_state
from soni.core.types import DialogueState
from soni.dm.closing import _messages, masked_message


def state(said: str | None, *replies: str, kept: int = 0, **turn: Any) -> DialogueState:
    return apply_updates(
        create_initial_state(),
        {
            "messages": [HumanMessage(str(n), id=f"old{n}") for n in range(kept)],
            "user_message": said,
            "replies": [{"text": text} for text in replies],
            "turn_count": 3,
            "turn": turn,
        },
    )


def shown(messages: list[Any]) -> list[tuple[str, str]]:
    return [
        ("removed" if isinstance(m, RemoveMessage) else m.type, m.content or m.id) for m in messages
    ]


@pytest.mark.parametrize(
    ("limit", "kept", "expected"),
    [
        (9, 2, [("human", "hi"), ("ai", "a"), ("ai", "b")]),
        (5, 2, [("human", "hi"), ("ai", "a"), ("ai", "b")]),
        (4, 2, [("removed", "old0"), ("human", "hi"), ("ai", "a"), ("ai", "b")]),
        (3, 1, [("removed", "old0"), ("human", "hi"), ("ai", "a"), ("ai", "b")]),
        (2, 1, [("removed", "old0"), ("ai", "a"), ("ai", "b")]),
        (0, 1, [("removed", "old0")]),
    ],
)
def test_the_oldest_messages_are_removed_beyond_the_limit(
    limit: int, kept: int, expected: list[tuple[str, str]]
) -> None:
    assert shown(_messages(state("hi", "a", "b", kept=kept), limit)) == expected


def test_what_the_application_did_has_no_message_of_the_user() -> None:
    assert shown(_messages(state(None, "a"), 9)) == [("ai", "a")]
    assert [m.id for m in _messages(state("", "a"), 9)] == ["3-user", "3-bot-0"]


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
    assert masked_message(state(said, **turn)) == stored
