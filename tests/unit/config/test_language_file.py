"""`soni check` of a language's file says what is wrong in it, and what it lacks."""

from pathlib import Path

import pytest

from soni.config.codes import Code, load_codes
from soni.config.language_file import examine_language, is_language_file
from soni.core.errors import Problem
from soni.language import find_language
from tests.program import soni as run_soni

CODES = [code for code in load_codes().values() if code.code.startswith("E6")]
HEAD = "language: {name: Deutsch}\n"


def errors(text: str, folder: Path, name: str = "de.yaml") -> list[Problem]:
    file = folder / name
    file.write_text(f"{text}\n", encoding="utf-8")
    return [problem for problem in examine_language(file) if problem.severity == "error"]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_the_wrong_example_has_this_problem_and_the_right_one_none(
    code: Code, tmp_path: Path
) -> None:
    assert [problem.code for problem in errors(code.wrong, tmp_path)] == [code.code]
    assert errors(code.right, tmp_path) == []


def test_english_lacks_nothing(tmp_path: Path) -> None:
    assert errors("language: {name: English}\nsongs:\n  sing: [la]", tmp_path, "en.yaml") == []
    assert examine_language(tmp_path / "en.yaml") == []


def test_what_is_missing_is_told_with_its_count_for_each_section_that_is_begun(
    tmp_path: Path,
) -> None:
    file = tmp_path / "de.yaml"
    text = f"{HEAD}lexical_wishes:\n  wanting: ['m(?:o|oe)chte\\w*']\n  having: []\n"
    file.write_text(text, encoding="utf-8")
    warnings = {problem.message: problem for problem in examine_language(file)}
    wishes = warnings["'lexical_wishes' lacks 2 of the 6 names that English has"]
    assert (wishes.code, wishes.line) == ("W607", 2)
    needs = "add what the language needs: lexical_wishes.infinitive, lexical_wishes.getting"
    assert wishes.remedy == needs
    [absent] = [each for each in warnings.values() if each is not wishes]
    assert absent.line == 1
    assert "sections of English are missing, with " in absent.message
    own = {f"lexical.{name}" for name in find_language("en").sections["lexical"]}
    assert own & {*absent.available}


def test_days_and_months_that_babel_has_are_not_missing(tmp_path: Path) -> None:
    (tmp_path / "de.yaml").write_text(HEAD, encoding="utf-8")
    [problem] = examine_language(tmp_path / "de.yaml")
    assert "calendar.weekdays" not in problem.available
    assert "lexicon.affirm" in problem.available


def test_a_misspelt_name_is_told_with_the_nearest_and_its_place(tmp_path: Path) -> None:
    [section, name] = errors(f"{HEAD}lexicom:\n  affirm: [ja]\nlexicon:\n  denny: [nein]", tmp_path)
    assert section.remedy == "did you mean 'lexicon'?"
    assert (name.line, name.column, name.remedy) == (5, 3, "did you mean 'deny'?")
    assert "affirm" in name.available


def test_a_class_of_its_own_is_no_mistake_where_a_pattern_is_made_of_it(tmp_path: Path) -> None:
    text = "lexical_acts:\n  away: [weg, fort]\n  leaving: ['{away} damit']"
    assert errors(f"{HEAD}{text}", tmp_path) == []


def test_two_classes_made_of_each_other_are_told(tmp_path: Path) -> None:
    text = "lexical_acts:\n  one: ['{two}']\n  two: ['{one}']\n  leaving: ['{one}']"
    found = errors(f"{HEAD}{text}", tmp_path)
    assert [problem.message for problem in found] == [
        "'lexical_acts.one' is made of itself",
        "'lexical_acts.two' is made of itself",
    ]


def test_a_group_that_english_has_named_already_is_told(tmp_path: Path) -> None:
    text = "lexical_wishes:\n  there_is: 'gibt es (?P<noun>\\w+)'"
    [problem] = errors(f"{HEAD}{text}", tmp_path)
    assert problem.code == "E603"
    assert errors(f"{HEAD}{text.replace('there_is: ', 'there_is: {only: ')}}}", tmp_path) == []


def test_what_is_wrong_in_a_class_is_told_there_and_not_where_it_is_used(tmp_path: Path) -> None:
    text = "lexical_acts:\n  away: ['(weg']\n  leaving: ['{away} damit']"
    [problem] = errors(f"{HEAD}{text}", tmp_path)
    assert (problem.line, problem.code) == (3, "E603")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lexicon: [ja]", "expected names with their words under 'lexicon', found a list"),
        ("lexicon:\n  affirm: [1]", "expected a text, found the number 1"),
        ("lexicon:\n  affirm:", "expected a text, found nothing"),
    ],
)
def test_what_is_no_text_is_told(text: str, reason: str, tmp_path: Path) -> None:
    assert [problem.message for problem in errors(f"{HEAD}{text}", tmp_path)] == [reason]


def test_only_where_english_has_several_patterns_may_groups_have_the_same_names(
    tmp_path: Path,
) -> None:
    own = f"{HEAD}correction:\n  replaced: ['(?P<new>{{grammar.phrase}}) statt (?P<old>.+)']"
    assert errors(own, tmp_path) == []
    twice = f"{HEAD}wish:\n  once_more: ['und (?P<rest>.+)']"
    assert [problem.code for problem in errors(twice, tmp_path)] == ["E603"]


def test_a_language_says_its_name_and_nothing_unknown(tmp_path: Path) -> None:
    found = errors("language: {model: true}", tmp_path)
    assert [problem.message for problem in found] == ["'name' is missing", "unknown key 'model'"]


def test_only_a_file_that_says_so_is_a_language(tmp_path: Path) -> None:
    for name, text in (("de.yaml", HEAD), ("soni.yaml", "flows: {}"), ("broken.yaml", "{")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert is_language_file(tmp_path / "de.yaml")
    assert not any(map(is_language_file, (tmp_path, tmp_path / "soni.yaml")))
    assert not any(map(is_language_file, (tmp_path / "broken.yaml", tmp_path / "none.yaml")))


def test_the_author_reads_place_reason_and_remedy(tmp_path: Path) -> None:
    file = tmp_path / "de.yaml"
    file.write_text(f"{HEAD}lexicon:\n  afirm: [ja]\n", encoding="utf-8")
    run = run_soni("check", file)
    assert run.returncode == 1
    assert "de.yaml:3:3: E601 nothing asks for 'lexicon.afirm'" in run.stdout
    assert "remedy: did you mean 'affirm'?" in run.stdout
    file.write_text(f"{HEAD}lexicon:\n  affirm: [ja]\n", encoding="utf-8")
    assert run_soni("check", file).returncode == 0
    assert run_soni("check", file, "--strict").returncode == 1


def test_a_sentence_that_soni_says_uses_only_the_values_it_is_given(tmp_path: Path) -> None:
    text = "responses:\n  flow_resumed: Zurück zu {flow}.\n  chitchat: Hallo {flow}.\n"
    [problem] = errors(f"{HEAD}{text}", tmp_path)
    assert problem.code == "E602"
    assert problem.message == "the sentence 'chitchat' has no value 'flow'"
    assert problem.line == 4
