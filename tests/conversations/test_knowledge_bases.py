"""A knowledge base of the application's own: vectors, a search engine, anything that finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soni.commands import Clarify, StartFlow
from soni.knowledge import LexicalKnowledge, Passage
from tests.conversations.shop import ACTIONS, SHOP, WHERE
from tests.talking import assistant, talking_to

NO_ANSWER = "I have no answer to that."


class Shelf:
    """Finds what it was told to find, and remembers what it was asked."""

    def __init__(self, *passages: Passage) -> None:
        self.passages = passages
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def search(self, question: str, **about: Any) -> Sequence[Passage]:
        self.asked.append((question, about))
        return self.passages


class Broken:
    async def search(self, question: str, **about: Any) -> Sequence[Passage]:
        raise ConnectionError("the index at 10.0.0.1 is away")


async def test_its_own_text_is_said_and_the_question_follows() -> None:
    shelf = Shelf(Passage("doc-1", 0.9, "See page nine."), Passage("doc-2", 0.8, "See page ten."))
    async with talking_to(SHOP, ACTIONS, knowledge=shelf) as talk:
        await talk.say("order food")
        said = await talk.say("how do I return shoes?")
        assert said == ["See page nine.", "Which dish?"]
        (traced,) = [e["data"] for e in talk.state["trace"] if e["event"] == "digression"]
        assert traced == {"type": "clarify", "answer": "knowledge/doc-1"}


async def test_its_text_is_no_template() -> None:
    text = "{dish} {{ 1 + 1 }} {session.name} { %s"
    async with talking_to(SHOP, ACTIONS, knowledge=Shelf(Passage("x", 1, text))) as talk:
        assert await talk.say("anything?", context={"name": "Ann"}) == [text]


async def test_it_is_told_the_language_and_the_flows_at_work() -> None:
    shelf = Shelf()
    async with talking_to(SHOP, ACTIONS, knowledge=shelf) as talk:
        await talk.say("how old is your chef?", language="es")
        await talk.say("pay", StartFlow(flow_name="pay"), language="en")
        await talk.say("how old is your chef?", language="en")
    first, second = shelf.asked
    assert first == ("how old is your chef?", {"language": "es", "flows": [], "limit": 10})
    assert second[1] == {"language": "en", "flows": ["identify", "pay"], "limit": 10}


async def test_it_may_rank_the_assistants_own_entries() -> None:
    config = assistant(SHOP, ACTIONS)
    ids = [entry.id for entry in config.knowledge]
    everything = Shelf(*(Passage(name, 1.0) for name in ["gone", *reversed(ids)]))
    async with talking_to(config, knowledge=everything) as talk:
        # Backwards: no member number yet, the PIN and the calories belong to flows.
        assert await talk.say("how old is your chef?") == [WHERE]
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "x", "size": "large"}))
        said = await talk.say("how old is your chef?")
        assert said == ["A large x has a thousand.", "Is it a gift?"]


async def test_conditions_and_flows_count_whatever_it_finds() -> None:
    config = assistant(SHOP, ACTIONS)
    staff_only = next(entry.id for entry in config.knowledge if entry.when == "session.staff")
    async with talking_to(config, knowledge=Shelf(Passage(staff_only, 1.0))) as talk:
        assert await talk.say("how old is your chef?", context={"name": "Ann"}) == [NO_ANSWER]
        staff = {"name": "Ann", "staff": True}
        assert await talk.say("how old is your chef?", context=staff) == ["For you, nothing, Ann."]


async def test_one_that_finds_nothing() -> None:
    async with talking_to(SHOP, ACTIONS, knowledge=Shelf()) as talk:
        assert await talk.say("where are you?") == [NO_ANSWER]


async def test_one_that_is_away_breaks_nothing() -> None:
    async with talking_to(SHOP, ACTIONS, knowledge=Broken()) as talk:
        await talk.say("order food")
        assert await talk.say("where are you?") == [NO_ANSWER, "Which dish?"]
        assert "10.0.0.1" not in repr(talk.state)
        assert await talk.say("pizza") == ["Which size?"]


async def test_what_the_configuration_answers_is_not_searched_for() -> None:
    shelf = Shelf(Passage("x", 1, "Wrong."))
    async with talking_to(SHOP, ACTIONS, knowledge=shelf) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "pizza"}))
        for message in ("why?", "what are the options?", "what can you do?", "help"):
            assert "Wrong." not in await talk.say(message, Clarify(topic=message))
            await talk.say("huge")
    assert shelf.asked == []


async def test_one_that_falls_back_to_the_words_of_the_entries() -> None:
    config = assistant(SHOP, ACTIONS)

    class Both:
        own = LexicalKnowledge(config.knowledge)

        async def search(self, question: str, **about: Any) -> Sequence[Passage]:
            found = await self.own.search(question, **about)
            return found or [Passage("web", 0.1, "Look it up.")]

    async with talking_to(config, knowledge=Both()) as talk:
        assert await talk.say("where are you?") == [WHERE]
        assert await talk.say("how old is your chef?") == ["Look it up."]
