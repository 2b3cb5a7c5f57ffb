"""What applications hand over is checked before anything happens."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.commands import SetSlot
from soni.core.errors import InvalidInputError
from soni.persistence.journal import verify_chain
from tests.talking import talking_to

SHOP = """
slots:
  size: {prompt: Which size?}
flows:
  order: {trigger: {examples: [order]}, steps: [{collect: size}, {say: "{size}, {session.name}."}]}
"""
ID = "expected a text of 1 to 500 characters, without NUL and lone surrogates; found "
BAD_IDS = [
    (7, "a value of type int"),
    (0, "a value of type int"),
    (b"ann", "a value of type bytes"),
    ("", "an empty one"),
    ("a\0b", "one with a sign that no text has"),
    ("a\ud800", "one with a sign that no text has"),
    ("x" * 1_000_000, "one of 1,000,000"),
]

CALLS: list[tuple[str, Callable[[RuntimeLoop, Any], Awaitable[Any]]]] = [
    ("user_id", lambda run, bad: run.turn("hi", bad)),
    ("user_id", lambda run, bad: run.process_message("hi", bad)),
    ("conversation_id", lambda run, bad: run.turn("hi", "ann", bad)),
    ("message_id", lambda run, bad: run.turn("hi", "ann", message_id=bad)),
    ("language", lambda run, bad: run.turn("hi", "ann", language=bad)),
    ("user_id", lambda run, bad: anext(run.stream("hi", bad))),
    ("user_id", lambda run, bad: run.press(bad, "Yes")),
    ("user_id", lambda run, bad: run.start_flow(bad, "order")),
    ("user_id", lambda run, bad: run.release(bad)),
    ("conversation_id", lambda run, bad: run.push(bad, "News.")),
    ("user_id", lambda run, bad: run.push("ann", "News.", user_id=bad)),
    ("conversation_id", lambda run, bad: run.agent_message(bad, "Hello.")),
    ("user_id", lambda run, bad: run.get_state(bad)),
    ("user_id", lambda run, bad: run.reset(bad)),
]


@pytest.mark.parametrize(("name", "call"), CALLS)
async def test_an_id_that_no_store_can_keep_is_refused_by_every_call(name: str, call: Any) -> None:
    async with talking_to(SHOP) as talk:
        for bad, found in BAD_IDS:
            with pytest.raises(InvalidInputError) as caught:
                await call(talk.runtime, bad)
            assert str(caught.value) == f"{name}: {ID}{found}. Nothing was done."
        assert await talk.runtime.store.journal.overview() == []


async def test_another_conversation_is_not_harmed_by_it() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order")
        with pytest.raises(InvalidInputError):
            await talk.runtime.turn("order", 7)  # type: ignore[arg-type]
        assert await talk.say("small") == ["small, ."]
        verify_chain(await talk.runtime.store.journal.entries("ann"))


@pytest.mark.parametrize("text", [7, b"order", ["order"]])
async def test_what_is_said_must_be_text(text: Any) -> None:
    async with talking_to(SHOP) as talk:
        for call in (
            talk.runtime.turn(text, "ann"),
            talk.runtime.press("ann", text),
            talk.runtime.push("ann", text),
            talk.runtime.agent_message("ann", text),
        ):
            with pytest.raises(InvalidInputError, match="expected a text; found a value of type"):
                await call


async def test_half_a_character_is_replaced_wherever_it_is_said() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order")
        context = {"name": "A\ud83d", "tags": ("\udc00",)}
        assert await talk.say("s", SetSlot("size", "\ud800"), context=context) == ["?, A?."]
        pushed = await talk.runtime.push("ann", "News \ud800")
        assert pushed.messages[0] == "News ?"
        turn = await talk.runtime.start_flow("bob", "order", {"size": "\ud800"})
        assert turn.messages == ["?, ."]


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (["a"], "context: expected a mapping of names; found a value of type list"),
        ({1: "a"}, "context: expected names as keys; found a value of type int"),
        (
            {"user": {"db": object()}},
            "context['user']: expected plain data: texts, numbers, true and false, dates, lists "
            "and mappings; found something else (a object cannot be stored in a slot)",
        ),
        ({"n": float("nan")}, "context['n']: expected plain data"),
        ({"text": "x" * 2_000_000}, "context['text']: expected plain data"),
    ],
)
async def test_context_is_plain_data_by_name(context: Any, reason: str) -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(InvalidInputError) as caught:
            await talk.say("order", context=context)
        assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    "commands", ["StartFlow", 7, {"type": "StartFlow"}, [{"type": "SetSlot", "value": object()}]]
)
async def test_commands_are_a_list_of_plain_data(commands: Any) -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(InvalidInputError, match="commands: expected "):
            await talk.say("order", commands=commands)


@pytest.mark.parametrize("inputs", [["a"], {7: "a"}, {"size": object()}])
async def test_inputs_are_plain_data_by_name(inputs: Any) -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(InvalidInputError):
            await talk.runtime.start_flow("ann", "order", inputs)
