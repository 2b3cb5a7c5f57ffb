"""An assistant's folder becomes one configuration, or a list of all that is wrong with it."""

from pathlib import Path

import pytest

from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError

GREET = "flows:\n  greet:\n    steps:\n      - say: Hello\n"


def problem_of(path):
    with pytest.raises(ConfigError) as caught:
        SoniConfig.load(path)
    (problem,) = caught.value.problems
    return problem


def test_a_folder_is_loaded(write):
    folder = write({"soni.yaml": GREET})
    config = SoniConfig.load(folder)
    assert [step.message for step in config.flows["greet"].steps] == ["Hello"]
    assert config.folder == folder


def test_a_folder_can_be_given_as_text_and_relative_to_here(write, monkeypatch):
    folder = write({"soni.yaml": GREET})
    monkeypatch.chdir(folder.parent)
    assert SoniConfig.load("assistant").folder == folder


def test_files_of_a_folder_are_one_assistant(write):
    folder = write(
        {
            "soni.yaml": "settings: {language: es}\nslots: {name: {prompt: Who?}}\n" + GREET,
            "more.yml": "settings: {collection: {max_attempts: 5}}\n"
            "slots: {city: {prompt: Where?}}\n"
            "flows: {visit: {steps: [{collect: city}, {collect: name}]}}\n",
        }
    )
    config = SoniConfig.load(folder)
    assert sorted(config.flows) == ["greet", "visit"]
    assert sorted(config.slots) == ["city", "name"]
    assert config.settings.language == "es"
    assert config.settings.collection.max_attempts == 5


def test_one_file_is_loaded_without_its_neighbours_but_with_its_functions(write):
    folder = write(
        {
            "one.yaml": GREET,
            "two.yaml": GREET,
            "actions.py": "from soni.decorators import action\n@action\ndef wave(): ...\n",
        }
    )
    config = SoniConfig.load(folder / "one.yaml")
    assert sorted(config.flows) == ["greet"]
    assert sorted(config.functions.actions) == ["wave"]
    assert config.folder == folder


def test_tests_knowledge_and_hidden_files_are_not_part_of_it(write):
    folder = write(
        {
            "soni.yaml": GREET,
            "tests/a.test.yaml": "tests: []",
            "greet.test.yaml": "tests: []",
            "knowledge/faq.yaml": "- {question: a, answer: b}",
            ".hidden.yaml": "tests: []",
        }
    )
    assert sorted(SoniConfig.load(folder).flows) == ["greet"]


@pytest.mark.parametrize("section", ["settings", "slots", "flows", "responses"])
def test_a_section_may_be_empty(write, section):
    text = GREET.replace("flows:", "flows: ") if section == "flows" else f"{section}:\n{GREET}"
    assert SoniConfig.load(write({"soni.yaml": text})).flows


def test_a_key_defined_in_two_files_is_an_error_that_names_both(problems):
    (problem,) = problems({"soni.yaml": GREET, "more.yaml": "\n" + GREET})
    assert str(problem) == (
        "more.yaml:3:3: E114 'flows.greet' is defined twice; first in soni.yaml:2:3\n"
        "      greet:\n"
        "      ^^^^^\n"
        "  remedy: keep one of the two"
    )


def test_a_version_in_two_files_is_an_error_too(problems):
    (problem,) = problems({"soni.yaml": "version: 1\n" + GREET, "more.yaml": "version: 1\n"})
    assert problem.message == "'version' is defined twice; first in soni.yaml:1:1"


@pytest.mark.parametrize("version", ["1", '"1"', "!!str 1"])
def test_version_one_is_accepted_as_number_and_as_text(write, version):
    config = SoniConfig.load(write({"soni.yaml": f"version: {version}\n{GREET}"}))
    assert config.version == "1"


@pytest.mark.parametrize("version", ["2", '"1.0"', "one"])
def test_another_version_is_refused(problems, version):
    (problem,) = problems(f"version: {version}\n{GREET}")
    assert problem.message == f"unknown version '{version.strip(chr(34))}'"
    assert problem.available == ("1",)


def test_all_problems_of_all_files_are_told_in_the_order_of_reading(problems):
    found = problems(
        {
            "b.yaml": "slots:\n  age: {tipe: integer}\n",
            "a.yaml": "slots:\n  size: {type: big}\n  name: 3\n",
            "soni.yaml": "flows:\n  greet:\n    steps:\n      - say: 3\n    hiden: true\n",
            "c.yaml": "flows: {bad: [x\n",
        }
    )
    assert [(problem.file, problem.line) for problem in found] == [
        ("soni.yaml", 4),
        ("soni.yaml", 5),
        ("a.yaml", 2),
        ("a.yaml", 3),
        ("b.yaml", 2),
        ("c.yaml", 1),
    ]


def test_names_are_not_missed_while_a_file_cannot_be_read(problems):
    (problem,) = problems(
        {
            "soni.yaml": "flows:\n  greet:\n    steps:\n      - collect: name\n",
            "slots.yaml": "slots: {name: {prompt: Who?}\n",
        }
    )
    assert problem.file == "slots.yaml"


def test_names_are_checked_beside_a_duplicate_key(problems):
    found = problems("version: 1\nversion: 1\nflows:\n  greet:\n    steps:\n      - say: '{who}'\n")
    assert [problem.line for problem in found] == [2, 6]


def test_a_missing_folder_is_named_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(problem_of("my_assistant")) == (
        "my_assistant: E140 there is no such file or folder\n"
        "  remedy: give the folder of an assistant"
    )


def test_a_folder_without_yaml_says_what_to_write(tmp_path):
    problem = problem_of(tmp_path)
    assert problem.message == "there is no YAML file in this folder"
    assert problem.remedy == "write a soni.yaml in it"


def test_a_file_that_is_not_yaml_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text(GREET)
    assert problem_of(tmp_path / "notes.txt").message == "this is not a YAML file"


@pytest.mark.parametrize("text", ["", "# later\n", "---\n", "null\n"])
def test_an_empty_file_says_so(write, text):
    assert str(problem_of(write({"soni.yaml": text}))) == (
        "soni.yaml: E141 nothing is written here\n"
        "  remedy: write an assistant, beginning with `flows:`"
    )


def test_a_file_that_is_too_large_is_not_read(write):
    problem = problem_of(write({"soni.yaml": "#" * 1_000_001}))
    assert problem.message == "the file is larger than 1,000,000 bytes"


def test_a_file_in_another_encoding_is_pointed_at(write):
    folder = write({"soni.yaml": ""})
    (folder / "soni.yaml").write_bytes("flows:\n  café: {}\n".encode("latin-1"))
    problem = problem_of(folder)
    assert (problem.line, problem.column) == (2, 6)
    assert problem.message == "this is not UTF-8 text"


def test_a_byte_order_mark_and_windows_lines_are_no_matter(write):
    folder = write({"soni.yaml": ""})
    text = GREET.replace("Hello", "Hello {who}").replace("\n", "\r\n")
    (folder / "soni.yaml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    problem = problem_of(folder)
    assert (problem.line, problem.column) == (4, 20)
    assert problem.source == "      - say: Hello {who}"


def test_a_file_that_cannot_be_opened_is_a_problem(write, monkeypatch):
    folder = write({"soni.yaml": GREET})

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert problem_of(folder).message == "the file cannot be read: Permission denied"


def test_a_link_that_leads_nowhere_is_not_part_of_it(write):
    folder = write({"soni.yaml": GREET})
    (folder / "more.yaml").symlink_to(folder / "gone.yaml")
    assert SoniConfig.load(folder).flows


def test_two_spellings_and_other_names_of_keys_are_found_where_they_are_written(problems):
    found = problems(
        "flows:\n"
        "  greet:\n"
        "    trigger: {intents: 3}\n"
        "    process:\n"
        "      - collect: name\n"
        "        prompt: 3\n"
        "      - action: pay\n"
        "        timeout: 0\n"
        "    inputs:\n"
        "      who?: {from: 3}\n"
    )
    assert [(problem.line, problem.path[2:]) for problem in found] == [
        (3, ("trigger", "intents")),
        (6, ("process", 0, "prompt")),
        (8, ("process", 1, "timeout")),
        (10, ("inputs", "who?", "from")),
    ]


def test_meaning_is_found_where_it_is_written_too(problems):
    found = problems(
        "flows:\n"
        "  greet:\n"
        "    process:\n"
        "      - {collect: name, prompt: 'Hi {a}'}\n"
        "      - branch: [{condition: b, then: end}]\n"
        "      - {input: name, type: branch, cases: {1: x, true: end}}\n"
        "    inputs: {who?: {from: x}}\n"
    )
    assert [(problem.line, problem.path[2:]) for problem in found] == [
        (4, ("process", 0, "prompt")),
        (5, ("process", 1, "branch", 0, "condition")),
        (6, ("process", 2, "cases", "1")),
        (7, ("inputs", "who?", "from")),
    ]


def test_keys_that_are_orders_to_the_settings_library_are_unknown(problems):
    (problem,) = problems("settings: {_env_file: secrets.env}\n" + GREET)
    assert problem.message == "unknown key '_env_file'"


def test_the_environment_decides_over_the_file(write, monkeypatch):
    monkeypatch.setenv("SONI_SETTINGS__LANGUAGE", "es")
    monkeypatch.setenv("SONI_SETTINGS__COLLECTION__MAX_ATTEMPTS", "7")
    config = SoniConfig.load(write({"soni.yaml": "settings: {language: en}\n" + GREET}))
    assert config.settings.language == "es"
    assert config.settings.collection.max_attempts == 7


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("COLLECTION__MAX_ATTEMPTS", "s3cret", "expected a whole number"),
        ("PERSISTENCE__URI", "s3cret", "there is no such setting"),
        ("COLLECTION__MAX_ATTEMPTS", "0", "its value is not possible"),
        ("COLLECTION", '{"s3cret": 1}', "there is no such setting"),
    ],
)
def test_a_wrong_environment_variable_is_named_and_its_value_is_not(
    problems, monkeypatch, variable, value, message
):
    monkeypatch.setenv(f"SONI_SETTINGS__{variable}", value)
    (problem,) = problems(GREET)
    assert problem.message == f"environment variable SONI_SETTINGS__{variable}: {message}"
    assert "s3cret" not in str(problem).replace("collection.s3cret", "")


def test_an_environment_variable_that_is_not_json_is_a_problem(problems, monkeypatch):
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE", "s3cret")
    (problem,) = problems(GREET)
    assert problem.message == (
        "environment variable SONI_SETTINGS__...: "
        'error parsing value for field "persistence" from source "EnvSettingsSource"'
    )
    assert "s3cret" not in str(problem)
