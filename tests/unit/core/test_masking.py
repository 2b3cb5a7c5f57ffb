"""Sensitive values are cut out of whatever is stored or shown."""

import gc
from typing import Any

import pytest

from soni.core.constants import MASK
from soni.core.masking import mask_slots, mask_text, mask_value


@pytest.mark.parametrize(
    ("text", "secrets", "shown"),
    [
        ("my pin is 1234", ["1234"], f"my pin is {MASK}"),
        ("HUNTER and Hunter", ["hunter"], f"{MASK} and {MASK}"),
        ("costs 1.5 (or 1x5)", [1.5], f"costs {MASK} (or 1x5)"),
        ("a+b", ["a+b"], MASK),
        ("İzmir İ 12, İ12", ["12"], f"İzmir İ {MASK}, İ{MASK}"),
        ("nothing here", [None, ""], "nothing here"),
        ("nothing here", [], "nothing here"),
    ],
)
def test_a_text_loses_its_secrets(text: str, secrets: list[Any], shown: str) -> None:
    assert mask_text(text, secrets) == shown


def test_a_secret_is_not_kept_by_who_masks_it() -> None:
    secret = "".join(["47", "11", "0815"])

    mask_text(f"my card is {secret}, really", [secret])

    gc.collect()
    others = [text for held in gc.get_objects() for text in gc.get_referents(held)]
    assert not [x for x in others if isinstance(x, str) and x is not secret and secret in x]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234, MASK),
        ("1234", MASK),
        (12, 12),
        (None, None),
        ("call 1234", f"call {MASK}"),
        (["x", {"deep": 1234}], ["x", {"deep": MASK}]),
    ],
)
def test_plain_data_loses_its_secrets_at_any_depth(value: Any, shown: Any) -> None:
    assert mask_value(value, [1234, None]) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"amount": 52000, "currency": "EUR"}, {"amount": MASK, "currency": MASK}),
        (52000, MASK),
        ("earns 52000 eur", f"earns {MASK} {MASK}"),
        (["Rome", "Oslo"], [MASK, "Oslo"]),
        (7, 7),
    ],
)
def test_a_part_of_a_sensitive_value_is_as_secret_as_that(value: Any, shown: Any) -> None:
    secrets = [{"amount": 52000, "currency": "EUR"}, [{"city": "Rome"}]]
    assert mask_value(value, secrets) == shown


def test_a_copy_of_a_sensitive_slot_is_as_secret_as_that() -> None:
    slots = {"pin": "1234", "copy": "1234", "amount": 5, "note": "pin 1234", "empty": None}
    assert mask_slots(slots, lambda name: name == "pin") == {
        "pin": MASK,
        "copy": MASK,
        "amount": 5,
        "note": f"pin {MASK}",
        "empty": None,
    }
