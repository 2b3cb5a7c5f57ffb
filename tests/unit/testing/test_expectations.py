"""Each key of `expect`: it holds when it is true, and tells the difference when it is not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soni.testing import Result, run_tests
from soni.testing.case import Expect

# A conversation in which everything that can be expected happens at its last turn.
BUYING = """
tests:
  - name: buys
    context: {{name: Ann}}
    turns:
      - user: buy something
      - user: tea
      - user: "2"
        expect: {expect}
"""
ASKED = """
tests:
  - name: is asked
    turns:
      - user: buy something
      - user: tea
        expect: {expect}
"""

OFFERED = """
tests:
  - name: is offered
    context: {{name: Ann}}
    turns:
      - user: to the checkout
        expect: {expect}
"""
CONFIRMING = """
tests:
  - name: presses
    context: {{name: Ann}}
    turns:
      - user: to the checkout
      - api: {{press: large}}
        expect: {expect}
"""
THANKED = """
tests:
  - name: pays
    context: {{name: Ann}}
    turns:
      - user: to the checkout
      - api: {{press: S}}
      - api: {{press: Yes}}
        expect: {expect}
"""

CASES = [
    (BUYING, "{bot: [Order 1 for Ann.]}", "{bot: [Order 1 for Ann., Bye.]}"),
    (BUYING, "{contains: [Order, Ann]}", "{contains: [Order, Bob]}"),
    (BUYING, "{not_contains: [Bob]}", "{not_contains: [Ann]}"),
    (BUYING, '{matches: ["^Order [0-9]+"]}', '{matches: ["^for"]}'),
    (BUYING, "{flow: null}", "{flow: buy}"),
    (BUYING, "{step: null}", "{step: sorry}"),
    (BUYING, "{stack: []}", "{stack: [buy]}"),
    (BUYING, "{waiting_for: null}", "{waiting_for: count}"),
    (BUYING, "{state: idle}", "{state: completed}"),
    (BUYING, "{actions: [order]}", "{actions: []}"),
    (BUYING, "{actions: [order]}", "{actions: [order, total]}"),
    (BUYING, "{actions: [{order: {item: tea, count: 2}}]}", "{actions: [{order: {item: tea}}]}"),
    (BUYING, "{commands: [SetSlot]}", "{commands: [SetSlot, StartFlow]}"),
    (
        BUYING,
        '{commands: [{SetSlot: {slot_name: count, value: "2"}}]}',
        "{commands: [{SetSlot: {slot_name: count, value: 2}}]}",
    ),
    (BUYING, "{decisions: [{SetSlot: accepted}]}", "{decisions: [{SetSlot: rejected}]}"),
    (BUYING, "{completed: [buy]}", "{completed: []}"),
    (BUYING, "{cancelled: []}", "{cancelled: [buy]}"),
    (BUYING, "{abandoned: []}", "{abandoned: [buy]}"),
    (BUYING, "{handoff: null}", "{handoff: {queue: depot}}"),
    (ASKED, "{flow: buy}", "{flow: null}"),
    (ASKED, "{step: collect_count}", "{step: collect_item}"),
    (ASKED, "{waiting_for: count}", "{waiting_for: null}"),
    (ASKED, "{state: waiting_for_slot}", "{state: idle}"),
    (ASKED, "{slots: {item: tea, count: null}}", "{slots: {item: null}}"),
    (ASKED, "{slots: {}}", "{slots: {item: coffee}}"),
    (OFFERED, "{ui: {type: quick_replies}}", "{ui: {type: buttons}}"),
    (OFFERED, "{ui: {options: [S, Large]}}", "{ui: {options: [S]}}"),
    (OFFERED, "{ui: {options: [S, Large]}}", "{ui: {options: [Large, S]}}"),
    (
        OFFERED,
        "{ui: {options: [S, {label: Large, value: L}], message: Which size?}}",
        "{ui: {options: [S, {label: Large, value: Large}]}}",
    ),
    (OFFERED, "{ui: {}}", "{ui: null}"),
    (CONFIRMING, '{bot: ["Pay for L, Ann?\\n1. Yes\\n2. No"]}', "{bot: []}"),
    (
        CONFIRMING,
        "{ui: {options: [{label: Yes, command: AffirmConfirmation}, No]}}",
        "{ui: {options: [{label: Yes, command: DenyConfirmation}, No]}}",
    ),
    (
        THANKED,
        "{ui: {title: What next?, options: [{label: Again,"
        " command: {StartFlow: {flow_name: buy}}}]}}",
        "{ui: {options: [{label: Again, command: {StartFlow: {flow_name: ask}}}]}}",
    ),
    (ASKED, "{ui: null}", "{ui: {type: buttons}}"),
    # No write would take a count of 0, so it can never be there.
    (ASKED, "{slots: {count: null}}", "{slots: {count: 0}}"),
]


def test_every_expectation_is_tried() -> None:
    tried = {fails[1:].partition(":")[0] for _, _, fails in CASES}
    assert tried == set(Expect.model_fields)


async def ran(folder: Path) -> Result:
    [result] = await run_tests(folder)
    return result


@pytest.mark.parametrize(("conversation", "holds", "fails"), CASES)
async def test_an_expectation_holds_or_fails(
    shop: Callable[[str], Path], conversation: str, holds: str, fails: str
) -> None:
    assert (await ran(shop(conversation.format(expect=holds)))).passed
    failed = await ran(shop(conversation.format(expect=fails)))
    assert [found.what for found in failed.mismatches] == [fails[1:].partition(":")[0]]
    assert failed.mismatches[0].expected != failed.mismatches[0].got


async def test_every_expectation_of_the_first_turn_that_differs_is_compared(
    shop: Callable[[str], Path],
) -> None:
    result = await ran(
        shop("""
        tests:
          - name: wrong
            turns:
              - user: buy something
                expect: {state: idle, flow: ask, bot: [What would you like?]}
              - user: tea
                expect: {flow: unlock}
        """)
    )
    assert [found.what for found in result.mismatches] == ["flow", "state"]
    assert (result.turn, result.where) == (1, "tests/shop.test.yaml:6")
    assert [(line.who, line.text) for line in result.transcript] == [
        ("user", "buy something"),
        ("bot", "What would you like?"),
    ]


async def test_slots_are_coerced_like_writes_and_include_those_of_the_conversation(
    shop: Callable[[str], Path],
) -> None:
    result = await ran(
        shop("""
        tests:
          - name: coerced
            turns:
              - user: two teas
                commands:
                  - StartFlow: {flow_name: unlock, slots: {pin: "12"}}
                expect:
                  slots: {city: Rome, pin: 12}
          """)
    )
    assert result.passed
    result = await ran(
        shop("""
        tests:
          - name: coerced
            turns:
              - user: buy something
              - user: tea
              - user: two
                commands: [{SetSlot: {slot_name: count, value: "0"}}]
                expect: {slots: {count: null}}
              - user: change it
                commands: [{SetSlot: {slot_name: item, value: coffee}}]
                expect: {slots: {item: coffee}}
        """)
    )
    assert result.passed


async def test_sensitive_values_are_masked_in_expected_commands_too(
    shop: Callable[[str], Path],
) -> None:
    tests = """
    tests:
      - name: unlocks
        turns:
          - user: unlock
          - user: "1234"
            expect:
              commands: [{SetSlot: {slot_name: pin, value: "1234"}}]
              bot: ["•••• it is.", What would you like?]
              slots: {pin: "1234"}
    """
    assert (await ran(shop(tests))).passed


async def test_decisions_may_leave_others_out_but_keep_their_order(
    shop: Callable[[str], Path],
) -> None:
    tests = """
    tests:
      - name: decides
        turns:
          - user: "?"
            commands: [AffirmConfirmation, {{StartFlow: {{flow_name: buy}}}}, SkipSlot]
            expect: {{decisions: {decisions}}}
    """
    right = "[{AffirmConfirmation: rejected}, {StartFlow: accepted}]"
    wrong = "[{StartFlow: accepted}, {AffirmConfirmation: rejected}]"
    assert (await ran(shop(tests.format(decisions=right)))).passed
    assert not (await ran(shop(tests.format(decisions=wrong)))).passed


async def test_a_handoff_is_compared_by_the_keys_that_are_written(
    shop: Callable[[str], Path],
) -> None:
    tests = """
    tests:
      - name: hands off
        turns:
          - user: help me
            commands: [{{HumanHandoff: {{reason: lost}}}}]
            expect: {{handoff: {handoff}}}
          - api: release
            expect: {{handoff: null}}
    """
    assert (await ran(shop(tests.format(handoff="{reason: lost, queue: null}")))).passed
    failed = await ran(shop(tests.format(handoff="{queue: depot}")))
    assert failed.mismatches[0].got == {"queue": None}


async def test_the_application_and_the_agent_speak_too(shop: Callable[[str], Path]) -> None:
    tests = """
    tests:
      - name: hands off
        turns:
          - api: {push: "News {item}."}
            expect: {bot: ["News {item}."]}
          - user: help me
            commands: [HumanHandoff]
          - api: {agent_message: This is Bea.}
            expect: {bot: [This is Bea.], handoff: {}}
          - api: {push: More news.}
            expect: {bot: [NEWS]}
    """
    assert (await ran(shop(tests.replace("NEWS", "More news.")))).passed
    failed = await ran(shop(tests.replace("NEWS", "Other news.")))
    assert failed.mismatches[0].got == ["More news."]
    assert [line.text for line in failed.transcript if line.who == "api"] == [
        "push News {item}.",
        "agent_message This is Bea.",
        "push More news.",
    ]
