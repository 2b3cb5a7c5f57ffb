"""What was learnt for an assistant is understood in its conversations."""

import json
from pathlib import Path

from soni import SoniConfig
from soni.du.program import fingerprint_assistant
from tests.talking import talking_to

ASSISTANT = """
version: "1"
flows:
  greet: {trigger: {examples: [hello]}, steps: [{say: Hi.}]}
  pay: {trigger: {examples: [pay a bill]}, steps: [{say: Paid.}]}
"""
LEARNT = """
version: "1"
settings: {nlu: {program: soni.program.json}}
flows:
  greet: {trigger: {examples: [hello]}, steps: [{say: Hi.}]}
  pay: {trigger: {examples: [pay a bill]}, steps: [{say: Paid.}]}
"""
SAID = "the blue letter came again"


async def reply(folder: Path) -> list[str]:
    async with talking_to(SoniConfig.load(folder)) as talk:
        return await talk.say(SAID)


async def test_a_sentence_that_was_learnt_starts_its_flow(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(ASSISTANT)
    assert "Paid." not in await reply(tmp_path)
    program = {
        "version": 1,
        "provider": "local",
        "made": "2026-03-02T10:00:00+00:00",
        "made_for": fingerprint_assistant(SoniConfig.load(tmp_path)).model_dump(),
        "scores": {"before": 1, "after": 2, "total": 3},
        "local": {"examples": {"pay": [SAID]}},
    }
    (tmp_path / "soni.program.json").write_text(json.dumps(program))
    (tmp_path / "soni.yaml").write_text(LEARNT)
    assert "Paid." in await reply(tmp_path)
