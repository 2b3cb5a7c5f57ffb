"""Tests that a program writes read like those of an author, and mean what they say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from soni.testing.case import CaseFile
from soni.testing.case_text import render_test_file
from soni.testing.files import read_cases

TRANSFER: Mapping[str, Any] = {
    "turns": [
        {
            "commands": [
                {"StartFlow": {"flow_name": "transfer", "slots": {}, "another": False}},
                {"SetSlot": {"slot_name": "amount", "value": 50, "confidence": 1.0}},
            ],
            "user": "send 50 to Bob",
            "expect": {"flow": None, "bot": ["How much?", "1. A\n2. B"], "actions": [{"f": {}}]},
        },
        {"user": "yes", "commands": [{"AffirmConfirmation": {}}], "after": "31m", "expect": {}},
        {"api": {"press": "Ärger: 1"}, "expect": {"commands": [{"RepeatLast": {}}, "SetSlot"]}},
        {"api": "release", "expect": {"ui": None, "slots": {"a": None}}},
    ],
    "stubs": {"f": {"balance": 100, "text": "yes"}},
    "language": None,
    "context": {},
    "now": "2026-03-02T10:00:00",
    "name": "sends money",
}
WRITTEN = """\
tests:
  - name: sends money
    now: 2026-03-02T10:00:00
    stubs: {f: {balance: 100, text: "yes"}}
    turns:
      - user: send 50 to Bob
        commands:
          - StartFlow: {flow_name: transfer}
          - SetSlot: {slot_name: amount, value: 50}
        expect:
          bot:
            - How much?
            - |-
              1. A
              2. B
          flow: null
          actions: [{f: {}}]
      - user: "yes"
        after: 31m
        commands: [AffirmConfirmation]
      - api: {press: "Ärger: 1"}
        expect:
          commands: [{RepeatLast: {}}, SetSlot]
      - api: release
        expect:
          slots: {a: null}
          ui: null
"""


def test_keys_are_in_their_usual_order_and_nothing_is_said_twice() -> None:
    assert render_test_file([TRANSFER]) == WRITTEN


def test_what_is_written_reads_back_as_the_same_tests(tmp_path: Path) -> None:
    file = tmp_path / "a.test.yaml"
    file.write_text(render_test_file([TRANSFER, {**TRANSFER, "name": "again"}]), encoding="utf-8")
    read = read_cases(file, "a.test.yaml")
    assert read.problems == []
    assert read.content is not None
    again = {"tests": [case.model_dump(exclude_unset=True) for case in read.content.tests]}
    assert CaseFile.model_validate(again) == read.content
    first, second = read.content.tests
    assert (first.name, second.name) == ("sends money", "again")
    assert first.turns[0].expect.bot == ["How much?", "1. A\n2. B"]
    assert first.turns[0].expect.model_fields_set == {"flow", "bot", "actions"}
    assert first.turns[3].expect.slots == {"a": None}
    assert first.stubs == TRANSFER["stubs"]
