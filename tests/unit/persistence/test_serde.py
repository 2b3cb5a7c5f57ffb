"""What a checkpoint may hold, and what comes out of one that somebody else has written."""

import datetime
import decimal
import enum
import pathlib
import pickle
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core import messages
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Interrupt, Overwrite, Send

from soni.core.storage_errors import StorageError
from soni.persistence.serde import strict_serializer

SERDE = strict_serializer()
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    # A broken character becomes a question mark: it has no bytes.
    .filter(lambda text: text.isprintable())
    | st.binary(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text("abc_"), inside),
)


def back(value: Any) -> Any:
    return SERDE.loads_typed(SERDE.dumps_typed(value))


@given(PLAIN)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    assert back(value) == value


@pytest.mark.parametrize("number", [2**64, -(2**64), 2**63, -(2**63) - 1, 10**500])
def test_a_number_of_any_size_comes_back(number: int) -> None:
    assert back({"slots": [number]}) == {"slots": [number]}


@pytest.mark.parametrize(
    "message",
    [
        messages.HumanMessage(content="hi", id="1"),
        messages.HumanMessage(content=[{"type": "text", "text": "hi"}], name="ann"),
        messages.AIMessage(content="hello", id="2", response_metadata={"model": "m"}),
        messages.AIMessage(content="", tool_calls=[{"name": "f", "args": {"a": 1}, "id": "c"}]),
        messages.SystemMessage(content="be kind", additional_kwargs={"k": [1]}),
        messages.ToolMessage(content="42", tool_call_id="c", status="error", artifact={"x": 1}),
        messages.FunctionMessage(content="42", name="f"),
        messages.ChatMessage(content="hi", role="judge"),
        messages.RemoveMessage(id="1"),
        messages.AIMessageChunk(content="part"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_langchain_messages_come_back_as_themselves(message: messages.BaseMessage) -> None:
    (copy,) = back([message])
    assert type(copy) is type(message)
    assert copy == message


def test_the_interrupt_of_a_waiting_conversation_comes_back() -> None:
    assert back((Interrupt({"prompt": "Name?"}, id="i"),)) == [Interrupt({"prompt": "Name?"}, "i")]


def test_messages_are_readable_for_langgraph_itself() -> None:
    stored = SERDE.dumps_typed({"messages": [messages.HumanMessage(content="hi", id="1")]})
    stock = JsonPlusSerializer(allowed_msgpack_modules=None).loads_typed(stored)
    assert stock == {"messages": [messages.HumanMessage(content="hi", id="1")]}


class Colour(enum.StrEnum):
    RED = "red"


@dataclass
class Point:
    x: int


NOT_PLAIN = [
    datetime.date(2026, 1, 2),
    datetime.datetime(2026, 1, 2),
    decimal.Decimal("1.5"),
    uuid.uuid4(),
    {1, 2},
    pathlib.PurePosixPath("/etc/passwd"),
    pathlib.Path("/etc/passwd"),
    re.compile("a+"),
    Colour.RED,
    Point(1),
    Send("node", {}),
    Overwrite([]),
    RuntimeError("x"),
    print,
]


@pytest.mark.parametrize("value", NOT_PLAIN, ids=lambda value: type(value).__name__)
def test_what_is_not_plain_is_refused_before_it_is_stored_and_its_place_is_named(
    value: Any,
) -> None:
    with pytest.raises(StorageError) as refused:
        SERDE.dumps_typed({"channel_values": {"flow_slots": {"f1": {"items": [1, value]}}}})
    text = str(refused.value)
    assert "channel_values.flow_slots.f1.items.1 is not plain data" in text
    assert type(value).__name__ in text
    assert "passwd" not in text


@pytest.mark.parametrize(
    "value",
    [value for value in NOT_PLAIN if value not in (print, NOT_PLAIN[5], NOT_PLAIN[-2])],
    ids=lambda value: type(value).__name__,
)
def test_what_langgraph_would_revive_is_refused_when_it_is_loaded(value: Any) -> None:
    stored = JsonPlusSerializer().dumps_typed({"slots": [value]})
    with pytest.raises(StorageError, match="checkpoint was refused"):
        SERDE.loads_typed(stored)


def ext(code: int, *content: Any) -> ormsgpack.Ext:
    return ormsgpack.Ext(code, ormsgpack.packb(content))


@pytest.mark.parametrize(
    ("hostile", "named"),
    [
        (lambda mark: ext(0, "os", "system", f"touch {mark}"), "os.system"),
        (lambda mark: ext(1, "os", "system", [f"touch {mark}"]), "os.system"),
        (lambda mark: ext(2, "subprocess", "Popen", {"args": ["touch", mark]}), "subprocess.Popen"),
        (lambda mark: ext(3, "pathlib", "Path", mark, "touch"), "pathlib.Path"),
        (lambda mark: ext(4, "builtins", "open", {"file": mark, "mode": "w"}), "builtins.open"),
        (
            lambda mark: ext(5, "builtins", "open", {"file": mark, "mode": "w"}, "x"),
            "builtins.open",
        ),
        (lambda mark: ext(1, "pathlib", "PosixPath", [mark]), "pathlib.PosixPath"),
        (lambda mark: ext(0, "pickle", "loads", pickle.dumps(mark)), "pickle.loads"),
        (lambda _: ext(5, "langgraph.types", "Interrupt", {"value": 1}), "types.Interrupt"),
        (lambda _: ext(0, "langchain_core.messages.human", "HumanMessage", "x"), "HumanMessage"),
        (lambda _: ormsgpack.Ext(6, b"numpy"), "unknown kind 6"),
        (lambda _: ormsgpack.Ext(99, b""), "unknown kind 99"),
    ],
)
def test_a_hostile_row_is_refused_by_name_and_does_nothing(
    hostile: Callable[[str], ormsgpack.Ext], named: str, tmp_path: pathlib.Path
) -> None:
    mark = tmp_path / "mark"
    content = ormsgpack.packb({"messages": [1, {"deep": hostile(str(mark))}]})
    with pytest.raises(StorageError, match=re.escape(named)):
        SERDE.loads_typed(("msgpack", content))
    assert not mark.exists()


def test_an_object_hidden_inside_a_message_is_refused_too() -> None:
    inner = ext(0, "os", "system", "true")
    fields = {"content": "hi", "additional_kwargs": {"k": inner}}
    outer = ormsgpack.Ext(
        5, ormsgpack.packb(("langchain_core.messages.human", "HumanMessage", fields))
    )
    with pytest.raises(StorageError, match=re.escape("os.system")):
        SERDE.loads_typed(("msgpack", ormsgpack.packb(outer)))


@pytest.mark.parametrize(
    "stored",
    [
        ("pickle", pickle.dumps(Point(1))),
        ("json", b'{"lc":2,"type":"constructor","id":["os","system"],"args":["true"]}'),
        ("msgpack", b"\xc1 not msgpack"),
        ("msgpack", b""),
        ("msgpack", ormsgpack.packb(ormsgpack.Ext(5, b"\xc1"))),
        ("msgpack", ormsgpack.packb(ext(5, [], {}, {}))),
        ("msgpack", ormsgpack.packb(ext(5, "langchain_core.messages.human", "HumanMessage", 7))),
        ("x" * 500, b""),
    ],
)
def test_any_other_encoding_is_refused_with_a_remedy(stored: tuple[str, bytes]) -> None:
    with pytest.raises(StorageError, match="Reset the conversation") as refused:
        SERDE.loads_typed(stored)
    assert len(str(refused.value)) < 400
