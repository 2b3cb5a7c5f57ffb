"""`soni optimize`: what it learns, what it saves, and what it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni import RuntimeLoop, SoniConfig
from soni.cli.main import make_app
from soni.du.llm.signatures import make_extract_demos, make_understand_demos
from tests.model_server import Failing, Model, commands, serving

POST = """
slots:
  weight: {type: number, prompt: How heavy is it?}
flows:
  ship:
    trigger: {examples: [ship it]}
    steps:
      - collect: weight
      - say: Done.
  track:
    trigger: {examples: [track it]}
    steps:
      - say: It is on its way.
"""
# The flows' examples say nothing of this, but the sentences are like each other.
SAID = {
    "ship": [
        "I have a box for my sister",
        "can somebody collect a box from me",
        "please collect a carton at my place",
        "this carton must go to my sister",
        "my sister needs a box",
        "a box has to be collected",
        "could you collect my carton",
        "I want a box collected",
    ],
    "track": [
        "when does the courier come",
        "the courier has not come yet",
        "is the courier late",
        "did the courier come already",
        "I am waiting for the courier",
        "the courier is late again",
        "will the courier ring today",
        "when will the courier be here",
    ],
}
WEIGHTS = {
    "5": "SetSlot weight 5",
    "2.5": "SetSlot weight 2.5",
    "stop": "CancelFlow",
    "7": "SetSlot weight 7",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "post"
    (home / "nlu").mkdir(parents=True)
    (home / "soni.yaml").write_text(POST)
    idle = {text: f"StartFlow {flow}" for flow, texts in SAID.items() for text in texts}
    said = {"moments": {"weight": [["StartFlow ship"]]}, "said": {"idle": idle, "weight": WEIGHTS}}
    (home / "nlu" / "said.yaml").write_text(json.dumps(said))
    return home


def soni(*arguments: Any) -> Result:
    verb = str(arguments[0])
    return CliRunner().invoke(make_app([verb]), [*map(str, arguments)])


def program_of(folder: Path) -> dict[str, Any]:
    text = (folder / "soni.program.json").read_text(encoding="utf-8")
    program: dict[str, Any] = json.loads(text)
    return program


def use(folder: Path, **nlu: Any) -> None:
    settings = {"nlu": {"program": "soni.program.json", **nlu}}
    (folder / "soni.yaml").write_text(f"settings: {json.dumps(settings)}\n{POST}")


class Learner:
    """Understands nothing, until a prompt shows it more than every prompt does."""

    def __init__(self, model: Model) -> None:
        self.shown: list[int] = []
        self.shown_for_slots: list[int] = []
        model.always = self.answer

    def answer(self, body: dict[str, Any]) -> Any:
        asked = body["messages"][-1]["content"]
        said = json.loads(asked.rpartition("Message: ")[2].splitlines()[0])
        shown = sum(each["role"] == "assistant" for each in body["messages"])
        if "slots" in body["response_format"]["json_schema"]["schema"]["properties"]:
            self.shown_for_slots.append(shown)
            return {"slots": []}
        self.shown.append(shown)
        if "Question that is open" in asked:
            cancels = {"type": "CancelFlow"}
            fills = {"type": "SetSlot", "slot_name": "weight", "value": said}
            return commands(cancels if said == "stop" else fills)
        flow = next((flow for flow, texts in SAID.items() if said in texts), None)
        knows = self.shown[-1] > len(make_understand_demos())
        start = {"type": "StartFlow", "flow_name": flow}
        return commands(start if flow and knows else {"type": "Unclear"})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with serving() as served:
        monkeypatch.setenv("SONI_SETTINGS__NLU__MODEL", "tiny")
        monkeypatch.setenv("SONI_SETTINGS__NLU__BASE_URL", served.url)
        yield served


def test_the_offline_understanding_learns_other_words(folder: Path) -> None:
    result = soni("optimize", folder)
    assert result.exit_code == 0, result.output
    scores = program_of(folder)["scores"]
    assert scores["after"] > scores["before"]
    lines = result.stdout.splitlines()
    # In a pipe there is no bar, only what was found out.
    assert "  14 sentences to learn from, 2 examples of flows, 6 sentences set apart" in lines
    apart = "  part that is set apart:"
    assert f"{apart} {scores['before']} of 6 exact as it is" in lines
    assert f"{apart} {scores['after']} of 6 exact with what was learnt" in lines
    assert f"before: {scores['before']} of 6 exact" in result.stdout
    assert "to use it, write settings: {nlu: {program: soni.program.json}}" in lines
    assert "\x1b" not in result.stdout and "━" not in result.stdout

    first = program_of(folder)
    assert set(first["local"]["examples"]) == {"ship", "track"}
    # Again, with the program in use: the very same is found, and so nothing is measured twice.
    use(folder)
    assert soni("check", folder).exit_code == 0
    again = soni("optimize", folder)
    assert again.exit_code == 3
    assert again.stdout.count("part that is set apart") == 2
    assert "nothing was saved" in again.stdout
    assert program_of(folder) == first


async def test_a_program_is_used_in_conversations(folder: Path) -> None:
    sentence = SAID["track"][0]

    async def reply() -> list[str]:
        async with RuntimeLoop(SoniConfig.load(folder)) as runtime:
            return (await runtime.turn(sentence)).messages

    before = await reply()
    made = {"flows": {}, "slots": {}, "commands": {}}
    saved = {"version": 1, "provider": "local", "made": "", "made_for": made}
    saved |= {"scores": {"before": 1, "after": 2, "total": 3}}
    saved |= {"local": {"examples": {"track": [sentence]}}}
    use(folder)
    (folder / "soni.program.json").write_text(json.dumps(fitting(folder, saved)))
    assert before != ["It is on its way."]
    assert await reply() == ["It is on its way."]


def fitting(folder: Path, saved: dict[str, Any]) -> dict[str, Any]:
    """A program with the digests of an assistant."""
    from soni.config.load import load_for_optimizing
    from soni.du.program import fingerprint_assistant

    return {**saved, "made_for": fingerprint_assistant(load_for_optimizing(folder)).model_dump()}


def test_a_model_is_shown_what_helps_it_and_no_call_more_is_made(
    folder: Path, model: Model
) -> None:
    learner = Learner(model)
    result = soni("optimize", folder, "--provider", "llm", "--budget", 60)
    assert result.exit_code == 0, result.output
    assert len(model.asked) <= 60
    assert f"{len(model.asked)} model calls" in result.stdout.splitlines()
    program = program_of(folder)
    assert program["scores"]["after"] > program["scores"]["before"]
    shown = [demo["message"] for demo in program["llm"]["commands"]]
    assert 2 <= len(shown) <= 8
    # What is shown stands before all that changes, and is the same in every prompt.
    use(folder, provider="llm")
    asked = len(model.asked)
    assert soni("eval", folder).exit_code == 0
    prompts = [body["messages"] for body in model.asked[asked:]]
    firsts = [each for each in prompts if each[0] == prompts[0][0]]
    assert len(firsts) > 5
    assert all(each[:-1] == firsts[0][:-1] for each in firsts)
    assert learner.shown[-1] == len(make_understand_demos()) + len(shown)
    # In both passes, behind what every prompt shows.
    shown_for_slots = len(make_extract_demos()) + len(program["llm"]["slots"])
    assert learner.shown_for_slots[-1] == shown_for_slots


def test_a_budget_that_is_too_small_is_told_and_kept(folder: Path, model: Model) -> None:
    Learner(model)
    result = soni("optimize", folder, "--provider", "llm", "--budget", 4)
    assert result.exit_code == 1
    assert len(model.asked) == 4
    assert "the budget of 4 model calls is spent" in result.stderr
    assert not (folder / "soni.program.json").exists()


def test_a_model_that_fails_cannot_be_measured(folder: Path, model: Model) -> None:
    model.always = Failing(400)
    result = soni("optimize", folder, "--provider", "llm", "--budget", 9)
    assert result.exit_code == 1
    assert "the understanding gave no answer" in result.stderr
    assert "Nothing was saved" in result.stderr


def test_what_helps_nobody_is_not_saved(folder: Path, model: Model) -> None:
    model.always = commands({"type": "Unclear"})
    result = soni("optimize", folder, "--provider", "llm", "--budget", 40)
    assert result.exit_code == 3, result.output
    assert "before: 0 of 6 exact" in result.stdout
    assert len(model.asked) <= 40
    assert not (folder / "soni.program.json").exists()


def test_a_cascade_learns_both_ways(folder: Path, model: Model) -> None:
    Learner(model)
    result = soni("optimize", folder, "--provider", "cascade", "--budget", 80)
    assert result.exit_code == 0, result.output
    program = program_of(folder)
    assert program["provider"] == "cascade"
    assert program["local"]["examples"]
    assert len(model.asked) <= 80
    use(folder, provider="cascade")
    assert soni("check", folder).exit_code == 0


def test_a_program_for_other_flows_is_refused_but_another_can_be_made(folder: Path) -> None:
    made = {"flows": {"ship": "0", "fly": "0"}, "slots": {}, "commands": {}}
    saved = {"version": 1, "provider": "local", "made": "", "made_for": made}
    saved |= {"scores": {"before": 1, "after": 2, "total": 3}, "local": {}}
    (folder / "soni.program.json").write_text(json.dumps(saved))
    use(folder)
    checked = soni("check", folder)
    assert checked.exit_code == 1
    assert "flows added: track; flows removed: fly; flows changed: ship" in checked.output
    another = soni("optimize", folder)
    assert another.exit_code == 0, another.output
    assert set(program_of(folder)["made_for"]["flows"]) == {"ship", "track"}
    assert soni("check", folder).exit_code == 0


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"local": {"limits": {"hunch": 0.4}}}, "there is no limit hunch in this version"),
        ({"llm": {}}, "made for other flows (commands removed: Whistle)"),
    ],
)
def test_a_program_of_another_version_is_told_and_another_can_be_made(
    parts: dict[str, Any], told: str, folder: Path
) -> None:
    saved = {"version": 1, "provider": "cascade", "made": "", "local": {}, **parts}
    saved |= {"scores": {"before": 1, "after": 2, "total": 3}}
    program = fitting(folder, saved)
    program["made_for"]["commands"]["Whistle"] = "0"
    (folder / "soni.program.json").write_text(json.dumps(program))
    use(folder)
    checked = soni("check", folder)
    assert checked.exit_code == 1
    assert f"E902 {told}" in checked.output
    assert "remedy: run `soni optimize` again, or remove the key" in checked.output
    another = soni("optimize", folder)
    assert another.exit_code == 0, another.output
    assert soni("check", folder).exit_code == 0


def test_too_few_sentences_are_told_with_how_many_and_where_from(folder: Path) -> None:
    (folder / "nlu" / "said.yaml").write_text("said: {idle: {ship it: StartFlow ship}}")
    result = soni("optimize", folder)
    assert result.exit_code == 1
    assert "there are 1 sentences with their meaning; at least 20 are needed" in result.stderr
    assert "--annotate" in result.stderr


def test_a_value_that_no_slot_takes_is_told_before_anything_is_learnt_of_it(folder: Path) -> None:
    few = folder.parent / "few.yaml"
    few.write_text("said:\n  idle:\n    it is heavy: StartFlow ship; SetSlot weight heavy\n")
    result = soni("optimize", folder, few)
    assert "W606 slot 'weight' does not take 'heavy'" in result.stderr


def test_a_program_stays_in_the_folder(folder: Path, tmp_path: Path) -> None:
    result = soni("optimize", folder, "--output", tmp_path / "elsewhere.json")
    assert result.exit_code == 1
    assert "is not in" in result.stderr


def test_nothing_can_be_learnt_for_a_provider_of_somebody_else(folder: Path) -> None:
    result = soni("optimize", folder, "--provider", "scripted")
    assert result.exit_code == 1
    assert "available: local, llm, cascade" in result.stderr


def test_mistakes_of_an_assistant_are_told_as_always(folder: Path) -> None:
    (folder / "soni.yaml").write_text(POST.replace("collect: weight", "collekt: weight"))
    result = soni("optimize", folder)
    assert result.exit_code == 1
    assert "E1" in result.stderr and "collekt" in result.stderr
