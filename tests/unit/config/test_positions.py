"""Where a problem points: the very part of a text, however the text is written."""

import pytest

from soni.config.positions import Positions, Source
from soni.config.soni_config import SoniConfig

HEAD = "flows:\n  greet:\n    steps:\n"


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["      - say: Hello {who}"], (4, 20, "{who}")),
        (["      - say: 'Hello {who}'"], (4, 21, "{who}")),
        (['      - say: "Hello {who}"'], (4, 21, "{who}")),
        (['      - say: "Hello\\t{who}"'], (4, 22, "{who}")),
        (["      - say: 'It''s {who}'"], (4, 21, "{who}")),
        (["      - say: |", "          Dear", "          {who}"], (6, 11, "{who}")),
        (["      - say: >-", "          Dear", "          {who}!"], (6, 11, "{who}")),
        (["      - say: Dear", "          friend {who}"], (5, 18, "{who}")),
        (["      - say: &hi Hello {who}"], (4, 24, "{who}")),
    ],
)
def test_an_unknown_name_is_underlined_in_its_text(problems, lines, place):
    found = problems(HEAD + "\n".join(lines) + "\n")[0]
    line, column, text = place
    assert (found.line, found.column) == (line, column)
    assert found.source[column - 1 : column - 1 + found.length] == text


def test_where_the_part_cannot_be_told_the_whole_text_is_underlined(problems):
    text = '      - say: "{who}\\n{who}"\n'
    for found in problems(HEAD + text):
        assert (found.line, found.column, found.length) == (4, 14, 14)


def test_a_value_in_an_alias_is_shown_where_it_is_written(problems):
    (found,) = problems(
        "flows:\n"
        "  a: {steps: [{say: &hi 'Hello {x}'}, {set: {x: 1}}]}\n"
        "  b: {steps: [{say: *hi}]}\n"
    )
    assert found.path == ("flows", "b", "steps", 0, "say")
    assert (found.line, found.column) == (2, 32)


def test_lines_and_columns_count_from_one():
    source = Source("soni.yaml", "a\nbc\n")
    assert [source.locate(index) for index in range(5)] == [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]
    assert [source.get_line(number) for number in (1, 2, 3)] == ["a", "bc", ""]


def test_what_is_written_nowhere_has_a_path_and_no_line():
    problem = Positions(SoniConfig, {}).make_problem(("settings", "language"), "wrong")
    assert (problem.path, problem.line) == (("settings", "language"), None)
