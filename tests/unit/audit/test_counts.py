"""Counting that does not grow."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from soni.audit.report.counts import Histogram, IntegerHistogram, Timeline, TopCounter


def test_the_most_frequent_come_first_and_ties_by_their_letters() -> None:
    top = TopCounter()
    for text in ("b", "a", "c", "a", "b", "d"):
        top.add(text)
    assert top.list_most(3) == [("a", 2), ("b", 2), ("c", 1)]
    assert top.total == 6


@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=200))
def test_a_frequent_text_is_never_lost(texts: list[str]) -> None:
    top = TopCounter(capacity=4)
    for text in texts:
        top.add(text)
    kept = dict(top.list_most(4))
    assert len(kept) <= 4
    for text in set(texts):
        if texts.count(text) > len(texts) / 4:
            assert kept[text] >= texts.count(text)


@given(st.lists(st.floats(min_value=1e-5, max_value=1e5), min_size=1, max_size=100))
def test_percentiles_are_within_five_percent(numbers: list[float]) -> None:
    spread = Histogram()
    for number in numbers:
        spread.add(number)
    ordered = sorted(numbers)
    for share in (0.01, 0.5, 0.9, 1.0):
        exact = ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]
        found = spread.compute_percentile(share)
        assert found is not None
        assert exact / 1.06 <= found <= exact * 1.06
    assert sum(count for _, count in spread.iter_bars()) == len(numbers)


def test_hostile_numbers_are_held_within_bounds() -> None:
    spread = Histogram()
    for number in (-1.0, 0.0, float("inf"), float("nan"), 1e300):
        spread.add(number)
    assert spread.total == 5
    assert len(list(spread.iter_bars())) <= 25
    assert Histogram().compute_percentile(0.5) is None


def test_sizes_are_exact_up_to_the_largest() -> None:
    sizes = IntegerHistogram()
    for number in (1, 1, 2, 9, 100_000):
        sizes.add(number)
    assert [sizes.compute_percentile(share) for share in (0.2, 0.5, 0.8, 1.0)] == [
        1,
        2,
        9,
        IntegerHistogram.MOST,
    ]
    assert IntegerHistogram().compute_percentile(0.5) is None


def test_days_are_merged_when_there_are_too_many() -> None:
    timeline = Timeline()
    for day in range(1000):
        timeline.add(date(2024, 1, 1) + timedelta(days=day))
    bars = list(timeline.iter_bars())
    assert timeline.days == 16
    assert len(bars) <= Timeline.MOST
    assert sum(count for _, count in bars) == 1000
    assert bars[0][0] <= date(2024, 1, 1)
