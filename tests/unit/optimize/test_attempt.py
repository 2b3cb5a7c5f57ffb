"""What `soni optimize` fits beside examples: how sure it must be, and when a model is asked."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from soni.optimize.attempt import count_understood
from soni.testing.evaluate.meaning import Unit
from soni.testing.evaluate.sample import Reading, Sample
from tests.model_server import commands, serving

BAKERY = """
slots:
  note: {prompt: What shall be written on it?}
flows:
  cake:
    trigger: {examples: [order a cake, I want a cake]}
    steps:
      - collect: note
      - say: Ordered.
  tart:
    trigger: {examples: [order a tart, I want a tart]}
    steps:
      - say: Ordered.
"""
# Written on a cake; with the usual limits some of it is taken for a wish to leave the cake.
NOTES = (
    *("rather a tart", "tarts are cheaper", "who wants a tart", "next time a tart"),
    *("more tarts for Anna", "the best tart in town", "keep calm and eat a tart"),
    *("happy tart day", "tart or no tart", "my little tart", "no tart today"),
    *("Anna loves tarts", "one tart too many", "to the queen of tarts"),
    *("born to eat tarts", "sweet as a tart", "a tart is a tart"),
    *("tarts make us happy", "a tart would be nicer", "tarts are what I want"),
)
# The offline understanding knows what is meant, but is not as sure as of an example.
OPENINGS = ("could I get", "can you bake", "we need", "please make")
ENDS = ("", " for my mother", " for the weekend")
WISHES = {
    f"{opening} a {what}{end}": f"StartFlow {what}"
    for opening in OPENINGS
    for what in ("cake", "tart")
    for end in ENDS
}


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command sets up logging for its whole process, which here is that of all tests."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def soni(*arguments: Any, **variables: str) -> Result:
    verb = str(arguments[0])
    return CliRunner().invoke(make_app([verb]), [*map(str, arguments)], env=variables)


def written(folder: Path, said: dict[str, dict[str, str]]) -> Path:
    (folder / "nlu").mkdir()
    (folder / "soni.yaml").write_text(BAKERY)
    sentences = {"moments": {"note": [["StartFlow cake"]]}, "said": said}
    (folder / "nlu" / "said.yaml").write_text(json.dumps(sentences))
    return folder


def program_of(folder: Path) -> dict[str, Any]:
    text = (folder / "soni.program.json").read_text(encoding="utf-8")
    program: dict[str, Any] = json.loads(text)
    return program


def test_how_sure_the_offline_understanding_must_be_is_fitted(tmp_path: Path) -> None:
    folder = written(tmp_path, {"note": {note: f"SetSlot note {note}" for note in NOTES}})
    result = soni("optimize", folder)
    assert result.exit_code == 0, result.output
    program = program_of(folder)
    # None of these sentences starts a flow, so nothing else can have helped.
    assert program["local"]["limits"]
    assert not program["local"]["examples"]
    before, after, total = (program["scores"][key] for key in ("before", "after", "total"))
    more = "one sentence" if after - before == 1 else f"{after - before} sentences"
    told = f"on the part that is set apart: {before} of {total} before, {after} of {total} after"
    assert f"{told}, {more} more" in result.stdout


def with_a_model_that_is_no_help(folder: Path, **own: str) -> Result:
    """It is wrong about everything, and spoils what was understood."""
    with serving() as model:
        model.always = commands({"type": "OutOfScope"})
        nlu = {"MODEL": "tiny", "BASE_URL": model.url, **own}
        settings = {f"SONI_SETTINGS__NLU__{key}": value for key, value in nlu.items()}
        return soni("optimize", folder, "--provider", "cascade", "--budget", 40, **settings)


@pytest.mark.slow
def test_a_cascade_stops_to_ask_a_model_that_is_no_help(tmp_path: Path) -> None:
    folder = written(tmp_path, {"idle": WISHES})
    result = with_a_model_that_is_no_help(folder)
    assert result.exit_code == 0, result.output
    program = program_of(folder)
    assert program["scores"]["after"] > program["scores"]["before"]
    assert program["threshold"] < 0.85
    # No message that it could be shown has helped the model.
    assert not program.get("llm")


@pytest.mark.slow
def test_a_threshold_that_is_written_is_not_learnt_anew(tmp_path: Path) -> None:
    folder = written(tmp_path, {"idle": WISHES})
    result = with_a_model_that_is_no_help(folder, THRESHOLD="0.99")
    assert "settings.nlu.threshold: 0.99 is written, and so it stays" in result.stdout
    assert result.exit_code == 3, result.output


def test_where_a_model_says_nothing_a_cascade_stays_with_the_first_answer() -> None:
    sample = Sample("a cake", (), "said.yaml", 1, "idle")
    meant = frozenset({Unit("StartFlow", "cake")})
    first = Reading(sample, meant, meant, confidence=0.7, seconds=0)
    nothing = Reading(sample, meant, frozenset(), confidence=0, seconds=0)
    other = frozenset({Unit("OutOfScope")})
    wrong = Reading(sample, meant, other, confidence=1, seconds=0)
    assert count_understood([(first, nothing)], 0.8) == 1
    assert count_understood([(first, wrong)], 0.8) == 0
    assert count_understood([(first, wrong)], 0.7) == 1
    assert count_understood([(nothing, first)], 0.0) == 1


def test_a_terminal_shows_a_bar_and_a_pipe_shows_none(tmp_path: Path) -> None:
    # The examples themselves: everything is understood, and so nothing is learnt.
    examples = [f"order a cake{'!' * end}" for end in range(20)]
    folder = written(tmp_path, {"idle": dict.fromkeys(examples, "StartFlow cake")})
    bar = soni("optimize", folder, FORCE_COLOR="1", COLUMNS="100", TERM="xterm")
    assert bar.exit_code == 3, bar.output
    assert "measuring" in bar.stdout and "━" in bar.stdout and "6/6" in bar.stdout
    plain = soni("optimize", folder)
    assert "nothing can be better than that" in plain.stdout
    assert "measuring" not in plain.stdout and "━" not in plain.stdout
