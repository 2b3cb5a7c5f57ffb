"""An assistant's Python: imported under its own name, anew each time, and never by accident."""

import sys
from threading import Thread

import pytest

from soni.config.soni_config import SoniConfig

GREET = "flows:\n  greet:\n    steps:\n      - say: Hello\n"
WAVE = "from soni.decorators import action\n\n@action\ndef wave():\n    return {'hand': 'left'}\n"


def modules():
    return {name for name in sys.modules if name.startswith("_soni_assistant_")}


def test_marked_functions_are_found_by_name(write):
    text = WAVE + "\n@action('Greet')\nasync def hello(): ...\n\ndef unmarked(): ...\n"
    config = SoniConfig.load(write({"soni.yaml": GREET, "actions.py": text}))
    assert sorted(config.functions.actions) == ["Greet", "wave"]


def test_without_python_there_are_no_functions(write):
    assert not SoniConfig.load(write({"soni.yaml": GREET})).functions.actions


def test_two_assistants_do_not_see_each_other(write):
    one = write({"soni.yaml": GREET, "actions.py": WAVE}, "one")
    two = write({"soni.yaml": GREET, "actions.py": WAVE.replace("left", "right")}, "two")
    first, second = SoniConfig.load(one), SoniConfig.load(two)
    assert first.functions.actions["wave"]() == {"hand": "left"}
    assert second.functions.actions["wave"]() == {"hand": "right"}


def test_loading_again_executes_the_file_as_it_is_now(write):
    folder = write({"soni.yaml": GREET, "actions.py": WAVE})
    SoniConfig.load(folder)
    known = modules()
    # As long as before and within the same second: what stale bytecode would hide.
    write({"actions.py": WAVE.replace("left", "both")})
    assert SoniConfig.load(folder).functions.actions["wave"]() == {"hand": "both"}
    assert modules() == known


def test_modules_of_a_package_are_fresh_too(write):
    files = {
        "soni.yaml": GREET,
        "actions/__init__.py": "",
        "actions/hands.py": "from .side import SIDE\n" + WAVE.replace("'left'", "SIDE"),
        "actions/side.py": "SIDE = 'left'\n",
    }
    folder = write(files)
    assert SoniConfig.load(folder).functions.actions["wave"]() == {"hand": "left"}
    write({"actions/side.py": "SIDE = 'both'\n"})
    assert SoniConfig.load(folder).functions.actions["wave"]() == {"hand": "both"}
    assert not list(folder.rglob("__pycache__"))


def test_a_package_may_import_relatively_while_it_runs(write):
    late = WAVE.replace("return {'hand': 'left'}", "from .far.side import SIDE; return SIDE")
    folder = write(
        {"soni.yaml": GREET, "actions/__init__.py": late, "actions/far/side.py": "SIDE = 'left'\n"}
    )
    assert SoniConfig.load(folder).functions.actions["wave"]() == "left"


def test_dataclasses_and_models_work_in_it(write):
    text = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from pydantic import BaseModel\n" + WAVE + "\n@dataclass\nclass A:\n    x: int\n"
        "class B(BaseModel):\n    a: A\n"
    )
    folder = write({"soni.yaml": GREET, "actions.py": text})
    wave = SoniConfig.load(folder).functions.actions["wave"]
    assert wave.__globals__["B"](a={"x": "3"}).a.x == 3


def test_the_folder_is_not_put_on_the_path(write):
    folder = write({"soni.yaml": GREET, "actions.py": WAVE})
    before = list(sys.path), list(sys.meta_path)
    SoniConfig.load(folder)
    assert (list(sys.path), list(sys.meta_path)) == before
    assert "actions" not in sys.modules


def test_one_folder_may_be_loaded_by_several_threads(write):
    folder = write(
        {
            "soni.yaml": GREET,
            "actions/__init__.py": "from .hands import wave\n",
            "actions/hands.py": WAVE,
        }
    )
    loaded = []
    threads = [
        Thread(target=lambda: loaded.append(SoniConfig.load(folder).functions)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sorted(functions.actions) for functions in loaded] == [["wave"]] * 8


BROKEN = {
    "a mistake of grammar": (
        "x = = 1\n",
        "actions.py:1:5: E511 actions.py cannot be imported: SyntaxError: invalid syntax\n"
        "    x = = 1\n"
        "        ^",
    ),
    "an exception": (
        "x = 1\nraise KeyError('hand')\n",
        "actions.py:2: E511 actions.py cannot be imported: KeyError: 'hand'",
    ),
    "an import that is not there": (
        "import no_such_module_at_all\n",
        "actions.py:1: E511 actions.py cannot be imported: "
        "ModuleNotFoundError: No module named 'no_such_module_at_all'",
    ),
    "a way out": (
        "import sys\nsys.exit()\n",
        "actions.py:2: E511 actions.py cannot be imported: SystemExit",
    ),
    "two actions of one name": (
        WAVE + "\n@action('wave')\ndef other(): ...\n",
        "actions.py: E511 actions.py cannot be imported: ValueError: "
        "two actions are named 'wave': wave and other; rename one",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_python_that_cannot_be_imported_is_one_problem(problems, what):
    text, shown = BROKEN[what]
    before = modules()
    # The unknown action would be a problem of its own, were the functions known.
    calling = "flows:\n  greet:\n    steps:\n      - action: wave\n"
    (problem,) = problems({"soni.yaml": calling, "actions.py": text})
    assert str(problem) == (
        f"{shown}\n  remedy: correct it; until then no action, validator or normalizer is known"
    )
    assert modules() == before


def test_what_does_not_need_functions_is_checked_all_the_same(problems):
    found = problems(
        {
            "soni.yaml": "slots: {age: {validator: v}}\n"
            "settings: {handoff: {action: a}}\n"
            "flows:\n  greet:\n    steps:\n      - {say: Hi, jump_to: nowhere}\n",
            "actions.py": "1 / 0\n",
        }
    )
    assert [problem.file for problem in found] == ["soni.yaml", "actions.py"]
    assert found[0].message == "unknown step 'nowhere'"


def test_a_problem_in_a_module_of_a_package_is_shown_there(problems):
    (problem,) = problems(
        {
            "soni.yaml": GREET,
            "actions/__init__.py": "from . import hands\n",
            "actions/hands.py": "\n1 / 0\n",
        }
    )
    assert (problem.file, problem.line) == ("actions/hands.py", 2)
    assert problem.message == (
        "actions/__init__.py cannot be imported: ZeroDivisionError: division by zero"
    )


def test_a_module_and_a_package_at_once_are_refused(problems):
    (problem,) = problems({"soni.yaml": GREET, "actions.py": WAVE, "actions/__init__.py": ""})
    assert problem.message == "there is both an actions.py and a package actions/"


def test_a_folder_of_python_without_init_is_refused(problems):
    (problem,) = problems({"soni.yaml": GREET, "actions/hands.py": WAVE})
    assert problem.remedy == "add an empty actions/__init__.py"
