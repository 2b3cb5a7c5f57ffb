"""The figures of an evaluation, worked out by hand."""

import pytest

from soni.testing.evaluate import Figures, Outcome
from soni.testing.evaluate.calibration import Calibration
from soni.testing.evaluate.meaning import Unit
from soni.testing.evaluate.sample import Reading, Sample, Share

YES, NO = Unit("AffirmConfirmation"), Unit("DenyConfirmation")
SEND, LOOK = Unit("StartFlow", "transfer"), Unit("StartFlow", "balance")


def amount(value: int, kind: str = "SetSlot") -> Unit:
    return Unit(kind, "transfer.amount", str(value))


def reading(
    expected: list[Unit],
    got: list[Unit],
    *,
    text: str = "x",
    moment: str = "idle",
    confidence: float = 1.0,
    seconds: float = 0.01,
    error: str | None = None,
) -> Reading:
    sample = Sample(text, (), f"{moment}.yaml", 1, moment)
    return Reading(sample, frozenset(expected), frozenset(got), confidence, seconds, error)


def figures(*readings: Reading) -> Figures:
    return Figures(Outcome(readings, ()))


def test_a_share_has_an_interval() -> None:
    low, high = Share(81, 100).interval or (0, 0)
    # Wilson's interval as the textbooks give it.
    assert (round(low, 4), round(high, 4)) == (0.7222, 0.8749)
    assert Share(0, 0).interval is None
    assert Share(0, 0).value is None
    low, high = Share(10, 10).interval or (0, 0)
    assert round(low, 4) == 0.7225
    assert high == 1


def test_commands_are_counted_by_type() -> None:
    found = figures(
        reading([SEND, amount(50)], [SEND, amount(50)]),
        reading([SEND, amount(50)], [SEND, amount(60)]),
        reading([YES], []),
        reading([], [amount(1)]),
    )
    assert found.exact == Share(1, 4)
    assert found.types["StartFlow"].to_dict() == {
        **{"meant": 2, "right": 2, "extra": 0, "missed": 0},
        **{"precision": 1.0, "recall": 1.0, "f1": 1.0},
    }
    slots = found.types["SetSlot"]
    assert (slots.right, slots.extra, slots.missed) == (1, 2, 1)
    assert (slots.precision, slots.recall, slots.f1) == (1 / 3, 1 / 2, 2 / 5)
    assert found.types["AffirmConfirmation"].precision is None
    assert found.types["AffirmConfirmation"].f1 == 0
    assert (found.commands.right, found.commands.extra, found.commands.missed) == (3, 2, 2)


def test_what_was_taken_for_what_is_told_most_frequent_first() -> None:
    found = figures(
        reading([YES], [NO], text="a"),
        reading([YES], [NO], text="b"),
        reading([SEND], [LOOK]),
        reading([NO], []),
        reading([], [YES]),
        reading([amount(1, "CorrectSlot")], [YES, amount(1)]),
        reading([amount(1)], [amount(2)]),
    )
    told = [(each.expected, each.got, each.count) for each in found.confusions]
    assert told == [
        ("AffirmConfirmation", "DenyConfirmation", 2),
        ("nothing", "AffirmConfirmation", 2),
        ("CorrectSlot", "SetSlot", 1),
        ("DenyConfirmation", "nothing", 1),
        ("StartFlow transfer", "StartFlow balance", 1),
    ]
    assert [each.sample.text for each in found.confusions[0].examples] == ["a", "b"]
    [value] = found.wrong_values
    assert (value.expected, value.got, value.count) == ("transfer.amount 1", "2", 1)


def test_confidence_is_measured_by_what_was_right() -> None:
    right, wrong = ([YES], [YES]), ([YES], [NO])
    calibration = Calibration.from_readings(
        [
            reading(*right, confidence=0.95),
            reading(*right, confidence=1.0),
            reading(*wrong, confidence=0.25),
            reading(*right, confidence=0.25),
        ]
    )
    bins = [(b.low, b.high, b.count, b.confidence, b.right) for b in calibration.bins]
    assert bins == [(0.2, 0.3, 2, 0.25, 0.5), (0.9, 1.0, 2, 0.975, 1.0)]
    assert calibration.error == pytest.approx((2 * 0.25 + 2 * 0.025) / 4)
    # Of the three that are right two are surer than the wrong one, the third is just as sure.
    assert calibration.auroc == pytest.approx(2.5 / 3)
    assert Calibration.from_readings([]).error is None
    assert Calibration.from_readings([reading(*right)]).auroc is None


def test_places_and_times_are_told() -> None:
    found = figures(
        reading([YES], [YES], moment="confirm", seconds=0.02, text="quick"),
        reading([YES], [NO], moment="confirm", seconds=0.5, text="slow"),
        reading([SEND], [SEND], seconds=0.03, text="between"),
        reading([SEND], [], error="broken", seconds=0.0, text="never"),
    )
    assert found.files == {"confirm.yaml": Share(1, 2), "idle.yaml": Share(1, 2)}
    assert found.moments["confirm.yaml", "confirm"] == Share(1, 2)
    assert [each.sample.text for each in found.slowest] == ["slow", "between", "quick", "never"]
    assert (found.compute_percentile(0.5), found.compute_percentile(0.95)) == (0.03, 0.5)
    assert found.total_failed == 1


def test_figures_without_sentences_hold_nothing_that_was_said() -> None:
    found = figures(reading([amount(1)], [amount(77)], text="secret words"))
    assert "secret words" in str(found.to_dict())
    told = str(found.to_dict(sentences=False))
    assert "secret" not in told
    assert "77" not in told
    assert found.to_dict(sentences=False)["exact"] == {
        **{"count": 0, "total": 1, "share": 0.0},
        "interval": [0.0, pytest.approx(0.7935, abs=1e-4)],
    }


def test_an_empty_outcome_has_figures_too() -> None:
    found = figures()
    assert found.exact.value is None
    assert found.compute_percentile(0.5) is None
    assert found.to_dict()["calibration"] == {"expected_error": None, "auroc": None, "bins": []}
