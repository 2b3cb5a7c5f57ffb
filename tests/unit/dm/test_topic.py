"""What a question beside the flow is about is told by its words, in both languages."""

import pytest

from soni.dm.topic import Topic


def topic(text: str, slot: str | None = "travel_date", language: str = "es") -> Topic:
    """A topic; Spanish hears English words as well."""
    return Topic(text, language, slot)


@pytest.mark.parametrize(
    "text",
    ["what can you do?", "What else can you do", "how can you help me?", "what do you do",
     "what can I ask you?", "¿Qué puedes hacer?", "que mas puedo hacer aqui", "¿qué sabes hacer?",
     "¿En qué puedes ayudarme?", "¿cómo me puedes ayudar?"],
)  # fmt: skip
def test_what_the_assistant_can_do(text: str) -> None:
    assert topic(text).is_about_abilities


@pytest.mark.parametrize(
    "text",
    ["what can I do if I lose my card?", "what can you do about the fee?", "what can it do",
     "¿qué puedo hacer si pierdo la tarjeta?", "can you do this?"],
)  # fmt: skip
def test_what_can_be_done_about_something_is_another_question(text: str) -> None:
    assert not topic(text).is_about_abilities


@pytest.mark.parametrize(
    "text",
    ["", "?", "why", "Why do you need that?", "why do you need my travel date?", "what for?",
     "which ones are there?", "what are the options", "help", "travel date", "the travel date?",
     "¿Por qué?", "¿para qué lo necesitas?", "¿por qué lo preguntas?", "¿cuáles hay?", "ayuda",
     "¿qué opciones tengo?"],
)  # fmt: skip
def test_asking_back_without_a_subject_of_its_own(text: str) -> None:
    assert topic(text).is_about_the_question
    assert topic(text).is_bare


@pytest.mark.parametrize(
    "text", ["why is my card blocked?", "which cards do you take?", "¿por qué cobran comisión?"]
)
def test_asking_why_about_something_else(text: str) -> None:
    assert topic(text).is_about_the_question
    assert not topic(text).is_bare


@pytest.mark.parametrize("text", ["where are you?", "who are you", "how much is it", "¿cuánto es?"])
def test_a_question_of_nothing_but_fillers_may_have_a_subject(text: str) -> None:
    assert not topic(text).is_about_the_question
    assert not topic(text).is_bare


@pytest.mark.parametrize(
    "text",
    ["which seats are there?", "what seats do you have", "why do you need the seat?", "seat?"],
)
def test_a_question_may_name_another_slot_than_the_one_asked(text: str) -> None:
    assert topic(text).is_about("seat")
    assert not topic(text).is_about("travel_date")


@pytest.mark.parametrize("text", ["how much is a seat?", "does a seat cost more?", "which?", ""])
def test_a_question_of_its_own_is_about_no_slot(text: str) -> None:
    assert not topic(text).is_about("seat")


def test_half_of_the_words_make_it_be_about_a_text() -> None:
    texts = ["transfer money", "Send money to somebody"]
    assert topic("what does transferring mean?", language="en").is_covered_by(texts)
    assert topic("how are transfers insured?", language="en").is_covered_by(texts)
    assert not topic("are transfers to Germany insured?", language="en").is_covered_by(texts)
    assert not topic("what is this?", language="en").is_covered_by(texts)
