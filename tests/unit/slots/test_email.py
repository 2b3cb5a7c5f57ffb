"""email: an address by its form; no server is asked."""

import pytest

from soni.slots import slot_types

REFUSED = "invalid_email"


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("ann@example.com", "ann@example.com"),
        (" Ann@Example.COM ", "Ann@example.com"),
        ("ann+news@mail.example.org", "ann+news@mail.example.org"),
        ("josé@example.com", "josé@example.com"),
        ("ann@ñandú.es", "ann@ñandú.es"),
        ("ann", REFUSED),
        ("ann@example", REFUSED),
        ("ann@@example.com", REFUSED),
        ("ann smith@example.com", REFUSED),
        ("Ann <ann@example.com>", REFUSED),
        ("ann@exam\u202eple.com", REFUSED),
        ("a" * 250 + "@example.com", REFUSED),
        ("", REFUSED),
        (5, REFUSED),
    ],
)
def test_addresses_are_stored_in_their_normal_form(coerce, said, stored):
    assert coerce("email", said) == stored


def test_it_is_shown_as_it_is():
    assert slot_types()["email"].show("ann@example.com", "es") == "ann@example.com"
