"""Providers side by side: the same dialogues for each, and nothing asked twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.understanding.sgd.answers import Answers, Remembering
from benchmarks.understanding.sgd.as_engine import AsEngine
from benchmarks.understanding.sgd.conversation import hold
from benchmarks.understanding.sgd.dialogues import Dialogue
from benchmarks.understanding.sgd.prompts import made_with
from benchmarks.understanding.sgd.sample import sample
from benchmarks.understanding.sgd.tally import Tally
from benchmarks.understanding.sgd.watch import Watched
from soni.commands import Clarify, Command, SetSlot, SkipSlot, StartFlow
from soni.du.context import DialogueContext, NLUOutput, Usage
from soni.du.llm import signatures
from tests.unit.benchmarks.made_up import TRIP
from tests.unit.benchmarks.test_sgd import made

SAID: tuple[tuple[Command, ...], ...] = (
    (StartFlow(flow_name="find_boat"),),
    (SetSlot(slot_name="harbour", value="Porto"),),
    (Clarify(topic="What does it cost?"),),
)


class Paid:
    """A provider that has to be paid, and says what it was given."""

    def __init__(self, *said: Sequence[Command]) -> None:
        self._said = list(said)
        self.told: list[DialogueContext] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        self.told.append(context)
        said = self._said.pop(0) if self._said else ()
        return NLUOutput(commands=said, usage=Usage(model="m", calls=1, prompt_tokens=100))


async def held(model: Remembering) -> Tally:
    tally, watched = Tally(), Watched(AsEngine(model), model)
    generated = made(TRIP)
    tally.add(await hold(TRIP, generated, watched), watched.took, generated)
    return tally


async def test_what_was_answered_once_is_read_from_the_file(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    first, again = Paid(*SAID), Paid()
    one = await held(Remembering(first, Answers(answers)))
    two = await held(Remembering(again, Answers(answers)))
    assert (len(first.told), len(again.told)) == (len(TRIP.turns), 0)
    assert two.figures()["commands"] == one.figures()["commands"]
    assert two.figures()["costs"]["prompt_tokens"] == 100


async def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    await held(Remembering(Paid(*SAID), Answers(answers)))
    lines = answers.read_text(encoding="utf-8").splitlines(keepends=True)
    answers.write_text("".join(lines[:-2]) + lines[-2][:40], encoding="utf-8")
    known = Remembering(None, Answers(answers))
    await held(known)
    assert known.missing == 2


async def test_answers_of_two_models_are_never_mixed(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    tiny = made_with("tiny")
    assert tiny == made_with("tiny") != made_with("large")
    await held(Remembering(Paid(*SAID), Answers(answers, tiny)))
    again = Paid()
    await held(Remembering(again, Answers(answers, tiny)))
    assert not again.told
    with pytest.raises(SystemExit, match=r"was made with tiny, .* now it is large, .*--known"):
        Answers(answers, made_with("large"))
    known = Remembering(None, Answers(answers))
    await held(known)
    assert not known.missing


async def test_a_file_that_does_not_say_what_made_it_can_still_be_reported(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    await held(Remembering(Paid(*SAID), Answers(answers)))
    with pytest.raises(SystemExit, match="something that it does not say"):
        Answers(answers, made_with("tiny"))
    known = Remembering(None, Answers(answers))
    await held(known)
    assert not known.missing


def test_what_a_model_is_shown_is_told_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = made_with("tiny")
    monkeypatch.setattr(signatures, "make_extract_demos", list)
    assert made_with("tiny") != before


async def test_a_question_is_heard_whatever_it_is_about(tmp_path: Path) -> None:
    tally = await held(Remembering(Paid(*SAID), Answers(tmp_path / "answers.jsonl")))
    found = tally.figures()
    assert found["commands"]["Clarify"] == {"right": 1, "wrong": 0, "missed": 0, "f1": 1.0}
    assert found["commands"]["SetSlot"]["right"] == 1
    assert 0 < found["command_f1"] < 1
    assert found["costs"]["asked_share"] == 1


async def test_a_model_is_told_a_statement_as_what_it_is(tmp_path: Path) -> None:
    model = Paid(*SAID)
    await held(Remembering(model, Answers(tmp_path / "answers.jsonl")))
    asked = [told.asked["prompt"] if told.asked else None for told in model.told]
    assert asked[1:5] == ["Where?", None, None, "Shall I hire it?"]


async def test_what_a_model_leaves_open_is_read_as_the_engine_reads_it() -> None:
    said = AsEngine(Paid((SkipSlot(), SetSlot(slot_name="skipper", value="yes"))))
    context = made(TRIP)
    told = Paid()
    await hold(TRIP, context, told)
    moment = told.told[0].model_copy(
        update={
            "waiting_for_slot": "harbour",
            "expected_slots": next(
                flow.slots for flow in told.told[0].available_flows if flow.name == "find_boat"
            ),
        }
    )
    output = await said.understand("yes", (), moment)
    assert [c.dump_args() for c in output.commands if isinstance(c, SkipSlot)] == [
        {"slot_name": "harbour"}
    ]
    assert [c.value for c in output.commands if isinstance(c, SetSlot)] == [True]


def test_a_sample_is_the_same_every_time_and_of_all_services() -> None:
    many: list[Dialogue] = [
        replace(TRIP, id=f"{services}{number}", services=services)
        for services in (("a",), ("b",), ("a", "b"), ("b", "c"))
        for number in range(20)
    ]
    few = sample(many, 12)
    assert [each.id for each in sample(reversed(many), 12)] == [each.id for each in few]
    assert sample(many, 5) == few[:5]
    assert [len(each.services) for each in few] == [1, 2] * 6
    uses = [name for each in few for name in each.services]
    assert {name: uses.count(name) for name in "abc"} == {"a": 6, "b": 7, "c": 5}
