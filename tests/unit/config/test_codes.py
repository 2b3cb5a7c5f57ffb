"""Codes: each is explained once, and its examples do what they say."""

import ast
import re
from pathlib import Path

import pytest

import soni
from soni.config.codes import Code, load_codes
from soni.config.load import examine_assistant
from tests.program import python
from tools.errors_page import PAGE, page

CHECKED = [code for code in load_codes().values() if not code.in_words]


def found(example: str, folder: Path) -> list[str]:
    """The codes of an assistant's problems; its Python stands below `# actions.py`."""
    text, _, python = example.partition("\n# actions.py\n")
    (folder / "soni.yaml").write_text(f"{text}\n", encoding="utf-8")
    if python:
        (folder / "actions.py").write_text(f"{python}\n", encoding="utf-8")
    return [problem.code for problem in examine_assistant(folder).problems]


@pytest.mark.parametrize("code", CHECKED, ids=lambda code: code.code)
def test_the_wrong_example_has_this_problem_and_no_other(code: Code, tmp_path: Path) -> None:
    assert found(code.wrong, tmp_path) == [code.code]


@pytest.mark.parametrize("code", CHECKED, ids=lambda code: code.code)
def test_the_right_example_has_no_problem(code: Code, tmp_path: Path) -> None:
    assert found(code.right, tmp_path) == []


@pytest.mark.parametrize("code", load_codes().values(), ids=lambda code: code.code)
def test_a_code_says_all_there_is_to_say(code: Code) -> None:
    assert re.fullmatch(r"[EW]\d{3}", code.code)
    assert all([code.title, code.cause, code.remedy, code.wrong, code.right])
    assert code.severity == {"E": "error", "W": "warning"}[code.code[0]]


def test_titles_are_all_different() -> None:
    titles = [code.title for code in load_codes().values()]
    assert len(titles) == len(set(titles))


def test_the_page_in_the_docs_is_what_the_codes_say() -> None:
    # Write it anew with `python tools/errors_page.py`.
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_code_of_a_problem_is_explained_and_every_explained_code_is_used() -> None:
    modules = Path(soni.__file__).parent.rglob("*.py")
    constants = (
        node.value
        for module in modules
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert {text for text in constants if re.fullmatch(r"[EW]\d{3}", text)} == set(load_codes())


def test_loading_an_assistant_does_not_read_the_explanations(tmp_path: Path) -> None:
    code = "import soni, sys; soni.SoniConfig.load('.'); print('soni.config.codes' in sys.modules)"
    (tmp_path / "soni.yaml").write_text(load_codes()["E104"].right, encoding="utf-8")
    assert python(code, tmp_path).stdout == "False\n"
