"""The examples' own conversation tests, and what running them twice shows."""

from pathlib import Path
from random import Random

import pytest

from soni.config.load import examine_assistant
from soni.testing import ConversationTest, Result, Suite
from soni.testing.coverage import measure_folder
from tests.depth import IS_FULL, choose_count

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = sorted(folder.name for folder in EXAMPLES.iterdir() if folder.is_dir())


async def _run(tests: list[ConversationTest]) -> dict[str, Result]:
    return {test.name: await test.run() for test in tests}


@pytest.mark.parametrize("name", ALL)
async def test_an_example_talks_as_its_tests_say_in_whatever_order(name: str) -> None:
    tests = list(Suite.load(EXAMPLES / name))
    assert len(tests) >= 45
    tests = tests[:: choose_count(2, 1)]
    results = await _run(tests)
    failed = {test: (result.where, result.error, result.mismatches)
              for test, result in results.items() if not result.passed}  # fmt: skip
    assert failed == {}
    if IS_FULL:
        assert list(measure_folder(EXAMPLES / name, results.values()).iter_missing()) == []
    # Some of them are enough to meet what another one left behind.
    Random(7).shuffle(tests)
    again = await _run(tests[::15])
    assert {test: result.transcript for test, result in again.items()} == {
        test: results[test].transcript for test in again
    }


@pytest.mark.parametrize("name", ALL)
def test_an_example_has_nothing_to_warn_of(name: str) -> None:
    assert examine_assistant(EXAMPLES / name).problems == []


def test_both_examples_are_there() -> None:
    assert ALL == ["bank", "travel"]
