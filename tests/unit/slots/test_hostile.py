"""Whatever is put into a slot: a value of its type, or a refusal."""

import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soni.config.slot import SlotConfig
from soni.core.errors import Refusal
from soni.core.filters import FILTERS
from soni.slots import SlotEnv, slot_types
from tests.depth import choose_count

KINDS = sorted(slot_types())
NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
WORDS = re.findall(
    r"\S+",
    """
    in ago next last friday march 5 12 30 31 2026 29 february : . , - / + $ € EUR dollars pm am
    at half past quarter to noon tomorrow morning hours h m s and a y media cuarto menos de la
    tarde mañana viernes que viene próximo dentro hace dos veinte mil second th º P T PT1H T10:00
    0 1 00 99 999999999 60 @ example.com +34 600123456 yes no two \u0661 ² ½ \u202e \x00 \ud800
""",
)

said = st.lists(st.sampled_from(WORDS), max_size=8).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.text()
    | said
    | st.dates()
    | st.times()
    | st.datetimes()
    | st.datetimes(timezones=st.timezones())
    | st.timedeltas()
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.integers() | st.sampled_from(["amount", "currency"]), inner
        )
    ),
    max_leaves=10,
)


def settle(kind, value, language):
    """The stored value, checked from every side; None if it is refused."""
    slot = SlotConfig(type=kind, values={"small": ("s", "2"), "large": ("l",)})
    env, type_ = SlotEnv(NOW, language), slot_types()[kind]
    try:
        stored = type_.coerce(value, slot, env)
    except Refusal:
        return None
    assert type_.check(stored, slot)
    assert type_.coerce(stored, slot, env) == stored
    assert type_.revive(stored) is not None
    for shown_in in ("en", "es"):
        assert isinstance(type_.show(stored, shown_in), str)
        for name in FILTERS:
            assert isinstance(FILTERS[name](stored, shown_in), str)
    return stored


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "es"])
@settings(max_examples=choose_count(30, 100), deadline=None)
@given(value=said | values)
def test_a_value_is_taken_or_refused_and_nothing_else(kind, language, value):
    stored = settle(kind, value, language)
    assert stored is None or settle(kind, stored, language) == stored


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "value",
    [
        "x" * 10_000_000,
        " " * 10_000_000,
        "1" * 10_000_000,
        "1 " * 5_000_000,
        "friday " * 1_000_000,
        10**5000,
        -(10**5000),
        Decimal("1E+999999"),
        Decimal("sNaN"),
        float("inf"),
        ["a"] * 1_000_000,
        [["a"] * 100] * 100,
        {"amount": "9" * 1_000_000, "currency": "x" * 1_000_000},
        {"amount": Decimal("sNaN"), "currency": "EUR"},
        timedelta.max,
        timedelta.min,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_far_too_large_is_refused(kind, value):
    spaces = isinstance(value, str) and not value.strip()
    # Nothing but space is an empty text, and that is a text.
    assert settle(kind, value, "en") == ("" if spaces and kind in ("string", "text") else None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edge", ["min", "max"])
@pytest.mark.parametrize(
    ("of", "takers"),
    [(date, ["date"]), (datetime, ["date", "datetime", "time"]), (time, ["time"]), (timedelta, [])],
)
def test_the_ends_of_time_do_no_harm(kind, edge, of, takers):
    taken = settle(kind, getattr(of, edge), "en") is not None
    assert taken == (kind in takers)


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_language_is_read_and_shown_as_english(kind):
    for value in ("2 March 2026", "5 pm", "tomorrow at 5 pm", "2 hours", "$5", "two", "yes", [1]):
        stored = settle(kind, value, "xx")
        assert stored == settle(kind, value, "en")
