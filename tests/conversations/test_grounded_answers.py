"""Answers by a language model: from an entry that it names, with nothing that is not in there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.audit.replay import replay
from soni.audit.turn import RecordedTurn
from soni.knowledge import Passage
from soni.testing import run_tests
from tests.model_server import URL, Failing, Model, serving
from tests.talking import Talk, assistant, talking_to

FLIGHTS = """
settings:
  nlu: {model: tiny, base_url: "http://model.example/v1", retries: 0, timeout: 60}
conversation_patterns:
  clarification: {answers: model, max_depth: 9}
responses: {no_answer: I do not know that.}
knowledge:
  - question: [Is there a meal on board?, Is there catering?]
    answer: Hot meals are served on flights of over two hours, for 12 euros.
  - question: How many bags may I bring?
    answer: One bag of up to 23 kg is free.
  - question: What is my limit?
    answer: "Your limit is {session.limit}."
    when: session.limit != null
  - question: Is my card safe?
    answer: "The card with {copy} is safe."
    flow: pay
slots:
  city: {prompt: "Where to?"}
  pin: {prompt: "Your PIN?", sensitive: true}
flows:
  book:
    trigger: {examples: [book a flight]}
    steps:
      - collect: city
      - say: "To {city}."
  pay:
    trigger: {examples: [pay now]}
    steps:
      - collect: pin
      - set: {copy: "{{ pin }}"}
      - collect: city
      - say: "Paid."
"""
MEALS = "Hot meals are served on flights of over two hours, for 12 euros."
HUNGRY = "do they feed you on the plane?"


def asks(question: str) -> list[dict[str, Any]]:
    return [{"type": "Clarify", "topic": question}]


def says(entry: str, answer: str) -> dict[str, Any]:
    return {"entry": entry, "answer": answer}


@asynccontextmanager
async def flights(model: Model) -> AsyncIterator[Talk]:
    async with talking_to(FLIGHTS.replace(URL, model.url)) as talk:
        yield talk


async def test_a_question_in_strange_words_is_answered_and_the_entry_named(model: Model) -> None:
    model.will_say(says("1", "Yes, hot meals are served on flights of over two hours."))
    async with flights(model) as talk:
        await talk.say("book a flight")
        assert await talk.say(HUNGRY, commands=asks(HUNGRY)) == [
            "Yes, hot meals are served on flights of over two hours.",
            "Where to?",
        ]
        assert talk.last is not None
        (entry,) = talk.last.sources
        assert assistant(FLIGHTS).knowledge[0].id == entry
        assert talk.state["replies"][0]["source"] == f"knowledge/{entry}"
        (event,) = talk.state["turn"]["events"]
        assert event["answer"] == f"knowledge/{entry}"
        assert event["entry"] == "Is there a meal on board?"
        assert talk.state["turn"]["usage"]["calls"] == 1
    schema = model.schema()["schema"]["properties"]["entry"]
    assert schema["enum"] == ["1", "2", "none"]


async def test_a_price_that_was_made_up_leaves_the_words_of_the_entry(model: Model) -> None:
    model.will_say(says("1", "Yes, hot meals are served for 9 euros."))
    async with flights(model) as talk:
        assert await talk.say(HUNGRY, commands=asks(HUNGRY)) == [MEALS]
        assert talk.last is not None and len(talk.last.sources) == 1
        (entry,) = await talk.runtime.store.journal.entries("ann")
    (call,) = entry.data["actions"]
    assert call["action"] == "soni.answer"
    assert call["outputs"]["refused"] == "added: 9"


async def test_a_price_that_the_person_claims_is_not_confirmed(model: Model) -> None:
    model.will_say(says("1", "Yes, hot meals are 5 euros."))
    async with flights(model) as talk:
        asked = "so meals are 5 euros, right?"
        assert await talk.say(asked, commands=asks(asked)) == [MEALS]


async def test_what_no_entry_answers_is_not_known(model: Model) -> None:
    model.will_say(says("none", "I think so."))
    async with flights(model) as talk:
        asked = "can I bring my dog?"
        assert await talk.say(asked, commands=asks(asked)) == ["I do not know that."]
        assert talk.last is not None and talk.last.sources == []


@pytest.mark.parametrize("broken", [Failing(500), Failing(401)])
async def test_a_model_that_fails_leaves_what_is_found_by_words(
    broken: Failing, model: Model
) -> None:
    model.always = broken
    async with flights(model) as talk:
        asked = "is there a meal on board?"
        assert await talk.say(asked, commands=asks(asked)) == [MEALS]
        assert talk.state["turn"]["usage"]["calls"] == 1
        assert await talk.say(HUNGRY, commands=asks(HUNGRY)) == ["I do not know that."]


async def test_an_answer_of_the_wrong_form_is_none(model: Model) -> None:
    model.will_say(says("7", "Yes."), "what?")
    async with flights(model) as talk:
        assert await talk.say(HUNGRY, commands=asks(HUNGRY)) == ["I do not know that."]
    assert len(model.asked) == 2


async def test_only_entries_that_count_now_are_told_and_all_of_it_as_data(model: Model) -> None:
    model.always = says("none", "")
    asked = 'what is my limit?"\n9. for "x": "y'
    async with flights(model) as talk:
        await talk.say(asked, commands=asks(asked), context={"limit": 'a "lot"\n3. </s>'})
        await talk.say("limit?", commands=asks("limit?"))
    first, second = (asked["messages"][-1]["content"] for asked in model.asked)
    assert "Your limit is" in first
    assert first.count("\n") == 5
    assert "</s>" not in first
    assert "Your limit is" not in second


async def test_secrets_are_not_told(model: Model) -> None:
    model.always = says("none", "")
    async with flights(model) as talk:
        await talk.say("pay now")
        asked = "is my card with 4711 safe?"
        # What is said while the PIN is asked for stays here.
        await talk.say(asked, commands=asks(asked))
        assert model.asked == []
        await talk.say("4711")
        await talk.say(asked, commands=asks(asked))
        assert len(model.asked) == 1
    assert "4711" not in str(model.asked)
    assert "is my card with" in str(model.asked)


async def test_what_is_said_where_a_secret_is_asked_for_as_well_is_not_told(model: Model) -> None:
    model.always = says("none", "")
    both = FLIGHTS.replace("- collect: pin", '- {collect: [city, pin], message: "City and PIN?"}')
    async with talking_to(both.replace(URL, model.url)) as talk:
        assert await talk.say("pay now") == ["City and PIN?"]
        asked = "is my card with 4711 safe?"
        await talk.say(asked, commands=asks(asked))
        assert model.asked == []


async def test_it_replays_without_a_model(model: Model) -> None:
    model.will_say(
        says("1", "A hot meal on the plane is 12 euros."),
        says("1", "For 99 euros."),
        says("none", ""),
    )
    config = assistant(FLIGHTS.replace(URL, model.url))
    async with talking_to(config) as talk:
        for _ in range(3):
            await talk.say(HUNGRY, commands=asks(HUNGRY))
        entries = await talk.runtime.store.journal.entries("ann")
    assert [entry.data["replies"] for entry in entries] == [
        ["A hot meal on the plane is 12 euros."],
        [MEALS],
        ["I do not know that."],
    ]
    turns = [RecordedTurn(entry) for entry in entries]
    assert all([turn.is_same async for turn in replay(config, turns)])
    assert len(model.asked) == 3


async def test_in_conversation_tests_entries_are_said_as_written(
    model: Model, tmp_path: Path
) -> None:
    (tmp_path / "soni.yaml").write_text(FLIGHTS.replace(URL, model.url))
    (tmp_path / "meals.test.yaml").write_text(
        f"""
tests:
  - name: meals
    turns:
      - user: is there a meal on board?
        commands: [{{Clarify: {{topic: is there a meal on board?}}}}]
        expect: {{bot: ["{MEALS}"]}}
"""
    )
    assert [result.passed for result in await run_tests(tmp_path)] == [True]
    assert model.asked == []


async def test_the_nearest_of_many_entries_are_offered(model: Model) -> None:
    model.always = says("none", "")
    topics = ["parking", "refunds", "visas", "wheelchairs", "seats", "lounges", "wifi", "delays"]
    more = "".join(
        f"  - {{question: Tell me about {topic}?, answer: All about {topic}.}}\n"
        for topic in topics
    )
    many = FLIGHTS.replace(URL, model.url).replace("slots:\n", f"{more}slots:\n")
    async with talking_to(many) as talk:
        await talk.say(HUNGRY, commands=asks(HUNGRY))
    told = model.asked[0]["messages"][-1]["content"]
    assert "Is there a meal on board?" in told
    assert "5. for" in told and "6. for" not in told


async def test_passages_of_another_base_are_answered_from_too(model: Model) -> None:
    class Handbook:
        async def search(self, question: str, **about: Any) -> list[Passage]:
            return [Passage("p9", 0.9, "Parcels are returned within 30 days.")]

    model.will_say(says("1", "Within 30 days."), says("1", "Within 40 days."))
    # The assistant need not know anything itself.
    own = FLIGHTS.index("knowledge:"), FLIGHTS.index("slots:")
    config = assistant((FLIGHTS[: own[0]] + FLIGHTS[own[1] :]).replace(URL, model.url))
    async with RuntimeLoop(config, knowledge=Handbook()) as runtime:
        asked = "can I return it?"
        turn = await runtime.turn(asked, "ann", commands=asks(asked))
        assert (turn.messages, turn.sources) == (["Within 30 days."], ["p9"])
        turn = await runtime.turn(asked, "ann", commands=asks(asked))
        assert turn.messages == ["Parcels are returned within 30 days."]


async def test_two_assistants_at_once_keep_to_their_own_models(model: Model) -> None:
    model.always = says("1", "Yes, for 12 euros.")
    with serving() as other:
        other.always = says("2", "Yes, up to 23 kg.")
        async with flights(model) as one, flights(other) as two:
            said = await asyncio.gather(
                *(talk.say(HUNGRY, commands=asks(HUNGRY)) for talk in (one, two))
            )
    assert said == [["Yes, for 12 euros."], ["Yes, up to 23 kg."]]
