"""A recorded conversation becomes a test that passes."""

from collections.abc import Sequence
from pathlib import Path

from soni.audit.conversation_test import WrittenTests, write_tests
from soni.commands import SetSlot
from soni.testing import run_tests
from tests.unit.audit.holding import SHOP, Said, held, shop, turns_of

WITH_EXAMPLES = SHOP.replace("sensitive: true,", 'sensitive: true, examples: ["2468"],')


async def as_test(folder: Path, said: Sequence[Said], yaml: str = WITH_EXAMPLES) -> WrittenTests:
    config = shop(folder, yaml)
    await held(config, ("ann", said))
    return await write_tests(config, await turns_of(config))


async def passes(folder: Path, written: WrittenTests) -> int:
    """How many tests there are, all of which pass as `soni test` runs them."""
    (folder / "recorded.test.yaml").write_text(written.text, encoding="utf-8")
    results = await run_tests(folder)
    assert [(result.mismatches, result.error) for result in results if not result.passed] == []
    return len(results)


async def test_the_test_passes_and_says_all_that_was_said_and_done(tmp_path: Path) -> None:
    written = await as_test(tmp_path / "shop", ["buy", "pen", "12", "3", "4711", "yes"])
    assert await passes(tmp_path / "shop", written) == 1
    assert all(result.passed for result in written.results)
    assert written.notes == ["turn 6: 'pay' spoke, and a stub is silent"]
    assert written.text.startswith(
        """\
tests:
  - name: recorded conversation of ann
    now: 2026-03-02T10:00:07+00:00
    user_id: ann
    language: en
    stubs: {price_of: {price: 3}, pay: {receipt: R2, echo: "pin ••••"}}
    turns:
      - user: buy
        commands: [{StartFlow: {flow_name: buy}}]
        expect:
          bot: [Which item?]
          flow: buy
          waiting_for: item
          state: waiting_for_slot
      - user: pen
        after: 7s
        commands: [{SetSlot: {slot_name: item, value: pen}}]
        expect:
          bot: [How many?]
          slots: {item: pen}
"""
    )
    assert written.text.endswith(
        """\
      - user: "yes"
        after: 7s
        commands: [AffirmConfirmation]
        expect:
          contains: ["Paid, R2."]
          flow: null
          state: idle
          actions: [{pay: {price: 3, pin: "••••"}}]
          completed: [buy]
"""
    )


async def test_a_refused_secret_is_left_to_fill_in(tmp_path: Path) -> None:
    written = await as_test(tmp_path / "shop", ["buy", "pen", "3", "7"])
    assert written.notes == [
        "a value of 'pin' was refused and is not on record: write one in place of •••• "
        "that is refused for the same reason"
    ]
    assert 'value: "••••"' in written.text


async def test_every_result_of_an_action_is_a_stub(tmp_path: Path) -> None:
    said: list[Said] = ["buy", "pen", "3", ("moon", {"commands": []}), "cancel", "buy", "moon", "1"]
    written = await as_test(tmp_path / "shop", said)
    assert await passes(tmp_path / "shop", written) == 1
    assert "stubs: {price_of: {price: 3}}" in written.text
    assert "stubs: {price_of: {error: sold_out, message: somebody was faster}}" in written.text
    assert "actions: [{price_of: {item: moon, count: 1}}]" in written.text


async def test_clock_language_and_context_change_with_the_turns(tmp_path: Path) -> None:
    said: list[Said] = [
        ("hours", {"context": {"greeting": "Good day"}}),
        ("comprar", {"language": "es", "after": 3600}),
        ("hours", {"context": {"greeting": "Hi"}, "after": 7200}),
    ]
    written = await as_test(tmp_path / "shop", said)
    assert await passes(tmp_path / "shop", written) == 1
    for line in ("after: 1h", "after: 2h", "language: es", "context: {greeting: Hi}"):
        assert line in written.text
    assert "abandoned: [buy]" in written.text


async def test_calls_of_the_application_and_a_handoff_are_in_it(tmp_path: Path) -> None:
    said: list[Said] = [
        ("/start", {"flow_name": "buy", "inputs": {"item": "pen"}}),
        "talk to a person",
        "hello?",
        "/release",
        ("x" * 5000, {}),
    ]
    written = await as_test(tmp_path / "shop", said)
    assert await passes(tmp_path / "shop", written) == 1
    assert "api: release" in written.text
    assert written.notes == []


async def test_what_the_application_pushed_is_in_it(tmp_path: Path) -> None:
    written = await as_test(tmp_path / "shop", ["buy", ("/push", {"text": "Sale!"}), "pen"])
    assert await passes(tmp_path / "shop", written) == 1
    assert "api: {push: Sale!}" in written.text
    assert written.notes == []


async def test_what_a_test_cannot_do_ends_it_and_is_noted(tmp_path: Path) -> None:
    written = await as_test(tmp_path / "shop", ["buy", ("/sweep", {"after": 4000}), "hours"])
    assert await passes(tmp_path / "shop", written) == 1
    (note,) = written.notes
    assert note.startswith("turn 2 is a call of the application")
    assert "user: hours" not in written.text


async def test_a_conversation_that_was_reset_is_several_tests(tmp_path: Path) -> None:
    written = await as_test(tmp_path / "shop", ["buy", "pen", "/reset", "/reset", "hours"])
    assert await passes(tmp_path / "shop", written) == 2
    assert "recorded conversation of ann, part 2" in written.text


async def test_a_secret_is_an_example_of_its_slot_or_left_to_fill_in(tmp_path: Path) -> None:
    asked = ["buy", "pen", "3", "4711"]
    written = await as_test(tmp_path / "one", asked)
    assert 'value: "2468"' in written.text
    assert "4711" not in written.text
    assert await passes(tmp_path / "one", written) == 1
    without = await as_test(tmp_path / "two", asked, SHOP)
    assert without.notes == [
        "the value of 'pin' is not on record: write a made-up one in place of ••••, "
        "or give the slot `examples`"
    ]
    assert not without.results[0].passed


async def test_commands_that_nobody_can_read_are_left_out(tmp_path: Path) -> None:
    given = [{"type": "Explode"}, SetSlot(slot_name="item", value="pen"), {"type": "SetSlot"}]
    written = await as_test(tmp_path / "shop", ["buy", ("hm", {"commands": given})])
    assert "Explode" not in written.text
    assert await passes(tmp_path / "shop", written) == 1


async def test_hostile_words_read_back_as_they_were_said(tmp_path: Path) -> None:
    hostile = "\x1b[31m: {a} - [x] \"q\" 'r' #c \u202e {{ 1 + 1 }}\nnew: line"
    written = await as_test(tmp_path / "shop", ["buy", hostile, hostile])
    assert "\x1b" not in written.text
    assert await passes(tmp_path / "shop", written) == 1
