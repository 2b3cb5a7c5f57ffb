"""boolean: yes or no."""

import pytest

from soni.slots import slot_types


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        (True, "en", True),
        (False, "en", False),
        ("yes", "en", True),
        (" No ", "en", False),
        ("TRUE", "en", True),
        ("sí", "es", True),
        ("si", "es", True),
        ("yes", "es", True),
        ("falso", "es", False),
        ("sí", "en", "invalid_boolean"),
        ("perhaps", "en", "invalid_boolean"),
        (1, "en", "invalid_boolean"),
    ],
)
def test_the_words_of_the_language_are_taken(coerce, said, language, stored):
    found = coerce("boolean", said, language)
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize(
    ("stored", "language", "shown"),
    [(True, "en", "yes"), (False, "en", "no"), (True, "es", "sí"), (False, "fr", "no")],
)
def test_it_is_shown_as_yes_or_no(stored, language, shown):
    assert slot_types()["boolean"].show(stored, language) == shown
