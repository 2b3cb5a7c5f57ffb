"""What was seen takes the place of what was expected, and nothing else changes."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from soni.testing import Suite
from soni.testing.update import rewrite_expectations, write_back

Write = Callable[..., Path]

BEFORE = """\
# Tests of the shop.
tests:
  - name: buys   # the usual way
    context: {name: Ann}
    turns:
      - user: buy something
        expect: {bot: [What?], flow: buy}     # the question
      - user: tea
        expect:
          slots: {item: coffee, count: null}
          contains:
            - How
            - much
          # and the state
          state: idle
      - user: "2"
        expect:
          bot:
            - Bye.
          actions: []

  - name: offers
    turns:
      - user: to the checkout
        expect:
          ui: {options: [M]}
          not_contains: [size, Hello]
          matches: [^x, size]
"""
AFTER = """\
# Tests of the shop.
tests:
  - name: buys   # the usual way
    context: {name: Ann}
    turns:
      - user: buy something
        expect: {bot: [What would you like?], flow: buy}     # the question
      - user: tea
        expect:
          slots: {item: tea, count: null}
          contains:
            - How
            - How many?
          # and the state
          state: waiting_for_slot
      - user: "2"
        expect:
          bot:
            - Order 1 for Ann.
          actions: [order]

  - name: offers
    turns:
      - user: to the checkout
        expect:
          ui: {options: [S, Large]}
          not_contains: [Hello]
          matches: [size, "^Which size\\\\?$", "^1\\\\. S$", "^2\\\\. Large$"]
"""


async def updated(folder: Path) -> str:
    suite = Suite.load(folder)
    results = [result async for result in suite.run(to_end=True)]
    [file] = rewrite_expectations(zip(suite.tests, results, strict=True), suite.config)
    assert file.after is not None
    assert file.file == "tests/shop.test.yaml"
    write_back(folder / file.file, file.after)
    return file.after


async def test_only_what_did_not_hold_is_rewritten(shop: Write) -> None:
    folder = shop(BEFORE)
    assert await updated(folder) == AFTER
    assert all([result.passed async for result in Suite.load(folder).run()])


async def test_a_secret_is_not_written_down(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: unlocks
            turns:
              - user: unlock
              - {user: "1234", expect: {slots: {pin: "9999", city: Paris}}}
        """)
    after = await updated(folder)
    assert 'slots: {pin: "9999", city: Rome}' in after
    assert "1234" not in after.replace('user: "1234"', "")


async def test_line_ends_and_the_mark_at_the_beginning_stay(shop: Write) -> None:
    folder = shop("tests: []")
    file = folder / "tests" / "shop.test.yaml"
    text = "tests:\r\n- name: x\r\n  turns:\r\n  - {user: buy something, expect: {flow: ask}}\r\n"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    await updated(folder)
    assert file.read_bytes() == b"\xef\xbb\xbf" + text.replace("flow: ask", "flow: buy").encode()


async def test_what_an_alias_stands_for_is_left_to_its_author(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: a
            turns: [{user: buy something, expect: {bot: &asked [What?]}}]
          - name: b
            turns: [{user: buy something, expect: {bot: *asked}}]
        """)
    suite = Suite.load(folder)
    results = [result async for result in suite.run(to_end=True)]
    [file] = rewrite_expectations(zip(suite.tests, results, strict=True), suite.config)
    assert (file.after, file.count) == (None, 2)


@pytest.mark.parametrize("shown", ["ui: null", "handoff: null"])
async def test_what_was_not_expected_at_all_is_expected_then(shop: Write, shown: str) -> None:
    folder = shop(
        textwrap.dedent("""
        tests:
          - name: x
            turns:
              - user: to the checkout
              - user: a person, please
                commands: [HumanHandoff]
                expect: {handoff: null}
          - name: y
            turns:
              - {user: to the checkout, expect: {ui: null}}
        """)
    )
    after = await updated(folder)
    assert shown not in after
    assert all([result.passed async for result in Suite.load(folder).run()])
