"""The examples' conversations with a provider: counted whole, or until they go wrong."""

from __future__ import annotations

from pathlib import Path

from benchmarks.understanding.conversations import Held, free, main, summed
from soni.config.settings import Nlu
from tests.model_server import Model, commands, serving, slots

SHOP = """
version: "1"
slots:
  snack: {prompt: "Which snack?"}
flows:
  order:
    description: Order a snack
    trigger: {examples: [order a snack]}
    steps: [{collect: snack}, {say: "{snack} is coming."}]
"""
TESTS = """
tests:
  - name: orders
    turns:
      - {user: order a snack, expect: {bot: ["Which snack?"]}}
      - {user: crisps, expect: {bot: [crisps is coming.]}}
  - name: hears something else
    turns:
      - {user: feed me, expect: {bot: ["Which snack?"]}}
      - {user: crisps, expect: {bot: [nuts is coming.]}}
      - {user: thanks}
  - name: is told the meaning
    turns:
      - {user: order, commands: [{StartFlow: {flow_name: order}}]}
"""
START = commands({"type": "StartFlow", "flow_name": "order"})
CRISPS = commands({"type": "SetSlot", "slot_name": "snack", "value": "crisps"})


def shop(folder: Path) -> Path:
    (folder / "soni.yaml").write_text(SHOP, encoding="utf-8")
    (folder / "tests").mkdir()
    (folder / "tests" / "order.test.yaml").write_text(TESTS, encoding="utf-8")
    return folder


def asked(model: Model) -> Nlu:
    return Nlu(model="tiny", base_url=model.url, retries=0)


def test_only_what_has_to_be_understood_is_held(tmp_path: Path) -> None:
    names = [test.name for test in free(shop(tmp_path), "local", Nlu())]
    assert names == ["orders", "hears something else"]


async def test_a_conversation_ends_where_it_goes_wrong(tmp_path: Path, capsys) -> None:
    results = tmp_path / "results.jsonl"
    # The first begins with an example, which needs no model.
    with serving(CRISPS, START, slots(), CRISPS) as model:
        await main({"shop": shop(tmp_path)}, "llm", asked(model), results=results)
    first, second, sums = capsys.readouterr().out.strip().splitlines()
    assert first.startswith("shop: orders: whole, ")
    assert second.startswith("shop: hears something else: 1 of 3 turns, ")
    assert sums == "shop, llm: 1 of 2 conversations whole, 3 of 5 turns until then"
    assert "expected bot: ['nuts is coming.']" in results.read_text(encoding="utf-8")


async def test_what_was_held_before_is_not_held_again(tmp_path: Path, capsys) -> None:
    results, home = tmp_path / "results.jsonl", {"shop": shop(tmp_path)}
    with serving(CRISPS) as model:
        await main(home, "llm", asked(model), "orders", results)
        before = capsys.readouterr().out
        # The server has nothing more to say: a question would fail.
        await main(home, "llm", asked(model), "orders", results)
    assert capsys.readouterr().out == before


def test_the_sum_counts_turns_until_something_differed() -> None:
    rows = [Held("a", name, "llm", right, 4, 1.0, "") for name, right in (("x", 4), ("y", 1))]
    assert summed(rows) == "1 of 2 conversations whole, 5 of 8 turns until then"
