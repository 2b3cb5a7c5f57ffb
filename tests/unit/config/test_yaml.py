"""YAML 1.2 as plain data, with the place of everything, and no way to run away."""

import pytest

from soni.config.data_builder import DataBuilder
from soni.config.positions import Source
from soni.config.yaml import UnreadableFile, parse_yaml


def read(text):
    node, problems = parse_yaml(Source("soni.yaml", text))
    assert problems == []
    return DataBuilder().build(node)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("text", "text"),
        ("'3'", "3"),
        ("3", 3),
        ("-3", -3),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("2.5", 2.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-.inf", float("-inf")),
        ("true", True),
        ("FALSE", False),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("null", None),
        ("~", None),
        ("", None),
        ("''", ""),
        ("2026-03-02", "2026-03-02"),
        ("2026-03-02T10:00:00", "2026-03-02T10:00:00"),
        ("12:30", "12:30"),
        ("!!str 3", "3"),
        ("!!int '3'", 3),
        ("!!float 3", 3.0),
        ("! 3", "3"),
    ],
)
def test_a_word_has_the_kind_that_yaml_1_2_gives_it(written, value):
    found = read(f"key: {written}")["key"]
    assert found == value
    assert type(found) is type(value)


def test_not_a_number_is_a_number():
    found = read("key: .nan")["key"]
    assert found != found


def test_keys_are_words_however_they_are_written():
    assert read("{3: a, true: b, null: c, 2.5: d, '4': e, no: f}") == {
        "3": "a", "true": "b", "null": "c", "2.5": "d", "4": "e", "no": "f",
    }  # fmt: skip


def test_lists_and_mappings_are_nested_as_written():
    assert read("a:\n  - b: [1, {c: 2}]\n  - !!seq [x]\nd: !!map {}\n") == {
        "a": [{"b": [1, {"c": 2}]}, ["x"]],
        "d": {},
    }


def test_an_alias_is_what_it_names():
    assert read("a: &x {b: [1]}\nc: *x\n") == {"a": {"b": [1]}, "c": {"b": [1]}}


def test_a_file_of_comments_is_empty():
    assert parse_yaml(Source("soni.yaml", "# nothing\n")) == (None, [])


def test_every_key_and_value_has_its_place():
    source = Source("soni.yaml", "flows:\n  greet:\n    steps: [say, 'two words']\n")
    node, _ = parse_yaml(source)
    plain = DataBuilder()
    plain.build(node)
    steps = ("flows", "greet", "steps")
    assert plain.keys[steps].text == "steps"
    assert source.locate(plain.keys[steps].start) == (3, 5)
    assert plain.values[steps].text == "[say, 'two words']"
    assert plain.values[(*steps, 1)].text == "'two words'"
    assert plain.values["flows", "greet"].text == "steps: [say, 'two words']"


REFUSED = {
    "a thousand brackets": ("[" * 1000, "this is nested more than 64 deep"),
    "a thousand lists in lists": ("- " * 1000, "this is nested more than 64 deep"),
    "more values than anybody writes": ("[" + "a,\n" * 15_001 + "]", "more than 30,000 lines"),
    "aliases of aliases of aliases": (
        "a0: &a0 [x]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)),
        "aliases make too much of this",
    ),
    "aliases that nest too deep": (
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 70)),
        "aliases make too much of this",
    ),
    "an alias inside of itself": ("a: &a [*a]", "'*a' stands inside of itself"),
    "a sign that YAML does not have": ("a: \x07", "this character cannot stand in YAML"),
    "a null byte": ("a: \x00b", "this character cannot stand in YAML"),
    "a version of YAML to come": ("%YAML 3.0\n---\na: b", "this is not YAML"),
    "a key without a colon": ("a: b\nc\nd: e", "the ':' after this key is missing"),
    "a list behind a key": ("a: - b", "a list cannot begin here"),
    "a sign that begins no text": ("a: @home", "a text cannot begin with this sign"),
    "a backslash without meaning": ('a: "\\q"', "this backslash means nothing in double quotes"),
    "an apostrophe in single quotes": ("a: 'it's'", "the value has ended before this"),
    "a mapping without commas": ("a: {b: 1 c: 2}", "a ',' or the closing bracket is missing"),
    "an escape beyond all characters": ('a: "\\U00110000"', "this is not YAML"),
    "an escape far beyond": ('a: "\\UFFFFFFFF"', "this is not YAML"),
    "a list that ends with the file": ("a: [", "a value is missing here"),
    "a mapping that is never closed": ("a: {b", "this '{' is never closed"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_a_reason(what):
    text, reason = REFUSED[what]
    with pytest.raises(UnreadableFile) as caught:
        read(text)
    assert reason in caught.value.problem.message
    assert caught.value.problem.remedy
    assert caught.value.problem.file == "soni.yaml"


BENT = {
    "a missing key": ("{: a}", "a key is missing here"),
    "a list as a key": ("? [a]\n: b", "a list cannot be a key"),
    "a number of a thousand digits": ("a: " + "1" * 1000, "the number is too long"),
    "half a character": ('a: "\\uD800"', "half of a character cannot stand alone"),
    "a word tagged as a number": ("a: !!int many", "not of the kind its tag '!!int' says"),
    "a tag on a list": ("a: !mine [b]", "the tag '!mine' means nothing here"),
    "an old tag": ("a: !!timestamp 2026-01-01", "the tag 'tag:yaml.org,2002:timestamp' means"),
    "one key in two spellings": ("{3: a, '3': b}", "the key '3' is written twice"),
}


@pytest.mark.parametrize("what", BENT)
def test_it_is_a_mistake_but_the_rest_is_read(what):
    text, reason = BENT[what]
    node, problems = parse_yaml(Source("soni.yaml", text))
    assert node is not None
    assert [reason in problem.message for problem in problems] == [True]
    assert problems[0].remedy


def test_the_first_of_two_equal_keys_counts():
    node, problems = parse_yaml(Source("soni.yaml", "a: 1\nb: 2\na: 3\n"))
    assert DataBuilder().build(node) == {"a": 1, "b": 2}
    assert (problems[0].line, problems[0].column) == (3, 1)
    assert "first in line 1" in problems[0].message
