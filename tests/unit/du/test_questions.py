"""Questions are told from answers by how they begin and end."""

import pytest

from soni.du.local.words.questions import is_question, split_question
from soni.language import find_language


@pytest.mark.parametrize(
    "message",
    ["what does it cost?", "what does it cost", "What's the fee", "how much is it", "is it free?",
     "how late are you open tonight", "has it arrived yet", "have they arrived",
     "why do you ask", "can I pay later?", "¿cuánto cuesta?", "cuánto cuesta", "cuanto cuesta",
     "¿Y cuánto cuesta?", "¿es gratis?", "¿se puede pagar luego?", "and what is that?",
     "What\u2019s that?"],
)  # fmt: skip
@pytest.mark.parametrize("answering", [True, False])
def test_a_question(message: str, answering: bool) -> None:
    assert is_question(message, find_language("es"), answering=answering)


@pytest.mark.parametrize(
    "message",
    ["Paris", "What Women Want", "Who", "When Harry met Sally", "are you open", "como siempre",
     "que aproveche", "is", "???", "¿?", "", "  ", "👍", "no idea", "Calle Mayor, 3",
     "have it sent to Sun Pharmacy", "have this one delivered"],
)  # fmt: skip
def test_an_answer(message: str) -> None:
    assert not is_question(message, find_language("es"), answering=True)


@pytest.mark.parametrize("message", ["Paris?", "Bob?", "tomorrow?"])
def test_a_single_word_with_a_question_mark_may_be_an_answer(message: str) -> None:
    assert not is_question(message, find_language("es"), answering=True)
    assert is_question(message, find_language("es"), answering=False)


@pytest.mark.parametrize(
    ("message", "said", "asked"),
    [
        ("yes, and what does it cost?", "yes", "what does it cost?"),
        ("Yes. What does it cost?", "Yes", "What does it cost?"),
        ("50 but why do you ask?", "50", "why do you ask?"),
        ("no, why?", "no", "why?"),
        ("Smith, Jones, and how long does it take?", "Smith, Jones", "how long does it take?"),
        ("sí, ¿y cuánto cuesta?", "sí", "¿y cuánto cuesta?"),
        ("50 y cuánto tarda", "50", "cuánto tarda"),
    ],
)
def test_something_said_and_a_question_behind_it(message: str, said: str, asked: str) -> None:
    assert (said, asked) in list(split_question(message, find_language("es")))


@pytest.mark.parametrize(
    "message",
    ["Smith and Sons", "Dr. Who", "what is this, and why is that?", "yes, please", ", why?",
     "yes, " * 1_000 + "why?"],
)  # fmt: skip
def test_nothing_to_split(message: str) -> None:
    assert list(split_question(message, find_language("en"))) == []
