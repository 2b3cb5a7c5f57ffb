"""What the tagger learns from beside public data: moments of assistants that nobody runs."""

import random
from collections import Counter

import pytest

from tools.tagger.examples import ACTS
from tools.tagger.invented import KINDS
from tools.tagger.pools import LISTS
from tools.tagger.scene import Scene, tasks


@pytest.fixture(scope="module")
def scenes() -> list[tuple[str, Scene]]:
    dice = random.Random(1)
    made = []
    for number in range(600):
        scene = Scene(dice)
        kind = list(KINDS)[number % len(KINDS)]
        kind(scene)
        made.append((kind.__name__, scene))
    return made


def test_every_value_stands_where_it_is_said_to(scenes: list[tuple[str, Scene]]) -> None:
    for kind, scene in scenes:
        for slot, (start, end) in scene.gold.spans.items():
            assert scene.message[start:end] == scene.gold.values[slot][0], kind


def test_names_stand_in_for_what_is_left_open(scenes: list[tuple[str, Scene]]) -> None:
    assert [scene.message for _, scene in scenes if "{" in scene.message] == []


def test_every_moment_says_what_people_do_in_it(scenes: list[tuple[str, Scene]]) -> None:
    told = Counter(act for _, scene in scenes for act in scene.gold.acts)
    assert told.keys() <= set(ACTS)
    assert {"cancel", "resume", "repeat", "pause", "human", "ask", "chat", "foreign"} <= told.keys()
    silent = [kind for kind, scene in scenes if not (scene.gold.acts or scene.gold.flow)]
    assert silent == []


def test_a_task_to_return_to_waits_below_the_one_at_work(scenes: list[tuple[str, Scene]]) -> None:
    returning = [scene for _, scene in scenes if "resume" in scene.gold.acts]
    assert returning
    for scene in returning:
        (paused,) = scene.facts["paused_flows"]
        assert paused != scene.facts["current_flow"]


def test_every_pool_of_values_is_there() -> None:
    made = {"count", "money", "phone", "mail", "plate", "digits", "code"}
    pools = {one.values[1:] for task in tasks() for one in task.fields if one.values[0] == "@"}
    assert pools <= {*LISTS, *made}
