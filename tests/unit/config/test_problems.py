"""How a problem looks: its place, the line underlined, what would have been accepted."""

from soni.core.errors import ConfigError, Problem


def test_a_problem_shows_its_line_underlined():
    problem = Problem(
        "unknown slot 'nmae'",
        remedy="did you mean 'name'?",
        file="soni.yaml",
        line=3,
        column=11,
        length=4,
        source="- collect: nmae",
        available=("age", "name"),
    )
    assert str(problem) == (
        "soni.yaml:3:11: unknown slot 'nmae'\n"
        "    - collect: nmae\n"
        "              ^^^^\n"
        "  available: age, name\n"
        "  remedy: did you mean 'name'?"
    )


def test_a_problem_without_a_file_shows_its_path():
    assert str(Problem("wrong", path=("flows", "greet", "steps", 0))) == (
        "flows.greet.steps.0: wrong"
    )
    assert str(Problem("wrong")) == "assistant: wrong"


def test_wide_signs_are_underlined_where_they_stand():
    problem = Problem("wrong", file="a", line=1, column=4, length=2, source="日本 名前!")
    assert problem.excerpt == ("日本 名前!", "     ^^^^")


def test_accents_that_take_no_room_are_not_counted():
    problem = Problem("wrong", file="a", line=1, column=4, source="e\u0301 x")
    assert problem.excerpt[1] == "  ^"


def test_what_a_terminal_would_obey_is_not_shown():
    problem = Problem("wrong", file="a", line=1, column=2, source="\t\x1b[31mx")
    assert problem.excerpt == ("  [31mx", " ^")


def test_of_a_long_line_the_part_that_matters_is_shown():
    problem = Problem("wrong", file="a", line=1, column=5001, length=3, source="." * 5000 + "bad")
    line, marks = problem.excerpt
    assert line == "." * 100 + "bad"
    assert marks == " " * 100 + "^^^"


def test_the_error_holds_every_problem():
    problems = [Problem("one"), Problem("two")]
    error = ConfigError(problems)
    assert error.problems == tuple(problems)
    assert str(error) == "2 problems found\n\nassistant: one\n\nassistant: two"
    assert str(ConfigError(problems[:1])) == "1 problem found\n\nassistant: one"
