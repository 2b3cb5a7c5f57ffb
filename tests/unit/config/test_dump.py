"""Data written as YAML reads back as the same data, and is good to read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.config.data_builder import DataBuilder
from soni.config.dump import dump_yaml
from soni.config.positions import Source
from soni.config.yaml import parse_yaml

# Half of a character has no place in a file.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORDS = st.lists(st.sampled_from(["a", "b:", "- c", "#d", "'", "\n", " ", "{", "1"])).map("".join)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | WORDS
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TEXT.filter(lambda key: key != ""), inner, max_size=4)
    ),
    max_leaves=12,
)


def read(text: str) -> Any:
    node, problems = parse_yaml(Source("x.yaml", text))
    assert not problems
    assert node is not None
    return DataBuilder().build(node)


@given(st.dictionaries(st.sampled_from("abc"), DATA, min_size=1), st.integers(0, 3))
def test_what_was_written_reads_back_the_same(data: dict[str, Any], opened: int) -> None:
    assert read(dump_yaml(data, lambda path: len(path) <= opened)) == data


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("How much?", "How much?"),
        ("Señor", "Señor"),
        ("¿Qué?", '"¿Qué?"'),
        ("Hello, Ann!", "Hello, Ann!"),
        (["Hello, Ann!"], '["Hello, Ann!"]'),
        ("yes", '"yes"'),
        ("50", '"50"'),
        ("1e3", '"1e3"'),
        ("null", '"null"'),
        ("31m", "31m"),
        ("2026-03-02T10:00:00", "2026-03-02T10:00:00"),
        ("", '""'),
        (" a", '" a"'),
        ("a: b", '"a: b"'),
        ("a\u2028b", '"a\\u2028b"'),
        (None, "null"),
        (1.5, "1.5"),
        ([1, "a", None], "[1, a, null]"),
        ({"a": {"b": []}}, "{a: {b: []}}"),
        ({}, "{}"),
    ],
)
def test_a_short_value_stands_on_one_line(value: Any, written: str) -> None:
    assert dump_yaml({"key": value}) == f"key: {written}\n"
    assert read(f"key: {written}\n") == {"key": value}


def test_what_is_too_long_for_a_line_stands_below_each_other() -> None:
    words = ["a word"] * 20
    assert dump_yaml({"key": words}) == "key:\n" + "  - a word\n" * 20


def test_a_text_of_several_lines_is_written_as_it_reads() -> None:
    assert dump_yaml({"bot": ["Which?\n1. One"]}) == "bot:\n  - |-\n    Which?\n    1. One\n"


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no place"):
        dump_yaml({"a": object()})
