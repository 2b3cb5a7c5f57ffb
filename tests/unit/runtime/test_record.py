"""What may be recorded of a value."""

from datetime import date, timedelta
from typing import Any

import pytest

from soni.core.constants import MASK
from soni.flow.plain import make_recordable
from soni.runtime.record import RecordMask


class Strange:
    def __str__(self) -> str:
        return "strange"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (date(2026, 3, 2), "2026-03-02"),
        ({1: (timedelta(hours=1), Strange())}, {"1": ["PT1H", "strange"]}),
        (float("nan"), "nan"),
        ([None, True, 1.5], [None, True, 1.5]),
    ],
)
def test_anything_is_plain_data_or_named_as_text(value: Any, plain: Any) -> None:
    assert make_recordable(value) == plain


def test_secrets_are_masked_wherever_they_are() -> None:
    discreet = RecordMask(
        lambda name: name == "pin", ["Hunter2", 4711, {"amount": 520, "of": None}]
    )
    assert discreet.mask_data(
        {
            "pin": "other",
            "note": "it is HUNTER2!",
            "deep": [{"pin": 1, "n": 4711, "text": "4711", "part": 520}],
            "free": [42, "none", None, True],
        }
    ) == {
        "pin": MASK,
        "note": f"it is {MASK}!",
        "deep": [{"pin": MASK, "n": MASK, "text": MASK, "part": MASK}],
        "free": [42, "none", None, True],
    }


def test_a_secret_inside_another_leaves_nothing_standing() -> None:
    assert RecordMask(lambda name: False, ["ab", "abcd"]).mask_words("abcd ab") == f"{MASK} {MASK}"


def test_an_unset_sensitive_value_is_no_secret() -> None:
    discreet = RecordMask(lambda name: True, [None, ""])
    assert discreet.mask_data({"pin": None}) == {"pin": None}
    assert discreet.mask_words("none") == "none"
