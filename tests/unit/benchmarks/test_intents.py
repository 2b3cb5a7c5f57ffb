"""The benchmark of intents measures data of the agreed shape, and says so when there is none."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.understanding import intents
from benchmarks.understanding.assistants import Intents
from benchmarks.understanding.intents import Answers

SAID = {
    "lights": ("turn on the lights", "lights please", "switch the lamp on", "light up the room"),
    "music": ("play a song", "put on some music", "I want to hear jazz", "start the music"),
    "alarm": ("wake me at seven", "set an alarm", "alarm for six", "wake me up tomorrow"),
    "weather": ("will it rain", "is it sunny", "how is the weather", "what is the forecast"),
    "shopping": ("add milk to the list", "buy eggs", "I need bread", "put tea on my list"),
}


def test_without_data_the_benchmark_says_where_it_looked_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SONI_BENCH_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["intents"])
    with pytest.raises(SystemExit) as end:
        intents.main()
    assert end.value.code == 2
    assert str(tmp_path / "intents" / "clinc150.json") in capsys.readouterr().err


def test_figures_are_printed_for_both_sets_and_for_small_assistants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train = [(text, intent) for intent, texts in SAID.items() for text in texts[:3]]
    val = [(texts[3], intent) for intent, texts in SAID.items()]
    strange = [("who wrote hamlet", "oos"), ("divide ten by five", "oos")]
    folder = tmp_path / "intents"
    folder.mkdir()
    clinc = {"train": train, "val": val, "oos_train": strange, "oos_val": strange}
    (folder / "clinc150.json").write_text(json.dumps(clinc), encoding="utf-8")
    # The benchmark keeps twenty of each intent for its test.
    more = [(f"{text}, number {n}", one) for one in SAID for text in SAID[one] for n in range(6)]
    (folder / "banking77.json").write_text(json.dumps({"train": more}), encoding="utf-8")
    monkeypatch.setenv("SONI_BENCH_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["intents", "--shots", "3", "--seeds", "1"])
    intents.main()
    lines = capsys.readouterr().out.splitlines()
    named = next(line for line in lines if line.startswith("  names and examples"))
    assert float(named.split()[4]) >= 0.8
    assert float(named.split()[-1]) >= 0.8
    assert any(line.startswith("      5         3 ") for line in lines)
    assert sum("examples alone" in line for line in lines) == 2


def test_an_assistant_hears_what_it_does_what_others_do_and_what_none_does() -> None:
    train = [(text, intent) for intent, texts in SAID.items() for text in texts[:2]]
    val = [(text, intent) for intent, texts in SAID.items() for text in texts[2:]]
    made = Intents(train, val, [("who wrote hamlet", "oos")])
    (assistant,) = made.assistants(size=2, shots=1, number=1, seed=0)
    names = {flow.name for flow in assistant.flows}
    assert [len(flow.examples) for flow in assistant.flows] == [1, 1]
    assert {want for _, want in assistant.messages} == {None, *names}
    for text, want in assistant.messages:
        intent = next((one for one in SAID if text in SAID[one]), None)
        assert want == (intent if intent in names else None)
    # The same seed makes the same assistants.
    assert [assistant] == list(made.assistants(size=2, shots=1, number=1, seed=0))


def test_the_calibration_error_is_what_a_boast_is_worth() -> None:
    def answers(sure: float) -> Answers:
        wanted: list[str | None] = ["a", "a", None, "b"]
        chosen: list[str | None] = ["a", "a", None, "a"]
        each = intents.np.full(4, sure, dtype=intents.np.float32)
        return Answers(wanted, ["a", "a", "b", "a"], each, chosen, each)

    assert answers(0.75).calibration_error == pytest.approx(0)
    assert answers(0.95).calibration_error == pytest.approx(0.2)
    assert answers(0.95).accuracy == pytest.approx(2 / 3)
    assert answers(0.95).auroc == 0.5
