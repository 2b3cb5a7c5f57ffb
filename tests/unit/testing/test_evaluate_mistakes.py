"""Mistakes in files of sentences are shown like mistakes in flows."""

from pathlib import Path

import pytest

from soni.core.errors import ConfigError, Problem
from soni.testing.evaluate import Evaluation
from tests.unit.testing.test_evaluate import BANK


def problems(tmp_path: Path, text: str) -> list[Problem]:
    (tmp_path / "soni.yaml").write_text(BANK)
    (tmp_path / "nlu").mkdir(exist_ok=True)
    (tmp_path / "nlu" / "a.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        Evaluation.load(tmp_path)
    return list(caught.value.problems)


@pytest.mark.parametrize(
    ("written", "message", "remedy"),
    [
        ("said: {idle: {hi: ChtChat}}", "unknown command 'ChtChat'", "'ChitChat'?"),
        ("said: {idle: {hi: StartFlow transfr}}", "unknown flow 'transfr'", "'transfer'?"),
        ("said: {idle: {hi: Disambiguate a b}}", "unknown flow 'a'", "name a flow"),
        ("said: {idle: {hi: SetSlot amout 3}}", "unknown slot 'amout'", "'amount'?"),
        ("said: {idle: {hi: SetSlot parcel.amount 3}}", "unknown slot 'amount'", "flow asks for"),
        ("said: {idle: {hi: SetSlot parcl.amount 3}}", "unknown flow 'parcl'", "'parcel'?"),
        ("said: {idle: {hi: DenyConfirmation amout}}", "unknown slot 'amout'", "'amount'?"),
        ("said: {idle: {hi: SetSlot amount}}", "'value' is missing", "add `value: ...`"),
        ("said: {idle: {hi: AffirmConfirmation now}}", "nothing can follow here", "SetSlot"),
        ("said: {idle: {hi: }}", "expected commands", "`[]` for nothing"),
        ("said: {idle: {hi: 5}}", "expected commands", "`[]` for nothing"),
        ("said: {idle: {hi: [[ChitChat]]}}", "expected a name", "`[]` for nothing"),
        ("said: {idle: {hi: [{SetSlot: {slot_name: amount, vale: 1}}]}}", "'value' is", "add"),
        ("said: {idle: {hi: [{StartFlow: {flow_name: transfer, slots: {x: 1}}}]}}", "'x'", "slot"),
        ("said: {idl: {hi: ChitChat}}", "unknown moment 'idl'", "'idle'?"),
        ("said: {far: {hi: ChitChat}}", "unknown moment 'far'", "under `moments`"),
        ("moments: {idle: []}\nsaid: {idle: {hi: ChitChat}}", "'idle' is the beginning", "another"),
        ("moments: {a: [[StartFlow x]]}\nsaid: {idle: {hi: ChitChat}}", "unknown flow 'x'", "flow"),
        ("now: soon\nsaid: {idle: {hi: ChitChat}}", "expected a date and time", "2026-03-02"),
        ("stubs: {act: 1}\nsaid: {idle: {hi: ChitChat}}", "unknown action 'act'", "@action"),
    ],
)
def test_what_makes_no_sense_is_told_with_a_remedy(
    tmp_path: Path, written: str, message: str, remedy: str
) -> None:
    problem = problems(tmp_path, written)[0]
    assert problem.file == "nlu/a.yaml"
    assert problem.line is not None
    assert problem.code == "E702"
    assert message in problem.message
    assert remedy in (problem.remedy or "")


def test_the_place_is_underlined(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, "said:\n  idle:\n    hello: ChitChat; SetSlot amout 5\n")
    assert problem.where == "nlu/a.yaml:3:12"
    assert problem.excerpt[0] == "    hello: ChitChat; SetSlot amout 5"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("", "E141"),
        ("- a", "E103"),
        ("moments: {}", "E102"),
        ("said: {idle: {hi: ChitChat}}\nsay: {}", "E101"),
        ("said: {idle: {hi: ChitChat, hi: Clarify}}", "E1"),
        ("moments: {a: [StartFlow transfer]}\nsaid: {a: {hi: ChitChat}}", "E1"),
    ],
)
def test_what_any_file_can_have_keeps_its_code(tmp_path: Path, written: str, code: str) -> None:
    assert problems(tmp_path, written)[0].code.startswith(code)


def test_every_file_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "b.test.yaml").write_text("tests: [{name: x, turns: [{usr: hi}]}]")
    found = problems(tmp_path, "said: {idle: {hi: StartFlow x}}")
    assert [problem.file for problem in found] == ["b.test.yaml", "nlu/a.yaml"]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(BANK)
    with pytest.raises(ConfigError, match="cannot be read"):
        Evaluation.load(tmp_path, [tmp_path / "no.yaml"])
