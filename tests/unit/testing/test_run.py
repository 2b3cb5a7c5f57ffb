"""What a test's own words do: clock, stubs, context, language, api."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soni import SoniConfig
from soni.testing import Suite, run_tests

Write = Callable[..., Path]


async def outcomes(folder: Path, **options: str) -> dict[str, bool]:
    return {each.name: each.passed for each in await run_tests(folder, **options)}  # type: ignore[arg-type]


async def test_what_one_test_leaves_in_the_module_is_gone_in_the_next(shop: Write) -> None:
    folder = shop("""
        tests:
          - &buy
            name: first
            turns:
              - {user: buy something}
              - {user: tea}
              - {user: "1", expect: {contains: [Order 1]}}
              - {user: how much was sold, expect: {bot: [1 so far.]}}
          - name: second
            turns:
              - {user: how much was sold, expect: {bot: [0 so far.]}}
        """)
    assert await outcomes(folder) == {"first": True, "second": True}


async def test_a_stub_replaces_a_result_or_raises_and_leaves_the_assistant_alone(
    shop: Write,
) -> None:
    folder = shop("""
        tests:
          - name: result
            stubs: {order: {number: 99}}
            turns:
              - {user: buy something}
              - {user: tea}
              - user: "1"
                expect:
                  contains: [Order 99]
                  actions: [{order: {item: tea, count: 1}}]
          - name: error
            stubs: {order: {error: sold_out, message: none left}}
            turns:
              - {user: buy something}
              - {user: tea}
              - {user: "1", expect: {bot: ["No: sold_out, none left"]}}
          - name: error without words
            stubs: {order: {error: timeout}}
            turns:
              - {user: buy something}
              - {user: tea}
              - {user: "1", expect: {bot: ["No: timeout, timeout"]}}
          - name: the real one
            turns:
              - {user: buy something}
              - {user: tea}
              - {user: "1", expect: {contains: [Order 1]}}
        """)
    assert set((await outcomes(folder)).values()) == {True}
    order = SoniConfig.load(folder).functions.actions["order"]
    assert order("tea", 1, None) == {"number": 1}


async def test_the_clock_stands_still_until_a_turn_moves_it(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: in time
            now: 2026-03-02T10:00:00
            turns:
              - {user: buy something}
              - {user: tea, after: 30m, expect: {flow: buy}}
          - name: too late
            turns:
              - {user: buy something}
              - {user: tea, after: 1801s, expect: {abandoned: [buy], flow: null}}
          - name: days and hours
            turns:
              - {user: buy something}
              - {user: tea, after: 0.5h, expect: {flow: buy}}
              - {user: "1", after: 1d, expect: {abandoned: [buy]}}
        """)
    assert set((await outcomes(folder)).values()) == {True}


async def test_the_api_starts_flows_with_inputs(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: started
            turns:
              - api: {start_flow: {flow_name: buy, inputs: {item: tea}}}
                expect: {bot: [How many?], slots: {item: tea}}
        """)
    assert await outcomes(folder) == {"started": True}


async def test_a_language_and_a_user_are_those_of_the_test(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: Spanish
            language: es
            user_id: ana
            turns:
              - {user: cancelar, expect: {bot: [No hay nada que cancelar.]}}
        """)
    assert await outcomes(folder) == {"Spanish": True}


async def test_a_call_that_makes_no_sense_fails_its_test_and_no_other(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: releases nothing
            turns: [{api: release}]
          - name: fine
            turns: [{user: hi}]
        """)
    first, second = await run_tests(folder)
    assert first.error == "cannot release conversation 'test': it is not handed off"
    assert first.where == "tests/shop.test.yaml:4"
    assert second.passed


async def test_a_turn_that_fails_fails_its_test_with_the_reason(shop: Write) -> None:
    folder = shop("tests: [{name: broken, turns: [{user: buy something}, {user: x}, {user: '1'}]}]")
    actions = folder / "actions.py"
    actions.write_text(actions.read_text().replace("return count > 0", "return count > None"))
    [result] = await run_tests(folder)
    assert not result.passed
    assert "TypeError" in str(result.error)


async def test_tests_are_chosen_by_a_part_of_their_name_in_any_case(shop: Write) -> None:
    folder = shop("""
        tests:
          - {name: Buys tea, turns: [{user: hi}]}
          - {name: sells tea, turns: [{user: hi}]}
        """)
    assert await outcomes(folder, pattern="buys") == {"Buys tea": True}


def test_tests_stand_beside_the_assistant_and_in_its_tests_folder(shop: Write) -> None:
    test = "tests: [{name: %s, turns: [{user: hi}]}]"
    shop(test % "here", "here.test.yaml")
    folder = shop(test % "below", "tests/below.test.yml")
    assert [each.name for each in Suite.load(folder)] == ["here", "below"]
    assert [each.name for each in Suite.load(folder / "tests")] == ["below"]
    assert [each.name for each in Suite.load(folder / "here.test.yaml")] == ["here"]
    assert [each.where for each in Suite.load(folder)] == [
        "here.test.yaml:1",
        "tests/below.test.yml:1",
    ]
    assert len(Suite.load(folder)) == 2


async def test_an_assistant_may_leave_a_loop_of_results_early(shop: Write) -> None:
    names = "".join(f"  - {{name: t{n}, turns: [{{user: hi}}]}}\n" for n in range(12))
    folder = shop(f"tests:\n{names}")
    async for result in Suite.load(folder).run():
        assert result.name == "t0"
        break


async def test_a_pattern_that_is_never_searched_to_the_end_fails_its_test(
    shop: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.testing.pattern._SECONDS", 1.0)
    folder = shop("""
        tests:
          - name: never ends
            stubs: {total: {sold: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}}
            turns:
              - {user: how much was sold, expect: {matches: ["(a+)+$"]}}
          - name: ends
            stubs: {total: {sold: aaa}}
            turns:
              - {user: how much was sold, expect: {matches: ["^a+ so far[.]$", "far"]}}
        """)
    stuck, ended = await run_tests(folder)
    assert stuck.error == (
        "the expectations could not be compared: `(a+)+$` was not searched to the end within "
        "1 seconds: repeat nothing that itself repeats, such as `(a+)+`"
    )
    assert ended.passed
