"""Words that people take for the same are the same, and those that say nothing are left out."""

import pytest

from soni.knowledge.words import MAX_WORDS, extract_stems, is_filler, split_words
from soni.language import find_language


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fee", "fees"), ("company", "companies"), ("branch", "branches"), ("pay", "payment"),
        ("open", "opening"), ("close", "closed"), ("cancel", "cancellation"), ("plan", "planned"),
        ("activate", "activation"), ("withdraw", "withdrawal"), ("transfer", "transferring"),
        ("transact", "transactions"), ("E-mail", "email"), ("CARD'S", "card"), ("Café", "cafe"),
    ],
)  # fmt: skip
def test_english_words_that_mean_one_thing(one: str, other: str) -> None:
    assert extract_stems(one, "en") == extract_stems(other, "en") != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tarjeta", "tarjetas"), ("cancelar", "cancelación"), ("cancelo", "cancelarla"),
        ("cuesta", "costar"), ("cierro", "cerrar"), ("robado", "robaron"), ("límite", "limites"),
        ("transferir", "transferencia"), ("transfiero", "transferencias"), ("llegará", "llegar"),
        ("comisión", "comisiones"), ("bloquear", "bloqueada"), ("EXTRANJERO", "extranjera"),
    ],
)  # fmt: skip
def test_spanish_words_that_mean_one_thing(one: str, other: str) -> None:
    assert extract_stems(one, "es") == extract_stems(other, "es") != []


@pytest.mark.parametrize(
    ("one", "other"),
    [("block", "unblock"), ("credit", "debit"), ("loan", "loss"), ("open", "operate")],
)
def test_words_that_mean_two_things(one: str, other: str) -> None:
    assert extract_stems(one, "en") != extract_stems(other, "en")


def test_fillers_are_left_out_unless_there_is_nothing_else() -> None:
    assert extract_stems("Please, could you tell me what the fee is?", "en") == ["what", "fee"]
    assert extract_stems("¿Me puede decir cuál es la comisión, por favor?", "es") == [
        "cual",
        "comision",
    ]
    assert extract_stems("Are you there?", "en") == ["are", "you", "ther"]


def test_each_word_counts_once() -> None:
    assert extract_stems("fees, fees and a fee", "en") == ["fee"]


def test_other_languages_are_taken_word_by_word() -> None:
    assert extract_stems("Quels sont les frais", "fr") == ["quels", "sont", "les", "frais"]
    assert extract_stems("fees", "en-GB") == ["fee"]


@pytest.mark.parametrize("text", ["", "?!", "___", "👍", "\u0301"])
def test_signs_are_no_words(text: str) -> None:
    assert split_words(text) == []
    assert extract_stems(text, "en") == []


def test_a_question_without_end_stays_bounded() -> None:
    assert len(split_words("x" * 100_000)[0]) < 100
    assert MAX_WORDS < 100


def test_words_that_ask_and_words_that_say_nothing_are_fillers_in_both_languages() -> None:
    spanish = find_language("es")
    assert all(is_filler(word, spanish) for word in ("what", "the", "cuanto", "por", "please"))
    assert not is_filler("fee", spanish)
    assert not is_filler("cuanto", find_language("en"))
