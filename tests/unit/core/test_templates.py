"""Texts with names in braces."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.core.paths import walk_path
from soni.core.templates import Placeholder, TemplateError, parse_template

DATA: dict[str, Any] = {
    "name": "Ana",
    "price": 12,
    "flight": {"price": 80},
    "items": [{"name": "tea"}, {"name": "cake"}],
    "session": {"key": "k1"},
    "_error_message": "no seats",
}


def show(path: tuple[str, ...], filter_name: str | None) -> str:
    shown = str(walk_path(DATA, path))
    return f"<{filter_name}:{shown}>" if filter_name else shown


def rendered(text: str) -> str:
    return parse_template(text).render(show)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("No names.", "No names."),
        ("Hello {name}!", "Hello Ana!"),
        ("{ name }{name}", "AnaAna"),
        ("{flight.price} for {items.1.name}", "80 for cake"),
        ("{session.key}", "k1"),
        ("{price | money} or {price|iso}", "<money:12> or <iso:12>"),
        ("{_error_message}", "no seats"),
        ("{{name}}", "{name}"),
        ("{{{name}}}", "{Ana}"),
        ("{{}} {{ }}", "{} { }"),
        ("50% | a.b\n{name}", "50% | a.b\nAna"),
    ],
)
def test_names_are_replaced_and_doubled_braces_are_braces(text: str, shown: str) -> None:
    assert rendered(text) == shown


def test_a_template_knows_its_names_and_filters() -> None:
    template = parse_template("Hi {name}: {flight.price | money} {price | money} {price | raw}")
    assert template.names == {"name", "flight", "price"}
    assert template.filters == ("money", "raw")
    assert template.placeholders[1] == Placeholder(("flight", "price"), "money", 11)
    assert parse_template(template.text) is template


@pytest.mark.parametrize(
    ("text", "offset", "remedy"),
    [
        ("ab {name", 3, "write {{ for a literal brace"),
        ("ab } c", 3, "write }} for a literal brace"),
        ("{name}}", 6, "write }} for a literal brace"),
        ("{{{name}}", 8, "write }} for a literal brace"),
        ("a {b {name}", 2, "write {{ for a literal brace"),
        ("{}", 0, "write {name}"),
        ("{ }", 0, "write {name}"),
        ("é {a b}", 2, "write {name}"),
        ("{1}", 0, "write {name}"),
        ("{a.}", 0, "write {name}"),
        ("{a..b}", 0, "write {name}"),
        ("{a[0]}", 0, "write {name}"),
        ("{a()}", 0, "write {name}"),
        ("{a | b | c}", 0, "write {name}"),
        ("{a | }", 0, "write {name}"),
        ("{a!r}", 0, "write {name}"),
        ("{año}", 0, "write {name}"),
        ("{a.__class__}", 0, "_error_type"),
        ("{_secret}", 0, "_error_type"),
        ("x" * 20_001, 20_000, "several messages"),
        ("{" * 10_000_000, 20_000, "several messages"),
    ],
    ids=range(21),
)
def test_a_brace_that_cannot_be_read_is_placed_with_what_to_write(
    text: str, offset: int, remedy: str
) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(text)
    assert caught.value.offset == offset
    assert remedy in (caught.value.remedy or "")
    assert caught.value.reason in str(caught.value)


def test_twenty_thousand_characters_are_allowed() -> None:
    assert rendered("x" * 20_000) == "x" * 20_000


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ([], DATA),
        (["items", "0", "name"], "tea"),
        (["items", "-1", "name"], "cake"),
        (["items", "2"], None),
        (["items", "-3"], None),
        (["items", "x"], None),
        (["items", "²"], None),
        (["items", "9" * 5_000], None),
        (["name", "0"], None),
        (["name", "upper"], None),
        (["price", "real"], None),
        (["missing", "a", "b"], None),
    ],
)
def test_a_path_enters_dicts_and_lists_and_nothing_else(path: list[str], found: Any) -> None:
    assert walk_path(DATA, path) == found


@given(st.text() | st.text("{}a.|_ 0"))
def test_any_text_is_a_template_or_a_template_error(text: str) -> None:
    try:
        template = parse_template(text)
    except TemplateError as error:
        assert error.offset is not None and text[error.offset] in "{}"
    else:
        assert template.text == text


@given(st.text("{}xname |.") | st.sampled_from(["{name}", "{{name}}", "{{ 1 + 1 }}", "}"]))
def test_a_value_with_braces_is_shown_as_it_is(value: str) -> None:
    template = parse_template("{{ {name} and {name | raw} }}")
    assert template.render(lambda path, filter_name: value) == f"{{ {value} and {value} }}"


@given(st.text())
def test_a_text_with_its_braces_doubled_is_shown_as_it_was(text: str) -> None:
    assert rendered(text.replace("{", "{{").replace("}", "}}")) == text
