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


SHOP = """
slots:
  size: {type: choice, values: {small: [tiny], large: []}, prompt: Which size?}
  age:
    {type: integer, prompt: How old are you?, constraints: [{if: age > 17, message: Too young.}]}
  note: {prompt: Anything else?}
flows:
  order:
    trigger: {examples: [a coffee]}
    steps:
      - set: {cups: [{name: paper}, {name: china}]}
      - collect: size
      - collect: age
      - {collect: cup, from: cups, message: Which cup?, display: "{name}"}
      - collect: note
"""


def shop(tmp_path: Path, said: str) -> Path:
    (tmp_path / "soni.yaml").write_text(SHOP)
    (tmp_path / "nlu").mkdir()
    (tmp_path / "nlu" / "shop.yaml").write_text(f"said:\n  idle:\n{said}")
    return tmp_path


def warnings(tmp_path: Path, said: str) -> list[Problem]:
    return list(Evaluation.load(shop(tmp_path, f"    hi: {said}\n")).warnings)


@pytest.mark.parametrize(
    ("said", "message", "available"),
    [
        ("SetSlot size huge", "slot 'size' does not take 'huge'", ("small", "large")),
        ("CorrectSlot size huge", "slot 'size' does not take 'huge'", ("small", "large")),
        ("StartFlow order; SetSlot age old", "slot 'age' does not take 'old'", ()),
        (
            "[{StartFlow: {flow_name: order, slots: {size: huge}}}]",
            "slot 'size' does not take 'huge'",
            ("small", "large"),
        ),
    ],
)
def test_a_value_that_its_slot_does_not_take_is_a_warning(
    tmp_path: Path, said: str, message: str, available: tuple[str, ...]
) -> None:
    [problem] = warnings(tmp_path, said)
    assert (problem.severity, problem.code) == ("warning", "W606")
    assert (problem.file, problem.line) == ("nlu/shop.yaml", 3)
    assert problem.message == message
    assert problem.available == available
    assert problem.remedy is not None


@pytest.mark.parametrize(
    "said",
    [
        "SetSlot size tiny",
        "SetSlot size LARGE",
        "SetSlot age 12",
        "SetSlot age twenty",
        "SetSlot cup the second one",
        "SetSlot note no sugar",
        "SkipSlot size",
        "[{SetSlot: {slot_name: size, value: null}}]",
    ],
)
def test_what_people_may_well_say_is_no_warning(tmp_path: Path, said: str) -> None:
    assert warnings(tmp_path, said) == []


def test_only_the_half_that_is_asked_is_warned_of(tmp_path: Path) -> None:
    lines = [f"    hi {number}: SetSlot size huge\n" for number in range(20)]
    folder = shop(tmp_path, "".join(lines))
    tuning = Evaluation.load(folder, half="tuning").warnings
    apart = Evaluation.load(folder, half="held-out").warnings
    assert tuning
    assert apart
    assert len(tuning) + len(apart) == 20
