"""A question finds the entries that answer it, those of the moment first, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from soni.config.definitions import KnowledgeEntry
from soni.knowledge import LexicalKnowledge


def entry(question: Any, answer: Any = "So.", **more: Any) -> KnowledgeEntry:
    return KnowledgeEntry(question=question, answer=answer, **more)


async def found(
    question: str, *entries: KnowledgeEntry, language: str = "en", **more: Any
) -> list[int]:
    """The numbers of the entries that a question finds, best first."""
    knowledge = LexicalKnowledge(entries)
    ids = [each.id for each in entries]
    return [ids.index(p.id) for p in await knowledge.search(question, language=language, **more)]


FEES = entry("What does a transfer cost?", "Nothing within the euro zone.")
HOURS = entry(["When are you open?", "What are your opening hours?"], "From nine to five.")


@pytest.mark.parametrize(
    "question",
    ["what does a transfer cost", "TRANSFER COSTS?", "Hi, how much do transfers cost please",
     "cost of a trasnfer", "what does a tranfer cost", "the costs of transfering"],
)  # fmt: skip
async def test_case_order_endings_and_slips_do_not_matter(question: str) -> None:
    assert await found(question, FEES, HOURS) == [0]


@pytest.mark.parametrize(
    "question",
    ["who won?", "", "?", "...", "what", "when?", "how", "you", "the", "🙂", "transformers",
     "what does a car cost", "is the door open", "a" * 4_000, "why " * 1_000],
)  # fmt: skip
async def test_what_nothing_answers_finds_nothing(question: str) -> None:
    assert await found(question, FEES, HOURS) == []


async def test_an_assistant_without_knowledge_finds_nothing() -> None:
    assert await found("when are you open?") == []


async def test_each_of_several_questions_leads_to_the_entry() -> None:
    assert await found("opening hours", FEES, HOURS) == [1]
    assert await found("when do you open", FEES, HOURS) == [1]


async def test_the_question_counts_more_than_the_answer() -> None:
    in_answer = entry("Where are you?", "In the high street; parking is free behind the house.")
    in_question = entry("Is parking free?", "Yes.")
    assert await found("is there free parking", in_answer, in_question) == [1]


async def test_words_of_the_answer_help_a_question_along() -> None:
    cards = entry("Which cards do you take?", "Visa and Mastercard.")
    assert await found("which cards do you take, visa?", cards, HOURS) == [0]


async def test_words_of_the_answer_alone_are_not_enough() -> None:
    assert await found("euro zone", FEES, HOURS) == []


async def test_an_entry_of_a_flow_is_found_only_in_it_and_there_first() -> None:
    general = entry("How long does it take?", "It depends.")
    own = entry("How long does it take?", "A day.", flow="transfer")
    assert await found("how long does it take?", general, own) == [0]
    assert await found("how long does it take?", general, own, flows=["card"]) == [0]
    assert await found("how long does it take?", general, own, flows=["transfer"]) == [1, 0]
    assert await found("how long does it take?", general, own, flows=["pin", "transfer"]) == [1, 0]


async def test_an_entry_with_a_condition_comes_before_one_for_everybody() -> None:
    everybody = entry("What does it cost?", "Five euros.")
    gold = entry("What does it cost?", "Nothing.", when="session.gold")
    assert await found("what does it cost", everybody, gold) == [1, 0]


async def test_what_fits_much_worse_than_the_best_is_not_offered() -> None:
    near = entry("What does an instant transfer cost?", "One euro.")
    assert await found("what does an instant transfer cost", FEES, near) == [1]


async def test_no_more_than_the_limit() -> None:
    same = [entry("What does it cost?", f"{n} euros.", when=f"session.n == {n}") for n in range(9)]
    assert await found("what does it cost", *same, limit=3) == [0, 1, 2]


async def test_each_language_has_its_own_words() -> None:
    both = entry(
        {"en": "When are you open?", "es": ["¿Cuándo abren?", "Horario"]},
        {"en": "From nine.", "es": "Desde las nueve."},
    )
    assert await found("horarios", both, FEES, language="es") == [0]
    assert await found("horarios", both, FEES, language="es-MX") == [0]
    assert await found("horarios", both, FEES, language="en") == []
    assert await found("when are you open", both, FEES, language="es") == []


async def test_a_language_nobody_wrote_falls_back_to_english_as_texts_do() -> None:
    both = entry({"es": "¿Cuándo abren?", "en": "When are you open?"})
    assert await found("when are you open", both, FEES, language="fr") == [0]


async def test_languages_that_callers_make_up_cost_nothing() -> None:
    knowledge = LexicalKnowledge([FEES])
    for number in range(50):
        await knowledge.search("transfer cost", language=f"x{number}")
    assert len(knowledge._indexes) == 1


async def test_a_question_made_of_fillers_is_found_by_all_of_it() -> None:
    there = entry("Are you there?", "Yes.")
    assert await found("are you there", there, FEES) == [0]
    assert await found("are you", there, FEES) == [0]
    assert await found("you", FEES, HOURS) == []


async def test_the_same_question_finds_the_same_in_the_same_order() -> None:
    entries = [entry(f"What does plan {word} cost?", word) for word in ("a1", "b2", "c3", "d4")]
    first = await found("what does a plan cost", *entries)
    assert [await found("what does a plan cost", *entries) for _ in range(3)] == [first] * 3


def test_an_entry_keeps_its_id_as_long_as_it_says_the_same() -> None:
    assert entry("Q?", "A.").id == entry("Q?", "A.").id
    others = [entry("Q?", "B."), entry("P?", "A."), entry("Q?", "A.", when="1 == 1")]
    assert len({entry("Q?", "A.").id, *(other.id for other in others)}) == 4
