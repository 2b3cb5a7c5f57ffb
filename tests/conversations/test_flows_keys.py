"""flow: every key of it, in both languages."""

import pytest
from langgraph.checkpoint.memory import MemorySaver

from soni.commands import Clarify, CorrectSlot, StartFlow
from tests.talking import talking_to

TRAVEL = """
slots:
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
  seats: {type: integer, prompt: {en: "How many seats?", es: "¿Cuántas plazas?"}}
  sure: {type: boolean, prompt: {en: "Sure?", es: "¿Seguro?"}}
flows:
  book:
    description: I book trains.
    trigger: {examples: [book a train], condition: session.member}
    inputs: [city, "note?"]
    outputs: [seats]
    steps:
      - collect: city
      - collect: seats
      - action: reserve
      - {collect: sure, jump_to: end}
      - {step: sorry, say: {en: "No train: {_error_type}.", es: "Sin tren: {_error_type}."}}
    on_error: sorry
    interruptible: false
  bill:
    trigger: {intents: [the bill]}
    inputs: {seats: {from: book.seats}}
    process:
      - say: {en: "{seats} seats.", es: "{seats} plazas."}
  quiz:
    trigger: {examples: [quiz]}
    resumable: false
    steps:
      - {collect: answer, message: {en: "Two and two?", es: "¿Dos y dos?"}}
      - say: {en: "Right.", es: "Bien."}
  inner:
    trigger: {examples: [inner]}
    hidden: true
    steps: [{say: "Hidden."}]
"""

RESERVE = """
from soni import ActionError, action

@action
def reserve(city, seats):
    if city == "Atlantis":
        raise ActionError("sunk")
"""

WORDS = {
    "en": ("Which city?", "How many seats?", "Let us finish book first.", "Sure?", "2 seats.",
           "No train: sunk.", "I did not understand that.", "Two and two?"),
    "es": ("¿Qué ciudad?", "¿Cuántas plazas?", "Terminemos primero book.", "¿Seguro?", "2 plazas.",
           "Sin tren: sunk.", "No lo he entendido.", "¿Dos y dos?"),
}  # fmt: skip
languages = pytest.mark.parametrize("language", ["en", "es"])


@languages
async def test_a_flow_from_its_trigger_to_its_outputs(language: str) -> None:
    city, seats, _, sure, bill, *_ = WORDS[language]
    here = {"language": language, "context": {"member": True}}
    async with talking_to(TRAVEL, RESERVE) as talk:
        assert await talk.say("book a train", **here) == [city]
        assert await talk.say("Rome", **here) == [seats]
        assert await talk.say("2", **here) == [sure]
        assert await talk.say("no", **here) == []
        assert await talk.say("the bill", **here) == [bill]


@languages
async def test_a_condition_and_hidden_keep_a_flow_from_starting(language: str) -> None:
    pardon = WORDS[language][6]
    async with talking_to(TRAVEL, RESERVE) as talk:
        book = StartFlow(flow_name="book")
        assert await talk.say("book a train", book, language=language) == [pardon]
        inner = StartFlow(flow_name="inner")
        assert (await talk.say("inner", inner, language=language))[0] == pardon
        assert (await talk.runtime.start_flow("ann", "inner")).messages == ["Hidden."]


@languages
async def test_interruptible_false_refuses_and_on_error_takes_failures(language: str) -> None:
    city, seats, first, _, _, sorry, *_ = WORDS[language]
    here = {"language": language, "context": {"member": True}}
    async with talking_to(TRAVEL, RESERVE) as talk:
        await talk.say("book a train", **here)
        quiz = StartFlow(flow_name="quiz")
        assert await talk.say("quiz", quiz, **here) == [first, city]
        assert await talk.say("Atlantis", **here) == [seats]
        assert await talk.say("2", **here) == [sorry]


@languages
async def test_resumable_false_is_cancelled_when_interrupted(language: str) -> None:
    city, *_, question = WORDS[language]
    here = {"language": language, "context": {"member": True}}
    async with talking_to(TRAVEL, RESERVE) as talk:
        assert await talk.say("quiz", **here) == [question]
        assert await talk.say("book", StartFlow(flow_name="book"), **here) == [city]
        assert (talk.stack, talk.ended) == (["book"], [("quiz", "cancelled")])


async def test_the_description_answers_what_the_flow_is_about() -> None:
    async with talking_to(TRAVEL, RESERVE) as talk:
        here = {"context": {"member": True}}
        await talk.say("book a train", **here)
        said = await talk.say("what is this?", Clarify(topic="trains"), **here)
        assert said == ["I book trains.", "Which city?"]


@pytest.mark.parametrize(
    ("language", "late", "sure"),
    [
        ("en", "It is too late to change seats: that has already been done.", "Sure?"),
        ("es", "Ya es tarde para cambiar seats: eso ya está hecho.", "¿Seguro?"),
    ],
)
async def test_what_was_done_cannot_be_corrected(language: str, late: str, sure: str) -> None:
    here = {"language": language, "context": {"member": True}}
    async with talking_to(TRAVEL, RESERVE) as talk:
        start = StartFlow(flow_name="book", slots={"city": "Rome", "seats": 2})
        assert await talk.say("2 to Rome", start, **here) == [sure]
        change = CorrectSlot(slot_name="seats", new_value=3)
        assert await talk.say("no, 3", change, **here) == [late, sure]


@pytest.mark.parametrize(
    ("language", "unusable", "asked"),
    [
        ("en", "I could not use seats: Please give a whole number.", "How many seats?"),
        ("es", "No he podido usar seats: Por favor, da un número entero.", "¿Cuántas plazas?"),
    ],
)
async def test_a_value_that_comes_with_the_start_and_is_refused(
    language: str, unusable: str, asked: str
) -> None:
    here = {"language": language, "context": {"member": True}}
    async with talking_to(TRAVEL, RESERVE) as talk:
        start = StartFlow(flow_name="book", slots={"city": "Rome", "seats": "some"})
        assert await talk.say("some to Rome", start, **here) == [unusable, asked]


@pytest.mark.parametrize(
    ("language", "changed", "gone", "asked"),
    [
        ("en", "quiz has changed meanwhile, so I start it again with what you told me.",
         "quiz is no longer available.", "Two and two?"),
        ("es", "quiz ha cambiado entretanto; la empiezo de nuevo con lo que me dijiste.",
         "quiz ya no está disponible.", "¿Dos y dos?"),
    ],
)  # fmt: skip
async def test_a_flow_that_was_edited_under_way(
    language: str, changed: str, gone: str, asked: str
) -> None:
    renamed = TRAVEL.replace("{collect: answer,", "{step: ask, collect: answer,")
    removed = TRAVEL[: TRAVEL.index("  quiz:")] + TRAVEL[TRAVEL.index("  inner:") :]
    for after, said in ((renamed, [changed, asked]), (removed, [gone])):
        saver = MemorySaver()
        async with talking_to(TRAVEL, RESERVE, checkpointer=saver) as talk:
            await talk.say("quiz", language=language)
        async with talking_to(after, RESERVE, checkpointer=saver) as talk:
            assert (await talk.say("xyzzy", commands=[], language=language))[-len(said) :] == said
