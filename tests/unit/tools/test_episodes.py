"""Small assistants that vectors of flows are tuned by."""

import random

import numpy as np

from tools.episodes.draw import NONE, Neighbours, draw_business, draw_intents
from tools.episodes.sources import Intent, Source, is_kept_apart, list_businesses
from tools.tagger import spoken

WISHES = Source(
    "wishes",
    tuple(
        Intent((f"wish {n}",), f"Grant wish {n}", tuple(f"wish {n} said {m}" for m in range(12)))
        for n in range(20)
    ),
)


def test_businesses_kept_apart_are_those_that_no_model_has_learnt_from() -> None:
    learnt = {one.name for one in list_businesses(apart=False)}
    kept = {one.name for one in list_businesses(apart=True)}
    assert not learnt & kept
    assert len(kept) >= 20
    folder = spoken.Path(spoken.__file__).parent
    assert not any(is_kept_apart(file) for file in folder.glob("spoken/*.txt"))


def test_what_a_flow_is_known_by_is_never_asked() -> None:
    dice = random.Random(1)
    for business in list_businesses(apart=True):
        episode = draw_business(business, dice, most=None)
        known = {text for texts in episode.flows for text in texts}
        asked = {text for text, place in episode.queries if place != NONE}
        assert not known & asked
        assert len(episode.flows) == len(business.intents)


def test_an_episode_of_intents_has_one_message_for_none_of_them() -> None:
    episode = draw_intents(WISHES, random.Random(2))
    *meant, (stray, place) = episode.queries
    assert place == NONE
    flows = [{text.partition(" said ")[0].lower() for text in texts} for texts in episode.flows]
    assert all(text.partition(" said ")[0] in flows[wanted] for text, wanted in meant)
    assert not any(stray.partition(" said ")[0] in flow for flow in flows)


def test_the_same_dice_draw_the_same_episode() -> None:
    assert draw_intents(WISHES, random.Random(3)) == draw_intents(WISHES, random.Random(3))


def test_neighbours_are_the_intents_most_alike() -> None:
    # On a circle, each is nearest to those beside it.
    angles = np.arange(20) * 0.3
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    first, *near = Neighbours({"wishes": rows}).draw_intents(WISHES, 3, random.Random(4))
    assert all(0 < min(abs(one - first), 21 - abs(one - first)) <= 6 for one in near)
