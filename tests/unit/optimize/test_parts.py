"""Conversations are learnt from or set apart as a whole, so that none measures what it taught."""

import json
from pathlib import Path

from soni.optimize.parts import Parts
from soni.testing.evaluate import Evaluation
from soni.testing.evaluate.question import Question

SHOP = """
slots:
  size: {prompt: Which size?}
flows:
  order:
    trigger: {examples: [order a cake]}
    steps:
      - collect: size
      - say: Ordered.
"""
LENGTHS = (3, 4, 5, 3, 4, 5, 3, 4, 5, 3)
START = {"user": "a cake", "commands": [{"StartFlow": {"flow_name": "order"}}]}


async def questions(folder: Path) -> list[Question]:
    """Ten conversations: half of them tests, half as `soni trace --annotate` writes them."""
    (folder / "nlu").mkdir()
    (folder / "soni.yaml").write_text(SHOP)
    for number, length in enumerate(LENGTHS):
        words = [f"words {number} {turn}" for turn in range(length - 1)]
        if number % 2:
            turns = [START, *({"user": each, "commands": ["RepeatLast"]} for each in words)]
            case = {"tests": [{"name": f"test {number}", "turns": turns}]}
            (folder / f"{number}.test.yaml").write_text(json.dumps(case))
        else:
            said = {"idle": {f"a cake {number}": "StartFlow order"}}
            said["asked"] = dict.fromkeys(words, "RepeatLast")
            moments = {"asked": [["StartFlow order"]]}
            whole = {"conversation": f"user {number}", "moments": moments, "said": said}
            (folder / "nlu" / f"{number}.yaml").write_text(json.dumps(whole))
    return await Evaluation.load(folder).collect_questions()


async def test_no_conversation_is_in_both_parts(tmp_path: Path) -> None:
    every = await questions(tmp_path)
    assert len(every) == sum(LENGTHS)
    assert len({each.conversation for each in every}) == len(LENGTHS)
    chosen = set()
    for seed in range(5):
        parts = Parts.split(every, 0.3, seed)
        learnt = {each.conversation for each in parts.training}
        apart = {each.conversation for each in parts.held_out}
        assert not learnt & apart
        assert len(parts.training) + len(parts.held_out) == len(every)
        # The share, and at most the rest of a conversation beyond it.
        assert 0.3 * len(every) <= len(parts.held_out) < 0.3 * len(every) + max(LENGTHS)
        chosen.add(frozenset(apart))
    # Another seed sets other conversations apart.
    assert len(chosen) > 1
