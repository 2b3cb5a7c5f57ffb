"""Answers by programs: to each kind of question, once, and only while it is open."""

from typing import Any

import pytest

from soni.commands import CancelFlow, StartFlow
from soni.core.errors import NotAllowedError
from soni.server.questions import Question, find_question
from tests.talking import Talk, talking_to

SHOP = """
conversation_patterns: {cancellation: {confirm_before_cancel: true}}
actions: {find_items: {outputs: [items], repeatable: true}}
slots:
  item: {type: object, prompt: Which one?}
  items: {type: list}
  day: {type: date, description: The day of delivery, prompt: When?}
  count: {type: integer, prompt: How many?}
  mail: {type: email, required: false, prompt: Your address?}
flows:
  order:
    trigger: {examples: [order something]}
    steps:
      - action: find_items
      - {collect: item, from: items, display: "{name}"}
      - collect: count
      - collect: day
      - collect: mail
      - confirm: "{count} x {item.name}?"
      - say: Ordered.
"""

ACTIONS = """
from soni import action

@action
def find_items():
    return {"items": [{"name": "tea"}, {"name": "mate"}]}
"""


def ask(talk: Talk) -> Question:
    found = find_question(talk.runtime.assistant, "ann", talk.state)
    assert found is not None
    return found


async def answer(talk: Talk, value: Any) -> list[str]:
    talk.last = await talk.runtime.handle(ask(talk).make_answer_message("ann", value))
    return talk.last.messages


async def test_every_kind_of_question_is_answered_by_a_value() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("go", StartFlow("order"))
        assert ask(talk).schema == {
            "type": "string",
            "enum": ["tea", "mate"],
            "description": "Which one?\n1. tea\n2. mate",
        }
        assert await answer(talk, "mate") == ["How many?"]
        assert ask(talk).schema == {"type": "integer", "description": "How many?"}
        assert await answer(talk, 3) == ["When?"]
        assert ask(talk).schema == {
            "type": "string",
            "format": "date",
            "description": "The day of delivery",
        }
        assert await answer(talk, "2026-03-09") == ["Your address?"]
        assert "required" not in ask(talk).form
        assert ask(talk).schema["format"] == "email"
        assert await answer(talk, None) == ["3 x mate?"]
        assert await answer(talk, True) == ["Ordered."]
        assert find_question(talk.runtime.assistant, "ann", talk.state) is None


async def test_a_question_is_answered_once_and_only_while_it_is_open() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("go", StartFlow("order"))
        first = ask(talk)
        assert await answer(talk, "tea") == ["How many?"]
        again = await talk.runtime.handle(first.make_answer_message("ann", "mate"))
        assert (again.repeated, again.messages) == (True, ["How many?"])
        second = ask(talk)
        await talk.say("never mind", CancelFlow())
        with pytest.raises(NotAllowedError, match="no longer open"):
            await talk.runtime.handle(second.make_answer_message("ann", 3))


async def test_who_does_not_answer_gives_the_task_up_even_if_that_is_asked_about() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("go", StartFlow("order"))
        for kind in ("collect", "cancel"):
            assert ask(talk).kind == kind
            talk.last = await talk.runtime.handle(ask(talk).make_refusal_message("ann"))
        assert talk.stack == []


async def test_an_answer_that_nothing_can_be_made_of_is_refused() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("go", StartFlow("order"))
        await talk.say("never mind", CancelFlow())
        with pytest.raises(NotAllowedError, match="boolean"):
            ask(talk).make_answer_message("ann", ["yes"])


async def test_a_conversation_that_was_forgotten_asks_other_questions() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        names = []
        for _ in range(2):
            await talk.say("go", StartFlow("order"))
            names.append(ask(talk).id)
            assert await answer(talk, "tea") == ["How many?"]
            await talk.runtime.reset("ann")
        assert len(set(names)) == 2
