"""Coverage: what a test goes through counts only where the test looks."""

import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from soni.testing import run_tests
from soni.testing.coverage import Coverage, measure_folder

ASSISTANT = """\
responses:
  thanks: Thank you.
  error: Something broke.
slots:
  size: {type: integer, prompt: Which size?, required: false}
flows:
  buy:
    trigger: {examples: [buy]}
    on_error: broken
    steps:
      - collect: size
        on_skip: thank
      - step: which
        branch:
          - {condition: size > 5, then: check}
          - {condition: size > 3, then: check}
      - step: small
        say: Small.
        when: size < 3
      - step: check
        action: price
      - step: sure
        confirm: Sure?
      - step: again
        while: (n or 0) < 2
        do:
          - {step: count, set: {n: "{{ (n or 0) + 1 }}"}}
      - step: thank
        type: say
        response: thanks
        jump_to: end
      - step: broken
        say: No price.
  idle:
    trigger: {examples: [idle]}
    steps:
      - say: Hm.
"""
ACTIONS = """\
from soni import action

@action
def price(size):
    return {"price": size}
"""
ALL_ARMS = [
    "buy.collect_size: goes on",
    "buy.collect_size: on_skip",
    "buy.which: size > 5",
    "buy.which: size > 3",
    "buy.which: else",
    "buy.small: when holds",
    "buy.small: when does not hold",
    "buy.sure: on_yes",
    "buy.sure: on_no",
    "buy.again: do",
    "buy.again: exit",
    "buy: on_error",
]

Covered = Callable[[str], Awaitable[Coverage]]


@pytest.fixture
def covered(tmp_path: Path) -> Covered:
    (tmp_path / "soni.yaml").write_text(ASSISTANT)
    (tmp_path / "actions.py").write_text(ACTIONS)

    async def run(turns: str) -> Coverage:
        text = "tests:\n  - name: x\n    turns:\n" + textwrap.indent(turns, "      ")
        (tmp_path / "x.test.yaml").write_text(text)
        return measure_folder(tmp_path, await run_tests(tmp_path))

    return run


def taken(coverage: Coverage) -> list[str]:
    return [part.name for part in coverage.arms if part.covered]


def reached(coverage: Coverage) -> list[str]:
    return [part.name.removeprefix("buy.") for part in coverage.steps if part.covered]


START = (
    "- {user: buy, commands: [{StartFlow: {flow_name: buy, slots: {size: %d}}}], expect: {%s}}\n"
)


async def test_every_way_on_is_an_arm_and_has_its_place(covered: Covered) -> None:
    coverage = await covered("- {user: idle}\n")
    assert [part.name for part in coverage.arms] == ALL_ARMS
    assert [part.where for part in coverage.arms] == [
        "soni.yaml:11",
        "soni.yaml:12",
        "soni.yaml:15",
        "soni.yaml:16",
        "soni.yaml:13",
        "soni.yaml:19",
        "soni.yaml:19",
        "soni.yaml:22",
        "soni.yaml:22",
        "soni.yaml:26",
        "soni.yaml:24",
        "soni.yaml:9",
    ]


async def test_a_turn_of_which_nothing_is_expected_covers_nothing(covered: Covered) -> None:
    coverage = await covered("- {user: idle}\n")
    assert [part.covered for part in coverage.flows] == [False, False]
    assert coverage.percent == 0
    coverage = await covered("- {user: idle, expect: {flow: null}}\n")
    assert [part.covered for part in coverage.flows] == [False, True]


async def test_a_failed_test_covers_what_it_saw(covered: Covered) -> None:
    coverage = await covered("- {user: idle, expect: {bot: [Other.]}}\n")
    assert [part.covered for part in coverage.flows] == [False, True]


async def test_of_a_branch_only_the_arm_that_was_taken_counts(covered: Covered) -> None:
    # Both arms lead to the same step.
    coverage = await covered(START % (4, "flow: buy"))
    assert taken(coverage) == ["buy.collect_size: goes on", "buy.which: size > 3"]
    coverage = await covered(START % (3, "flow: buy"))
    assert taken(coverage) == [
        "buy.collect_size: goes on",
        "buy.which: else",
        "buy.small: when does not hold",
    ]
    assert "small" not in reached(coverage)


async def test_yes_the_loop_and_its_end_are_arms(covered: Covered) -> None:
    coverage = await covered(
        START % (2, "flow: buy") + "- {user: 'yes', commands: [AffirmConfirmation], expect: {bot:"
        " [Thank you.]}}\n"
    )
    assert set(ALL_ARMS) - set(taken(coverage)) == {
        "buy.collect_size: on_skip",
        "buy.which: size > 5",
        "buy.which: size > 3",
        "buy.small: when does not hold",
        "buy.sure: on_no",
        "buy: on_error",
    }
    assert [part.covered for part in coverage.responses] == [True, False]


async def test_a_case_may_have_any_name(covered: Covered, tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text(
        "flows:\n  pick:\n    trigger: {examples: [pick]}\n    steps:\n"
        "      - {type: branch, input: size, cases: {runs: end, skipped: end, goes on: end}}\n"
    )
    coverage = await covered("- {user: pick, expect: {flow: null}}\n")
    assert [name for name in taken(coverage) if name.startswith("pick")] == ["pick.branch: else"]


async def test_no_counts_whether_it_asks_for_a_change_or_names_it(covered: Covered) -> None:
    for no in ("DenyConfirmation", "{DenyConfirmation: {slot_to_change: size}}"):
        coverage = await covered(
            START % (2, "flow: buy") + f"- {{user: no, commands: [{no}], expect: {{flow: buy}}}}\n"
        )
        assert "buy.sure: on_no" in taken(coverage)
        assert "buy.sure: on_yes" not in taken(coverage)


async def test_the_flows_way_out_and_a_skip_count(covered: Covered) -> None:
    failing = START.replace("expect", "stubs: {price: {error: down}}, expect")
    coverage = await covered(failing % (2, "bot: [Small., No price.]"))
    assert "buy: on_error" in taken(coverage)
    coverage = await covered(
        "- {user: buy}\n- {user: skip, commands: [SkipSlot], expect: {flow: null}}\n"
    )
    assert taken(coverage) == ["buy.collect_size: on_skip"]


async def test_inside_of_what_is_missing_nothing_more_is_told(covered: Covered) -> None:
    coverage = await covered("- {user: buy, expect: {flow: buy}}\n")
    told = {title: [part.name for part in parts] for title, parts in coverage.iter_missing()}
    assert told == {
        "flows that no test runs": ["idle"],
        "steps that no test reaches": [
            "buy.which",
            "buy.small",
            "buy.check",
            "buy.sure",
            "buy.again",
            "buy.count",
            "buy.thank",
            "buy.broken",
        ],
        "arms that no test takes": [
            "buy.collect_size: goes on",
            "buy.collect_size: on_skip",
            "buy: on_error",
        ],
        "responses that no test hears": ["thanks", "error"],
    }
