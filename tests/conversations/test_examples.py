"""The examples' own conversation tests."""

from pathlib import Path

import pytest

from soni.config.load import examine
from soni.testing import ConversationTest, Suite
from soni.testing.coverage import coverage_of_folder

EXAMPLES = Path(__file__).parents[2] / "examples"
TESTS = [
    pytest.param(test, id=f"{folder.name}: {test.name}")
    for folder in sorted(EXAMPLES.iterdir())
    if folder.is_dir()
    for test in Suite.load(folder)
]


@pytest.mark.parametrize("test", TESTS)
async def test_an_example_talks_as_its_tests_say(test: ConversationTest) -> None:
    result = await test.run()
    assert result.error is None
    assert result.mismatches == [], result.where


@pytest.mark.parametrize("name", ["bank", "travel"])
async def test_an_example_has_tests_for_everything_in_it(name: str) -> None:
    folder = EXAMPLES / name
    tests = list(Suite.load(folder))
    assert len(tests) >= 45
    covered = coverage_of_folder(folder, [await test.run() for test in tests])
    assert list(covered.missing()) == []


@pytest.mark.parametrize("name", ["bank", "travel"])
def test_an_example_has_nothing_to_warn_of(name: str) -> None:
    assert examine(EXAMPLES / name).problems == []
