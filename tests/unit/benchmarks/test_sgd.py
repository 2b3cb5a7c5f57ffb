"""The SGD benchmark: with the right commands it must find the right states, with others not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.understanding.sgd.conversation import Held, hold
from benchmarks.understanding.sgd.dialogues import Dialogue, half
from benchmarks.understanding.sgd.errors import wrongs
from benchmarks.understanding.sgd.match import alike, score
from benchmarks.understanding.sgd.schema import Generated, assistant
from benchmarks.understanding.sgd.score import Scores, f1, figures
from soni.commands import AffirmConfirmation, Clarify, Command, SetSlot, StartFlow
from soni.du.context import DialogueContext, NLUOutput
from tests.unit.benchmarks.made_up import BOATS, HUTS, TRIP, TWO_SERVICES


class Says:
    """A provider that says what it was given, and remembers what it was told."""

    def __init__(self, *commands: Sequence[Command]) -> None:
        self._commands = list(commands)
        self.told: list[DialogueContext] = []
        self.histories: list[list[str]] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        self.told.append(context)
        self.histories.append([message.content for message in history])
        said = self._commands.pop(0) if self._commands else ()
        about = tuple(one.topic for one in said if isinstance(one, Clarify))
        return NLUOutput(commands=said, about=about)


def made(dialogue: Dialogue) -> Generated:
    services = {"Boats_1": BOATS, "Huts_1": HUTS}
    return assistant([services[name] for name in dialogue.services])


def counted(held: Sequence[Held], generated: Generated) -> dict[str, Any]:
    scores = Scores()
    for each in held:
        scores.add(each, generated)
    return figures(scores, lambda service: service == "Boats_1")


@pytest.mark.parametrize("dialogue", [TRIP, TWO_SERVICES], ids=lambda dialogue: dialogue.id)
async def test_with_the_right_commands_every_state_is_right(dialogue: Dialogue) -> None:
    generated = made(dialogue)
    held = await hold(dialogue, generated, None)
    found = counted(held, generated)
    whole = found["frames"]["all"]
    assert whole["joint_goal_accuracy"] == 1
    assert whole["average_goal_accuracy"] == 1
    assert whole["intent_accuracy"] == 1
    assert whole["requested_f1"] == 1
    assert found["exact_match"] == 1
    assert wrongs(dialogue, held, generated) == []


async def test_who_understands_nothing_knows_only_what_there_is_not() -> None:
    generated = made(TRIP)
    held = await hold(TRIP, generated, Says())
    found = counted(held, generated)["frames"]
    assert found["all"]["joint_goal_accuracy"] == 0
    assert found["all"]["intent_accuracy"] == pytest.approx(1 / 7)
    assert found["all"]["requested_f1"] == pytest.approx(6 / 7)
    assert found["unseen"] == {"count": 0}


async def test_a_value_too_many_makes_the_frame_wrong_and_is_told_once() -> None:
    generated = made(TWO_SERVICES)
    first = [StartFlow(flow_name="find_boat", slots={"harbour": "Porto", "skipper": True})]
    held = await hold(TWO_SERVICES, generated, Says(first))
    assert held[0].frames["Boats_1"].slots == {"harbour": "Porto", "skipper": "True"}
    found = counted(held, generated)
    assert found["commands"]["StartFlow"] == {
        "right": 1, "wrong": 0, "missed": 1, "f1": pytest.approx(2 / 3)
    }  # fmt: skip
    assert found["commands"]["SetSlot"]["wrong"] == 1
    extra = [wrong for wrong in wrongs(TWO_SERVICES, held, generated) if "extra" in wrong.reason]
    assert len(extra) == 1
    assert "skipper: None got True" in extra[0].text


async def test_a_yes_to_what_was_offered_counts_as_starting_it() -> None:
    generated = made(TRIP)
    says = Says([StartFlow(flow_name="find_boat")], [], [], [], [AffirmConfirmation()])
    held = await hold(TRIP, generated, says)
    assert held[4].frames["Boats_1"].intent == "HireBoat"
    found = counted(held, generated)["commands"]
    assert found["StartFlow"]["f1"] == 1
    assert found["AffirmConfirmation"]["wrong"] == 0


async def test_the_provider_is_told_the_datas_side_of_the_dialogue() -> None:
    generated = made(TWO_SERVICES)
    says = Says(
        [StartFlow(flow_name="find_boat", slots={"harbour": "Porto"})],
        [AffirmConfirmation(), StartFlow(flow_name="find_hut")],
    )
    await hold(TWO_SERVICES, generated, says)
    assert [context.current_flow for context in says.told] == ["none", "find_boat", "find_hut"]
    assert says.told[1].shown.offered == {"boat": "Gull"}
    assert says.told[1].current_slots == {"harbour": "Porto"}
    last = says.told[2]
    assert last.shown.confirmed == {"harbour_2": "Porto", "night": "Friday"}
    assert last.current_slots == {}
    assert next((task.flow, task.slots) for task in last.others) == (
        "find_boat", {"harbour": "Porto", "boat": "Gull"}
    )  # fmt: skip
    assert says.histories[1] == ["A boat in Porto", "There is the Gull."]
    assert "Anything else?" not in " ".join(says.histories[2])


async def test_what_a_flow_only_tells_can_be_asked_about_and_not_filled() -> None:
    generated = made(TRIP)
    said = [StartFlow(flow_name="find_boat"), SetSlot(slot_name="price", value="3 euros")]
    says = Says(said, [], [Clarify(topic="price")])
    held = await hold(TRIP, generated, says)
    assert held[0].frames["Boats_1"].slots == {}
    assert held[2].frames["Boats_1"].requested == {"price"}
    told = {brief.name for flow in says.told[0].available_flows for brief in flow.slots}
    assert "price" in told


def test_two_services_with_a_slot_of_one_name_are_told_apart() -> None:
    generated = made(TWO_SERVICES)
    assert generated.slots["harbour"] == ("Boats_1", "harbour")
    assert generated.slots["harbour_2"] == ("Huts_1", "harbour")
    assert generated.config.slots["crew"].type == "choice"
    assert generated.config.slots["skipper"].type == "boolean"


def test_values_of_a_list_must_be_exact_and_others_may_be_worded_otherwise() -> None:
    crew, day = BOATS["slots"][2], BOATS["slots"][1]
    assert score(crew, ["2"], "2") == 1
    assert score(crew, ["2"], "3") == 0
    assert score(day, ["Friday", "the 3rd"], "3rd, the") == 1
    assert 0.5 < score(day, ["this Friday"], "Friday") < 1


def test_words_are_compared_in_any_order_and_case() -> None:
    assert alike("New York", "york NEW") == 1
    assert alike("Sino", "Sino Bar") == 0.67
    assert alike("", "x") == 0


def test_nothing_wanted_and_nothing_found_is_right() -> None:
    nothing: frozenset[str] = frozenset()
    assert f1(nothing, nothing) == 1
    assert f1(frozenset({"a"}), nothing) == 0
    assert f1(frozenset({"a", "b"}), frozenset({"a"})) == pytest.approx(2 / 3)


def test_a_dialogue_is_always_in_the_same_half() -> None:
    halves = [half(str(number)) for number in range(200)]
    assert halves == [half(str(number)) for number in range(200)]
    assert 70 < halves.count("A") < 130
