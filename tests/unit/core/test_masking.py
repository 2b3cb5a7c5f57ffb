"""Sensitive values are cut out of whatever is stored or shown."""

import gc
from typing import Any

import pytest

from soni.core.constants import MASK
from soni.core.masking import (
    find_derived,
    find_held_secrets,
    mask_quoted,
    mask_quotes,
    mask_slots,
    mask_text,
    mask_value,
)


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


@pytest.mark.parametrize(
    ("text", "secrets", "shown"),
    [
        ("T-Hunter22!", ["hunter22"], f"T-{MASK}!"),
        ("xhunter22y", ["hunter22"], f"x{MASK}y"),
        ("1 of 15, T-1, x1", [1], f"{MASK} of 15, T-{MASK}, x1"),
        ("abcd ab", ["ab", "abcd"], f"{MASK} {MASK}"),
        ("50 euros", [{"amount": 50, "currency": None}], f"{MASK} euros"),
        ("nothing", ["", None], "nothing"),
    ],
)
def test_what_was_said_is_masked_but_not_by_a_short_secret_inside_of_a_word(
    text: str, secrets: list[Any], shown: str
) -> None:
    assert mask_quotes(text, secrets) == shown
    assert mask_quoted({"text": text, "ui": [text, 1]}, secrets) == {
        "text": shown,
        "ui": [shown, 1],
    }


def test_slots_that_quote_a_secret_are_known_by_name_until_they_are_empty() -> None:
    state: dict[str, Any] = {
        "conversation_slots": {"code": "T-hunter22", "city": "Rome", "pin": "hunter22"},
        "flow_slots": {"f1": {"copy": ["hunter22"], "short": "1"}},
        "metadata": {},
    }

    def is_pin(name: str) -> bool:
        return name == "pin"

    derived = find_derived(state, ["hunter22", "1"], is_pin)
    assert derived == {"": ["code"], "f1": ["copy"]}
    later = {**state, "flow_slots": {}, "metadata": {"derived": derived}}
    assert find_held_secrets(later, is_pin) == ["hunter22", "T-hunter22"]
    assert find_derived(later, [], is_pin) == {"": ["code"]}
    empty = {**later, "conversation_slots": {"code": None}}
    assert find_derived(empty, [], is_pin) == {}
