"""Several processes run a suite as one would."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from soni.testing.parallel import Selection, choose_process_count, run_suite

TESTS = "tests:\n" + "".join(
    f"  - {{name: sells {n}, turns: [{{user: buy something}}, {{user: tea, expect: {wanted}}}]}}\n"
    for n, wanted in enumerate(["{flow: buy}", "{flow: ask}"] * 4)
)


@pytest.mark.parametrize("processes", [1, 3])
def test_the_results_are_the_same_and_in_order(shop: Callable[..., Path], processes: int) -> None:
    choice = Selection(shop(TESTS))
    results = list(run_suite(choice.load_suite(), choice, processes))
    assert [result.name for result in results] == [f"sells {n}" for n in range(8)]
    assert [result.passed for result in results] == [True, False] * 4
    assert results[1].where == "tests/shop.test.yaml:3"
    assert results[1].mismatches[0].got == "buy"
    assert results[0].steps[0] == {"flow": "buy", "step": "collect_item", "to": "collect_count"}


def test_only_the_chosen_tests_run(shop: Callable[..., Path]) -> None:
    choice = Selection(shop(TESTS), "sells 2")
    assert [result.name for result in run_suite(choice.load_suite(), choice, 2)] == ["sells 2"]


def test_a_process_that_dies_fails_its_tests_and_no_others(shop: Callable[..., Path]) -> None:
    folder = shop("""
        tests:
          - {name: a, turns: [{user: how much was sold, expect: {flow: null}}]}
          - {name: b, turns: [{user: buy something, expect: {flow: buy}}]}
          - {name: c, turns: [{user: how much was sold}]}
        """)
    actions = folder / "actions.py"
    dying = f"import os\n    os.getpid() == {os.getpid()} or os._exit(1)"
    actions.write_text(
        actions.read_text().replace("async def total():", f"async def total():\n    {dying}")
    )
    choice = Selection(folder)
    results = list(run_suite(choice.load_suite(), choice, 2))
    assert [(result.name, result.error) for result in results] == [
        ("a", "the process that ran it has ended"),
        ("b", None),
        ("c", "the process that ran it has ended"),
    ]


def test_a_small_suite_stays_in_one_process() -> None:
    assert choose_process_count(10, None) == 1
    assert choose_process_count(10, 4) == 4
    assert choose_process_count(3, 8) == 3
    assert 1 <= choose_process_count(100_000, None) <= (os.cpu_count() or 1)
