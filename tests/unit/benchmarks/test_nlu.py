"""The benchmark of tests/nlu: what it counts, and a floor under what is understood."""

import json
from pathlib import Path

import pytest

import soni
from benchmarks.understanding.nlu import NLU, chosen, main, scored, together
from soni.testing.evaluate import is_held_out

SHOP = """
flows:
  order:
    trigger: {examples: [order a cake]}
    steps:
      - say: Ordered.
"""
# Nobody could understand the second.
SAID = {"order a cake": "StartFlow order", "zzz qqq": "StartFlow order"}
HALVES = {text: "apart" if is_held_out(text) else "tuning" for text in SAID}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("shop", "hostel"):
        (tmp_path / f"{name}.assistant.yaml").write_text(SHOP)
        for language in ("english", "spanish"):
            file = tmp_path / f"{name}.{language}.yaml"
            file.write_text(json.dumps({"said": {"idle": SAID}}))
    return tmp_path


def test_each_file_and_each_language_is_counted_and_no_sentence_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--half", "unread", "--processes", "1"], folder)
    told = capsys.readouterr().out
    assert [line.split() for line in told.splitlines()] == [
        ["unread", "exact", "of", "share"],
        ["hostel.english", "1", "2", "0.500"],
        ["hostel.spanish", "1", "2", "0.500"],
        [],
        ["english,", "1", "files", "1", "2", "0.500"],
        ["spanish,", "1", "files", "1", "2", "0.500"],
        ["all,", "2", "files", "2", "4", "0.500"],
    ]


async def test_a_half_is_asked_without_the_other(folder: Path) -> None:
    for half in ("tuning", "apart"):
        files = chosen(folder, half)
        # Nothing was tuned on the hostel, so it is in neither half.
        assert [file.name for file in files] == ["shop.english.yaml", "shop.spanish.yaml"]
        mine = [text for text, where in HALVES.items() if where == half]
        one = (await scored(files[0], half)).exact
        assert (one.count, one.total) == ("order a cake" in mine, len(mine))


async def test_where_nothing_was_set_apart_all_of_it_was_tuned_on(folder: Path) -> None:
    for kind in ("assistant", "english"):
        (folder / f"shop.{kind}.yaml").rename(folder / f"wallet.{kind}.yaml")
    [file] = chosen(folder, "tuning", ["wallet"])
    assert (await scored(file, "tuning")).exact.total == len(SAID)
    assert file not in chosen(folder, "apart")


def test_programs_get_json_and_too_little_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^less than 0\.6 of"):
        main(["--half", "unread", "--processes", "1", "--json", "--fail-under", "0.6"], folder)
    told = json.loads(capsys.readouterr().out)
    assert told["files"]["hostel.english"] == {"count": 1, "total": 2, "share": 0.5}
    assert told["languages"]["spanish"] == {"files": 1, "count": 1, "total": 2, "share": 0.5}
    assert told["all"] == {"files": 2, "count": 2, "total": 4, "share": 0.5}


def test_an_assistant_that_is_not_there_is_told_with_those_that_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["shopp"], folder)
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert "no sentences for shopp" in told and "there are: shop\n" in told


@pytest.mark.slow
async def test_the_default_understanding_does_not_get_worse_unnoticed() -> None:
    # Measured: 129 of 131 and 82 of 84. A few sentences of slack, no more.
    files = [NLU / "bank.english.yaml", NLU / "clinic.english.yaml"]
    exact = together([await scored(file, "tuning") for file in files])
    assert exact.total == 215
    assert exact.count >= 207


def test_what_comes_with_the_package_beside_its_code_stays_under_45_mb() -> None:
    home = Path(soni.__file__).parent
    code = (".py", ".pyc")
    data = [file for file in home.rglob("*") if file.is_file() and file.suffix not in code]
    assert {file.name for file in data} >= {"encoder.safetensors", "tagger.safetensors"}
    assert sum(file.stat().st_size for file in data) < 45_000_000
