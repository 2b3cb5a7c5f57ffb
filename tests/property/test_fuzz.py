"""Whatever somebody writes, they read what is wrong with it: nothing else is ever raised."""

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soni import SoniConfig
from soni.config.codes import load_codes
from soni.config.load import examine_assistant
from soni.core.errors import ConfigError
from soni.core.expressions import parse_expression
from soni.core.expressions.values import ExpressionError
from soni.core.templates import TemplateError, parse_template
from soni.testing.files import read_cases
from tests.depth import choose_count

ASSISTANTS = [
    code.wrong.partition("\n# actions.py\n")[0]
    for code in load_codes().values()
    if not code.in_words
]
TEST_FILE = """
tests:
  - name: greets
    now: 2026-03-02T10:00:00
    stubs: {find: {hotel: Sol}}
    turns:
      - {user: hi, after: 5m, commands: [{StartFlow: {flow_name: greet}}, RepeatLast]}
      - {api: release, expect: {bot: [Hello], slots: {name: null}, handoff: {queue: x}}}
"""

# What changes the meaning of a text in one of the notations.
SIGNS = [
    *"{}[]:,-?!&*#|>%@`'\"\\\n\t ~<=_.0é\x00\x07\ufeff\u202e",
    *("<<", "---", "...", "{{", "}}", "!!int", "&a ", "*a", ": ", "- ", "\\x", "\r\n"),
    *("null", "true", ".nan", "1e999", "0x", "9" * 200, "__class__", "__import__('os')"),
    *("session", "end", "error", "steps", "flows", "slots", "do", "while", "call", "type"),
]
WORDS = st.sampled_from(SIGNS) | st.text(max_size=5)


@st.composite
def bent(draw: st.DrawFn, texts: list[str]) -> str:
    """A text that somebody wrote, changed in a few places."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 12))
        other = draw(st.integers(0, len(text)))
        new = draw(WORDS | st.just(text[other : other + 30]))
        text = text[:start] + new + text[end:]
    return text


def written(text: str, folder: str, name: str = "soni.yaml") -> Path:
    file = Path(folder, name)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return file


@settings(max_examples=choose_count(100, 250), deadline=None)
@given(bent(ASSISTANTS))
def test_an_assistant_is_loaded_or_explained(text: str) -> None:
    with TemporaryDirectory() as folder:
        written(text, folder)
        problems = examine_assistant(folder).problems
        assert all(problem.code in load_codes() for problem in problems)
        assert all(problem.remedy and str(problem) for problem in problems)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            with pytest.raises(ConfigError):
                SoniConfig.load(folder)
        else:
            SoniConfig.load(folder)


@settings(max_examples=choose_count(40, 100), deadline=None)
@given(st.binary(max_size=200))
def test_bytes_are_explained(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "soni.yaml").write_bytes(data)
        assert all(problem.code in load_codes() for problem in examine_assistant(folder).problems)


@settings(max_examples=choose_count(40, 100), deadline=None)
@given(bent([TEST_FILE]))
def test_a_test_file_is_read_or_explained(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = written(text, folder, "greet.test.yaml")
        read = read_cases(file, file.name)
        assert read.content is not None or read.problems


TOKENS = """
    a b.c d[0] 1 2.5 'x' "y" true null [1,2] ( ) [ ] , + - * / // % ** == != < >= in not and or if
    else len( upper( sum( max( today() days( date( __class__ lambda : = { } . 1e308 is & | ~ @ # ;
    9999999999999999999 a.b.c.d session.x 'z'*9 \x00 é \\
    """
EXPRESSION = st.lists(st.sampled_from(TOKENS.split()) | st.text(max_size=3), max_size=12).map(
    " ".join
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


@settings(max_examples=choose_count(200, 500), deadline=None)
@given(EXPRESSION, VALUES, VALUES)
def test_an_expression_is_evaluated_or_refused(text: str, first: Any, second: Any) -> None:
    try:
        expression = parse_expression(text)
        expression.evaluate({"a": first, "b": {"c": second}, "d": [first]}, datetime(2026, 3, 2))
    except ExpressionError as error:
        assert error.reason
        assert error.offset is None or 0 <= error.offset <= len(text)


@settings(max_examples=choose_count(120, 300), deadline=None)
@given(st.lists(WORDS | st.sampled_from(["{name", "{a.b}", "{x | upper}", "}"])).map("".join))
def test_a_text_is_read_or_refused(text: str) -> None:
    try:
        template = parse_template(text)
    except TemplateError as error:
        assert error.remedy
        assert error.offset is not None and 0 <= error.offset <= len(text)
    else:
        said = template.render(lambda path, filter: "{again}")
        assert said.count("{again}") >= len(template.placeholders)
