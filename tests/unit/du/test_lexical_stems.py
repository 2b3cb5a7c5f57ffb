"""Spanish words are the same word in all their forms, and foreign to each other otherwise."""

import pytest

from soni.du.local.lexical.stems import fold_text, stem_text, stem_word, translate_stem
from soni.language import find_language

SPANISH = find_language("es")


@pytest.mark.parametrize(
    "forms",
    ["recoger recojo recogida recogerlo", "pagar pague pago pagarla", "cortar corte cortarme",
     "reparar reparación reparan", "lavar lávenmelo lavado lávamelo lavadlo", "cita citas",
     "empadronarme empadronamiento empadronarse", "alquilar alquiler alquilo", "buscar busque",
     "reservar reserva reservaría", "cambiar cambio cambien", "factura facturas facturación"],
)  # fmt: skip
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem_word(fold_text(word), SPANISH) for word in forms.split()}) == 1


@pytest.mark.parametrize("words", ["cita cena", "mesa misa", "tarjeta taller", "grúa grupo"])
def test_other_words_have_other_stems(words: str) -> None:
    assert len({stem_word(fold_text(word), SPANISH) for word in words.split()}) == 2


def test_words_that_say_nothing_do_not_count() -> None:
    assert stem_text("quiero que me lo hagas para el jueves, por favor", SPANISH) <= {"hag"}
    assert stem_text("", SPANISH) == frozenset()


def test_a_word_of_services_is_known_in_english() -> None:
    assert "appointment" in translate_stem(stem_word("citas", SPANISH), SPANISH)
    assert translate_stem(stem_word("xyzzy", SPANISH), SPANISH) == frozenset()
