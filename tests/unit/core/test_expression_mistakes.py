"""What an author reads when an expression cannot be read or worked out, word for word."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from soni.core.expressions import FUNCTIONS, ExpressionError, parse_braced, parse_expression

NOW = datetime(2030, 6, 15, 10, 30)

SCOPE: dict[str, Any] = {
    "amount": 12,
    "zero": 0,
    "city": "Madrid",
    "date": date(2030, 6, 20),
    "opens": time(9, 30),
    "stay": timedelta(days=3),
    "flight": {"price": 80},
    "tags": ["a", "b"],
    "big": "x" * 6_000,
    "long": [0] * 6_000,
    "sharp": "ß" * 6_000,
    "thing": object(),
    "vast": Decimal("1e999999"),
    "nan": Decimal("nan"),
    "huge": 10**5000,
}

KINDS = "compare numbers, texts, dates, times or durations with their own kind"
DATE = 'write it like "2030-12-31"'
NUMBER = "stay within 10 to the 18th"
SIZE = "stay within 10,000 items or characters"
PLACES = "look in a list, an object, or for a text in a text"
DIVISOR = "test the divisor first"
USE = "use names, values, lists, comparison, and/or/not, in, + - * / // % and functions"
BRACES = "an expression has no braces inside; a value is one {{ expression }} and no more"
CONDITION = 'write a condition such as `amount > 10 and city == "Madrid"`'
PRIVATE = "of these only _error, _error_type and _error_message can be read"
PART = 'write `flight["price"]` or `items[0]`'
NAMED = "set a slot to this value first, then name its parts"
NUMBERS = "write numbers like 12, 12.5 or 1e3"
QUOTES = "write the text in quotes alone"
BETWEEN = "put `,` or `+` between them"
LENGTH = "len() is the length of a text, list or object"
BACKSLASH = "write `\\\\` for a backslash; `\\n`, `\\t` and quotes may follow one"
KEYS = 'write other keys in quotes: `data["key"]`'
SPLIT = "split it over several steps"
LISTED = f"there are {', '.join(sorted(FUNCTIONS))}"


def error_in(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "reason", "remedy"),
    [
        ("amount < city", "`<` cannot compare number with text", KINDS),
        ("true < 2", "`<` cannot compare boolean with number", KINDS),
        ("true < false", "`<` cannot compare boolean with boolean", KINDS),
        ("tags > [1]", "`>` cannot compare list with list", KINDS),
        ("flight < 3", "`<` cannot compare object with number", KINDS),
        ("date > 'soon'", "text is not a date", DATE),
        ("opens > 'early'", "text is not a time", 'write it like "18:30"'),
        ("date > opens", "`>` cannot compare date with time", KINDS),
        ("opens > 3", "`>` cannot compare time with number", KINDS),
        ("1 / zero", "division by zero", DIVISOR),
        ("1 // 0", "division by zero", DIVISOR),
        ("1 % 0.0", "division by zero", DIVISOR),
        ("1 + true", "`+` cannot combine number with boolean", None),
        ("1 + 'a'", "`+` cannot combine number with text", None),
        ("'a' * 3", "`*` cannot combine text with number", None),
        ("days(1) * 2", "`*` cannot combine duration with number", None),
        ("days(1) - today()", "`-` cannot combine duration with date", None),
        ("-city", "`-` needs a number and got text", None),
        ("-true", "`-` needs a number and got boolean", None),
        ("1 in city", "number cannot be looked for in text", PLACES),
        ("1 in 2", "number cannot be looked for in number", PLACES),
        ("len(3)", "number has no length", "use a text or a list"),
        ("lower(3)", "a text is needed here, and this is number", "use str(...)"),
        ("abs('3')", "a number is needed here, and this is text", None),
        ("abs(true)", "a number is needed here, and this is boolean", None),
        ("int('x')", "a number is needed here, and this is text", None),
        ("int(true)", "a number is needed here, and this is boolean", None),
        ("round(1, 99)", "round keeps a whole number of digits from 0 to 12", None),
        ("sum(3)", "sum needs a list of numbers, and this is number", None),
        (
            "sum([1, null])",
            "`+` cannot combine number with null",
            "give an unset name a value: coalesce(name, 0)",
        ),
        ("str(tags)", "list has no text form", "name one of its parts"),
        ("date('soon')", "text is not a date", DATE),
        ("date(3)", "number is not a date", DATE),
        (
            "today() + hours(5)",
            "a date moves by whole days only",
            "use days(n), or now() for a moment",
        ),
        ("today() + days(99999999)", "a value is out of range", None),
        ("days(1e300)", "a value is out of range", None),
        ("1e300 * 1e300", "the number is too large", NUMBER),
        ("1000000000000000000 + 1", "the number is too large", NUMBER),
        ("round(1e200)", "a value is out of range", None),
        ("big + big", "the text is too long", SIZE),
        ("long + long", "the list is too long", SIZE),
        ("upper(sharp)", "the text is too long", SIZE),
        ("thing < 1", "`<` cannot compare unknown value with number", KINDS),
        ("int(vast)", "the number is too large", NUMBER),
        ("str(huge)", "the number is too large", NUMBER),
        ("abs(nan)", "the number is too large", NUMBER),
        ("1 in true", "number cannot be looked for in boolean", PLACES),
        ("round(1, 13)", "round keeps a whole number of digits from 0 to 12", None),
        ("round(1, 1.5)", "round keeps a whole number of digits from 0 to 12", None),
        ("round(1e28, 12)", "a value is out of range", None),
        ("str(flight)", "object has no text form", "name one of its parts"),
        ("min(1, 'a')", "`<` cannot compare text with number", KINDS),
        ("len(true)", "boolean has no length", "use a text or a list"),
        ("date(tags)", "list is not a date", DATE),
        ("starts_with(3, 'a')", "a text is needed here, and this is number", "use str(...)"),
        ("'a' - 1", "`-` cannot combine text with number", None),
        ("city + 1", "`+` cannot combine text with number", None),
        ("opens < true", "`<` cannot compare time with boolean", KINDS),
    ],
)
def test_what_cannot_be_worked_out_is_an_error_that_says_why(
    text: str, reason: str, remedy: str | None
) -> None:
    expression = parse_expression(f"true and {text}")
    with pytest.raises(ExpressionError) as caught:
        expression.evaluate(SCOPE, NOW)
    assert (caught.value.reason, caught.value.remedy) == (reason, remedy)
    assert caught.value.offset == len("true and ")


@pytest.mark.parametrize(
    ("text", "offset", "reason", "remedy"),
    [
        ("a = 1", 2, "`=` is not part of an expression", "write `==` to compare"),
        ("a === 1", 2, "`===` is not part of an expression", "write `==` to compare"),
        ("a !== 1", 2, "`!==` is not part of an expression", "write `!=`"),
        ("a <> 1", 2, "`<>` is not part of an expression", "write `!=`"),
        ("a => 1", 2, "`=>` is not part of an expression", "write `>=`"),
        ("a =< 1", 2, "`=<` is not part of an expression", "write `<=`"),
        ("a && b", 2, "`&&` is not part of an expression", "write `and`"),
        ("a || b", 2, "`||` is not part of an expression", "write `or`"),
        ("a & b", 0, "`&` cannot be used in an expression", "write `and`"),
        ("a | b", 0, "`|` cannot be used in an expression", "write `or`"),
        ("!a", 0, "`!` is not part of an expression", "write `not`"),
        ("a ? b : c", 2, "`?` is not part of an expression", "write `x if condition else y`"),
        (
            "a is None",
            0,
            "`is` cannot be used in an expression",
            "write `==`, as in `name == null`",
        ),
        (
            "a is not None",
            0,
            "`is not` cannot be used in an expression",
            "write `!=`, as in `name != null`",
        ),
        (
            "a in ('x', 'y')",
            5,
            "values in round brackets cannot be used in an expression",
            "write a list: [a, b]",
        ),
        (
            "2 ** 3",
            0,
            "`**` cannot be used in an expression",
            "multiply, or compute it in an action",
        ),
        ("a }} and {{ b", 2, "`}` is not part of an expression", BRACES),
        ("a # why", 2, "`#` is not part of an expression", "leave comments to the file around it"),
        (
            "city.upper()",
            0,
            "only the listed functions can be called",
            "write the function first, as in `upper(name)`",
        ),
        (
            "city.strip()",
            0,
            "only the listed functions can be called",
            "write the function first, as in `lower(name)`",
        ),
        ("a['x' 'y']", 6, "two texts stand side by side", BETWEEN),
        ('"""a"""', 2, "two texts stand side by side", BETWEEN),
        ("a == 'b", 5, "the text is not closed", "end it with '"),
        ("'\\d'", 1, "this backslash means nothing in a text", BACKSLASH),
        ("f'{a}'", 0, "`f` before a text", QUOTES),
        ("rb'a'", 0, "`rb` before a text", QUOTES),
        ("a == 1if b else c", 5, "a number runs into a letter", NUMBERS),
        ("0x1F", 0, "a number runs into a letter", NUMBERS),
        ("1_000", 0, "a number runs into a letter", NUMBERS),
        ("2j", 0, "a number runs into a letter", NUMBERS),
        ("lenn(a)", 0, "there is no function lenn()", f"did you mean len()? {LISTED}"),
        ("len()", 0, "len() takes 1 plain arguments and has 0", LENGTH),
        (
            "round(1, 2, 3)",
            0,
            "round() takes 1 to 2 plain arguments and has 3",
            "round() is a number with so many digits, halves rounded up",
        ),
        ("len(x=1)", 5, "`=` is not part of an expression", "write `==` to compare"),
        ("len(**x)", 0, "len() takes 1 plain arguments and has 1", LENGTH),
        ("a[b]", 2, "a part is named by a text or a whole number", PART),
        ("a[1:2]", 2, "a part is named by a text or a whole number", PART),
        ("a[true]", 2, "a part is named by a text or a whole number", PART),
        ("a[True]", 2, "a part is named by a text or a whole number", PART),
        ("'a'[0]", 0, "only a name has parts", NAMED),
        ("today().year", 0, "only a name has parts", NAMED),
        ("null.a", 0, "only a name has parts", NAMED),
        ("año", 0, "a name has letters a to z, digits and `_` only", KEYS),
        ("'ñ' == a.__class__", 7, "names that begin with `_` are private", PRIVATE),
        ("__import__", 0, "names that begin with `_` are private", PRIVATE),
        ("a['_x']", 0, "names that begin with `_` are private", PRIVATE),
        ("", 0, "the expression is empty", "write a condition"),
        (" \n ", 0, "the expression is empty", "write a condition"),
        ("  a b", 4, "the expression cannot be read here", CONDITION),
        ("(a", 0, "the expression cannot be read here: '(' was never closed", CONDITION),
        ("10000000000000000000", 0, "the number is too large", NUMBER),
        ("1 + 1e999", 4, "the number is too large", NUMBER),
        ("~a", 0, "this cannot be used in an expression", USE),
        ("1 + ...", 4, "this cannot be used in an expression", USE),
        ("lambda: 1", 0, "this cannot be used in an expression", USE),
        ("[x for x in y]", 0, "this cannot be used in an expression", USE),
        (
            "f(x)(y)",
            0,
            "only the listed functions can be called",
            "write the function first, as in `lower(name)`",
        ),
        ("eval('1')", 0, "there is no function eval()", LISTED),
        ("rnd(1)", 0, "there is no function rnd()", f"did you mean round()? {LISTED}"),
        (
            "min()",
            0,
            "min() takes 1 or more plain arguments and has 0",
            "min() is the least of the arguments, or of one list",
        ),
        ("len(1, 2)", 0, "len() takes 1 plain arguments and has 2", LENGTH),
        ("len(a, **b)", 0, "len() takes 1 plain arguments and has 2", LENGTH),
        ("a == 'ñ' + b.__class__", 11, "names that begin with `_` are private", PRIVATE),
        ("'a' 'b'", 4, "two texts stand side by side", BETWEEN),
        ("1 + ('a'\n 'b')", 10, "two texts stand side by side", BETWEEN),
        ("a ==== b", 2, "`====` is not part of an expression", "write `==` to compare"),
        ("-" * 30 + "1", 30, "the expression is nested more than 30 deep", SPLIT),
        (
            "x" * 1_001,
            1000,
            "the expression has 1,001 characters and may have 1,000",
            "split it over several steps, or compute it in an action",
        ),
        ("a[1.5]", 2, "a part is named by a text or a whole number", PART),
        ("a[-'x']", 2, "a part is named by a text or a whole number", PART),
        ("a[-True]", 2, "a part is named by a text or a whole number", PART),
        ("a.b.c[d]", 6, "a part is named by a text or a whole number", PART),
        ("  a.b.año", 2, "a name has letters a to z, digits and `_` only", KEYS),
        ("'\\x41'", 1, "this backslash means nothing in a text", BACKSLASH),
        ("a[0.5:1]", 2, "a part is named by a text or a whole number", PART),
        ('"a\\', 0, "the text is not closed", 'end it with "'),
        ("{a}", 0, "`{` is not part of an expression", BRACES),
        (
            "a \\ b",
            2,
            "`\\` is not part of an expression",
            "write it on one line, or on several without `\\`",
        ),
        ("a + 5x", 4, "a number runs into a letter", NUMBERS),
        ("1.e5x", 0, "a number runs into a letter", NUMBERS),
    ],
)
def test_a_mistake_is_placed_and_what_to_write_instead_is_said(
    text: str, offset: int, reason: str, remedy: str
) -> None:
    error = error_in(text)
    assert (error.offset, error.reason, error.remedy) == (offset, reason, remedy)
    assert str(error) == f"{reason}; {remedy}"


def test_a_value_that_is_not_in_braces_says_how_to_write_it() -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_braced("amount")
    assert caught.value.reason == "this is not an expression in braces"
    assert (caught.value.offset, caught.value.remedy) == (0, "write {{ expression }}")


@pytest.mark.parametrize(
    ("before", "after", "offset"),
    [
        ("not ", "", 120),
        ("-", "", 30),
        ("abs(", ")", 120),
        ("(", ") == 1", 36),
        ("1 + (", ")", 145),
        ("1 if a else ", "", 353),
    ],
)
def test_thirty_levels_can_be_read_and_one_more_cannot(
    before: str, after: str, offset: int
) -> None:
    parse_expression(before * 29 + "1" + after * 29)
    error = error_in(before * 30 + "1" + after * 30)
    assert error.reason == "the expression is nested more than 30 deep"
    assert (error.offset, error.remedy) == (offset, SPLIT)


def test_a_path_has_thirty_parts_and_not_one_more() -> None:
    parse_expression("a" + ".b" * 30)
    error = error_in("1 + a" + ".b" * 31)
    assert error.reason == "the expression is nested more than 30 deep"
    assert (error.offset, error.remedy) == (4, SPLIT)


def test_brackets_side_by_side_are_no_deeper_than_one() -> None:
    parse_expression(f"[{', '.join(['(1)'] * 40)}]")
    parse_expression("[[(1), (1), " + "(" * 28 + "1" + ")" * 28 + "]]")
    error = error_in("[[(1), (1), " + "(" * 29 + "1" + ")" * 29 + "]]")
    assert error.reason == "the expression is nested more than 30 deep"
    assert (error.offset, error.remedy) == (40, SPLIT)


def test_what_the_parser_does_not_take_at_all_is_a_mistake_at_the_start() -> None:
    half, null = error_in("  '\ud800'"), error_in("  a\x00b")
    assert half.reason == "the expression cannot be read here"
    # Not every Python says what is wrong with a null byte.
    hint = "(: source code string cannot contain null bytes)?"
    assert re.fullmatch(f"{half.reason}{hint}", null.reason)
    assert (half.offset, half.remedy) == (null.offset, null.remedy) == (2, CONDITION)
