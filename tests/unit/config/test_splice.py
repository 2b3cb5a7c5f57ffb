"""A value is exchanged in a text, and everything around it stays as it was written."""

from typing import Any

import pytest
from pydantic import BaseModel

from soni.config.data_builder import DataBuilder
from soni.config.positions import Path, Positions, Source
from soni.config.splice import splice_values
from soni.config.yaml import parse_yaml


def exchanged(text: str, changes: dict[Path, Any]) -> str | None:
    source = Source("x.yaml", text)
    node, _ = parse_yaml(source)
    assert node is not None
    plain = DataBuilder()
    data = plain.build(node)
    return splice_values(Positions(BaseModel, data, plain.keys, plain.values), source, changes)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: 1  # why\nb: 2\n", 3, "a: 3  # why\nb: 2\n"),
        ("a: [x, y]  # why\nb: 2\n", ["z"], "a: [z]  # why\nb: 2\n"),
        ("a:\n  - x\n  - y\n# of b\nb: 2\n", ["z"], "a:\n  - z\n# of b\nb: 2\n"),
        ("a:\n    - x  # odd\n\n\nb: 2\n", ["z", "w"], "a:\n  - z\n  - w  # odd\n\n\nb: 2\n"),
        ("a:\nb: 2\n", "x", "a: x\nb: 2\n"),
        ("a: |\n  long\n  text\n\nb: 2\n", "short", "a: short\n\nb: 2\n"),
        ("a: short\nb: 2\n", "one\ntwo", "a: |-\n  one\n  two\nb: 2\n"),
        ("a: short  # why\nb: 2\n", "one\ntwo", 'a: "one\\ntwo"  # why\nb: 2\n'),
        ("a: {k: 1}\n", {"k": 2}, "a: {k: 2}\n"),
        ("a:\n  k: 1\n  l: [1]\n# end\n", {"k": 2}, "a: {k: 2}\n# end\n"),
        ('"a": x', None, '"a": null'),
        ("{a: 1, b: 2}", ["x" * 90], "{a: [" + "x" * 90 + "], b: 2}"),
    ],
)
def test_only_the_value_changes(before: str, value: Any, after: str) -> None:
    assert exchanged(before, {("a",): value}) == after


def test_a_deep_value_keeps_its_indentation() -> None:
    text = "t:\n    - n: 1\n      e:\n         bot: [a]   # c\n         f: x\n"
    changes = {("t", 0, "e", "bot"): ["a\nb", "c"], ("t", 0, "e", "f"): None}
    assert exchanged(text, changes) == (
        "t:\n    - n: 1\n      e:\n         bot:\n           - |-\n             a\n"
        "             b\n           - c   # c\n         f: null\n"
    )


def test_what_stands_behind_an_alias_is_not_touched() -> None:
    assert exchanged("b: &x [1]\na: *x\n", {("a",): [2]}) is None
    assert exchanged("a: &x [1]\nb: *x\n", {("a",): [2]}) is None
