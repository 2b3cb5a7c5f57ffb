"""Input that no author writes is refused before it can keep anything busy."""

import os
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from soni import SoniConfig
from soni.config.guard import MAX_DEPTH, MAX_LINE, MAX_PROBLEMS, MAX_SIGNS, refuse_bombs
from soni.config.load import examine_assistant
from soni.config.positions import Source
from soni.core.errors import ConfigError, UnreadableFile

HELLO = "flows:\n  greet:\n    steps:\n      - say: Hello\n"

BOMBS = {
    "a megabyte of !": ("!" * 1_000_000, "E153"),
    "a megabyte of brackets": ("[" * 1_000_000, "E152"),
    "brackets in brackets": ("[" * (MAX_DEPTH + 1), "E151"),
    "mappings in lists": ("[{a: " * 40, "E151"),
    "a list behind each bracket": ("[a, " * (MAX_DEPTH + 1), "E151"),
    "a megabyte of lines": ("\n" * 1_000_000, "E152"),
    "a megabyte of commas": ("," * 1_000_000, "E152"),
    "a megabyte of colons": (": " * 500_000, "E152"),
    "a megabyte of dashes": ("- " * 500_000, "E152"),
    "a megabyte of question marks": ("? " * 500_000, "E152"),
    "a long string": (f"a: '{'x' * 900_000}'", "E153"),
    "a long number": ("a: " + "9" * 900_000, "E153"),
    "a long comment": ("#" * 900_000, "E153"),
}


@pytest.mark.parametrize("what", BOMBS)
def test_the_parser_is_never_given(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(self: YAML, text: str) -> None:
        raise AssertionError("the parser was given it")

    monkeypatch.setattr(YAML, "parse", parse)
    text, code = BOMBS[what]
    (tmp_path / "soni.yaml").write_text(text)
    assert [problem.code for problem in examine_assistant(tmp_path).problems] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "a" * MAX_LINE,
        "\n" * MAX_SIGNS,
        "[" * MAX_DEPTH + "]" * MAX_DEPTH,
        "[a], " * 200,
        "]" * 200 + "[" * MAX_DEPTH,
        "[\n" * (MAX_DEPTH + 1),
    ],
)
def test_what_is_within_the_bounds_goes_to_the_parser(text: str) -> None:
    assert refusal_of(text) is None


@pytest.mark.parametrize(
    ("text", "code"), [("a" * (MAX_LINE + 1), "E153"), ("\n" * (MAX_SIGNS + 1), "E152")]
)
def test_one_more_is_too_many(text: str, code: str) -> None:
    assert refusal_of(text) == code


def refusal_of(text: str) -> str | None:
    """The code a text is refused with before it is parsed."""
    try:
        refuse_bombs(Source("soni.yaml", text))
    except UnreadableFile as refused:
        return refused.problem.code
    return None


def test_of_very_many_mistakes_the_first_are_told(tmp_path: Path) -> None:
    keys = "".join(f"  key_{number}: {{wrong: 1}}\n" for number in range(2_000))
    (tmp_path / "soni.yaml").write_text(f"slots:\n{keys}")
    assert len(examine_assistant(tmp_path).problems) == MAX_PROBLEMS


def test_of_very_many_wrong_names_the_first_are_told(tmp_path: Path) -> None:
    slots = "".join(f"  slot_{number}: {{}}\n" for number in range(2_000))
    steps = "".join(f"      - say: '{{slto_{number}}}'\n" for number in range(200))
    (tmp_path / "soni.yaml").write_text(f"slots:\n{slots}flows:\n  f:\n    steps:\n{steps}")
    problems = examine_assistant(tmp_path).problems
    assert len(problems) == MAX_PROBLEMS
    assert "and 1,961 more" in str(problems[0])


def test_of_very_many_keys_written_twice_the_first_are_told(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text("a: 1\n" * 10_000)
    (problem,) = examine_assistant(tmp_path).problems
    assert problem.remedy == "keep one of the two; the file has too many mistakes to go on"


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "flows.yaml").write_text(HELLO)
    (tmp_path / "soni.yaml").symlink_to(Path("data") / "flows.yaml")
    assert list(SoniConfig.load(tmp_path).flows) == ["greet"]


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "soni.yaml").write_text(HELLO)
    (tmp_path / "real" / "actions.py").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert list(SoniConfig.load(tmp_path / "link").flows) == ["greet"]


def test_python_behind_a_link_is_not_executed(tmp_path: Path) -> None:
    home, trace = tmp_path / "assistant", tmp_path / "trace"
    home.mkdir()
    (home / "soni.yaml").write_text(HELLO)
    (tmp_path / "outside.py").write_text(f"open({str(trace)!r}, 'w')")
    (home / "actions.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(ConfigError) as caught:
        SoniConfig.load(home)
    assert [problem.code for problem in caught.value.problems] == ["E145"]
    assert not trace.exists()


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(HELLO)
    os.mkfifo(tmp_path / "more.yaml")
    assert list(SoniConfig.load(tmp_path).flows) == ["greet"]


def test_flows_that_call_others_twice_do_not_double_the_work(tmp_path: Path) -> None:
    calls = "steps: [{step: a, call: f%d}, {step: b, call: f%d}]"
    flows = [f"  f{level}: {{{calls % (level + 1, level + 1)}}}\n" for level in range(60)]
    (tmp_path / "soni.yaml").write_text(
        "flows:\n" + "".join(flows) + "  f60: {steps: [{say: x}]}\n"
    )
    assert list(examine_assistant(tmp_path).problems) == []
