"""What one turn of a test says for itself: its caller, and results of actions from there on."""

import textwrap
from pathlib import Path

from soni.testing import run_tests

ASSISTANT = """
version: "1"
flows:
  toss:
    trigger: {examples: [toss]}
    steps:
      - {action: coin, on_error: lost}
      - {say: {en: "{session.name}: {side}.", es: "{session.name}: sale {side}."}, jump_to: end}
      - {step: lost, say: "It is gone."}
"""
ACTIONS = """
from soni import action

@action
def coin() -> dict:
    return {"side": "really"}
"""
TESTS = """
tests:
  - name: tosses
    context: {name: Ann}
    turns:
      - {user: toss, expect: {bot: ["Ann: really."]}}
      - {user: toss, stubs: {coin: {side: heads}}, expect: {bot: ["Ann: heads."]}}
      - {user: toss, context: {name: Bob}, expect: {bot: ["Bob: heads."]}}
      - {user: toss, language: es, expect: {bot: ["Ann: sale heads."]}}
      - {user: toss, language: en, stubs: {coin: {error: lost}}, expect: {bot: [It is gone.]}}
"""


async def test_a_turn_may_have_another_caller_and_other_results(tmp_path: Path) -> None:
    for name, text in (("soni.yaml", ASSISTANT), ("actions.py", ACTIONS), ("a.test.yaml", TESTS)):
        (tmp_path / name).write_text(textwrap.dedent(text))
    (result,) = await run_tests(tmp_path)
    assert (result.mismatches, result.error) == ([], None)
