"""Messages written by hand for the tagger to learn from: files that say what each means."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tools.tagger import spoken
from tools.tagger.examples import ACTS
from tools.tagger.remarks import Retelling
from tools.tagger.scene import Scene
from tools.tagger.spoken import Business, read

KENNEL = """\
# A kennel.
boarding/leave a pet | Leave a pet with us
- pet name/name | What the pet is called | string: Milo; Bella
- species | Which animal it is | =dog, cat
- vaccinated | Whether it had its jabs | ?
refill/more medicine | Order medicine
- medicine | Which one | string: insulin

@ idle
could {pet name:Milo} stay with you? He's a {species=dog:terrier} > boarding
@ boarding, asked: species, below: refill
no, I meant {pet name~:Bella}, and she {vaccinated=true:has had her jabs}
no idea > !skip
back to the pills > !resume
which ones do you take? > !ask, ?species
"""


@pytest.fixture(scope="module")
def kennel() -> Business:
    return read(KENNEL)


def test_a_file_tells_of_flows_slots_and_what_is_said(kennel: Business) -> None:
    assert list(kennel.flows) == ["boarding", "refill"]
    assert kennel.flows["boarding"].fields[0].type == "string"
    assert len(kennel.remarks) == 5
    first, second = kennel.remarks[:2]
    assert first.starts == "boarding"
    assert [(part.slot, part.value) for part in first.parts if part.slot] == [
        ("pet name", "Milo"),
        ("species", "dog"),
    ]
    assert [part.changed for part in second.parts if part.slot] == [True, False]
    assert (second.place.asked, second.place.below) == ("species", "refill")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{pet name:Milo} > walk", "unknown 'walk'"),
        ("who? > !wonder", "unknown '!wonder'"),
        ("a {species=fish:carp} > boarding", "'species' cannot be 'fish'"),
        ("it is {colour:red} > boarding", "unknown slot"),
        ("some {medicine:insulin} > boarding", "belongs to neither"),
        ("he is {pet name:Milo > boarding", "not closed"),
        ("nothing at all", "it means nothing"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_the_reason(line: str, reason: str) -> None:
    text = KENNEL.replace("@ boarding", f"{line}\n@ boarding")
    with pytest.raises(ValueError, match="line 11") as refused:
        read(text)
    assert reason in str(refused.value)


def test_a_value_that_is_changed_was_there_and_one_that_is_given_was_not(kennel: Business) -> None:
    for seed in range(30):
        scene = Retelling(kennel, kennel.remarks[1], random.Random(seed)).scene
        name, jabs = scene.names[_at(scene, "pet name")], scene.names[_at(scene, "vaccinated")]
        assert name in scene.facts["current_slots"]
        assert jabs not in scene.facts["current_slots"]
        assert scene.gold.acts == {"inform", "correct"}
        assert scene.facts["paused_flows"] == (scene.facts["others"][0].flow,)


def test_what_is_asked_for_may_not_matter_or_be_asked_about(kennel: Business) -> None:
    skipped = Retelling(kennel, kennel.remarks[2], random.Random(1)).scene
    assert skipped.gold.values == {skipped.facts["waiting_for_slot"]: ["dontcare"]}
    asked = Retelling(kennel, kennel.remarks[4], random.Random(1)).scene
    assert asked.gold.requested == {asked.facts["waiting_for_slot"]}


@pytest.mark.parametrize("folder", ["spoken", "apart"])
def test_every_file_can_be_read_and_every_value_stands_where_it_is_said_to(folder: str) -> None:
    dice = random.Random(5)
    told: Counter[str] = Counter()
    for file in sorted(Path(spoken.__file__).with_name(folder).glob("*.txt")):
        business = read(file.read_text(encoding="utf-8"))
        assert len(business.remarks) >= 40
        for remark in business.remarks[::4]:
            scene = Retelling(business, remark, dice).scene
            words = {part.words for part in remark.parts if part.slot}
            for slot, (start, end) in scene.gold.spans.items():
                said = scene.message[start:end]
                assert said in words or said == scene.gold.values[slot][0]
            told.update(scene.gold.acts)
    assert told.keys() <= set(ACTS)
    assert {"affirm", "deny", "cancel", "resume", "skip", "human", "ask", "foreign"} <= told.keys()


def _at(scene: Scene, slot: str) -> tuple[int, int]:
    return next(
        (number, place)
        for number, task in enumerate(scene.tasks)
        for place, one in enumerate(task.fields)
        if one.names[0] == slot
    )
