"""The examples' own conversation tests."""

from pathlib import Path

import pytest

from soni.testing import ConversationTest, Suite

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


def test_the_bank_has_tests_for_each_of_its_flows() -> None:
    assert len(Suite.load(EXAMPLES / "bank")) >= 12
