"""What was learnt for an assistant is used by it, and by no other."""

import json
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig
from soni.config.load import load_for_optimizing
from soni.core.errors import ConfigError
from soni.du.cascade import CascadeNLU
from soni.du.program import UnfitProgramError, fingerprint_assistant
from soni.du.providers import open_provider

GREET = "flows: {greet: {trigger: {examples: [hello]}, steps: [{say: Hi}]}}\n"
SETTINGS = "settings: {nlu: {program: soni.program.json}}\n"


def saved(folder: Path, **parts: Any) -> Path:
    """An assistant with a program that fits, but for these parts."""
    (folder / "soni.yaml").write_text(GREET)
    program = {
        "version": 1,
        "provider": "local",
        "made": "2026-03-02T10:00:00+00:00",
        "made_for": fingerprint_assistant(SoniConfig.load(folder)).model_dump(),
        "scores": {"before": 1, "after": 2, "total": 3},
        "local": {"limits": {"start": 0.4}},
    }
    (folder / "soni.yaml").write_text(SETTINGS + GREET)
    (folder / "soni.program.json").write_text(json.dumps({**program, **parts}))
    return folder


def test_a_program_that_fits_is_loaded(tmp_path: Path) -> None:
    assert open_provider(SoniConfig.load(saved(tmp_path)))


def of_other_commands(folder: Path, **parts: Any) -> Path:
    fits = fingerprint_assistant(SoniConfig.load(saved(folder))).model_dump()
    others = {**fits["commands"], "SetSlot": "0", "Whistle": "0"}
    return saved(folder, made_for={**fits, "commands": others}, **parts)


def test_a_program_for_other_commands_is_refused_when_it_is_to_be_used(tmp_path: Path) -> None:
    config = SoniConfig.load(of_other_commands(tmp_path, llm={"commands": []}))
    with pytest.raises(UnfitProgramError, match=r"commands removed: Whistle; .*changed: SetSlot"):
        open_provider(config)


def test_what_was_learnt_offline_does_not_depend_on_what_commands_there_are(tmp_path: Path) -> None:
    assert open_provider(SoniConfig.load(of_other_commands(tmp_path)))


def test_a_limit_of_another_version_is_refused(tmp_path: Path) -> None:
    config = SoniConfig.load(saved(tmp_path, local={"limits": {"strt": 0.4}}))
    with pytest.raises(UnfitProgramError, match=r"no limit strt .*available: start, interrupt"):
        open_provider(config)


def test_another_understanding_does_without_what_was_learnt_for_this_one(tmp_path: Path) -> None:
    config = SoniConfig.load(saved(tmp_path, local={}, llm={"commands": []}))
    assert open_provider(config, "local")


@pytest.mark.parametrize(
    "program",
    ["", "[]", "{", '{"version": true}', '{"version": 1, "threshold": 1e999}', "[" * 100_000],
)
def test_a_broken_program_is_told_and_does_not_stop_learning_anew(
    program: str, tmp_path: Path
) -> None:
    (saved(tmp_path) / "soni.program.json").write_text(program)
    with pytest.raises(ConfigError, match="E901"):
        SoniConfig.load(tmp_path)
    assert load_for_optimizing(tmp_path).settings.nlu.program is None


def test_a_threshold_that_is_written_decides_over_one_that_was_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path, provider="cascade", threshold=0.6)
    monkeypatch.setenv("SONI_SETTINGS__NLU__MODEL", "tiny")
    monkeypatch.setenv("SONI_SETTINGS__NLU__BASE_URL", "http://model.example/v1")

    def threshold() -> float:
        cascade = open_provider(SoniConfig.load(tmp_path), "cascade")
        assert isinstance(cascade, CascadeNLU)
        return cascade.threshold

    assert threshold() == 0.6
    # Also the usual one, if somebody has written it.
    settings = "settings: {nlu: {program: soni.program.json, threshold: 0.85}}\n"
    (tmp_path / "soni.yaml").write_text(settings + GREET)
    assert threshold() == 0.85
    (tmp_path / "soni.yaml").write_text(SETTINGS + GREET)
    monkeypatch.setenv("SONI_SETTINGS__NLU__THRESHOLD", "0.3")
    assert threshold() == 0.3


def test_a_program_names_no_model_and_no_address(tmp_path: Path) -> None:
    demo = {"moment": "", "message": "hello", "answer": []}
    for more in ({"lm": {"model": "openai/x"}}, {"commands": [{**demo, "lm": {}}]}):
        saved(tmp_path, llm=more)
        with pytest.raises(ConfigError, match="E901"):
            SoniConfig.load(tmp_path)
