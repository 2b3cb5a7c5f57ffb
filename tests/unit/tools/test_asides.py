"""What answers nothing: lines that the tagger learns to take for no value."""

from collections import Counter

from soni.du.encoder.encoder import Encoder
from tools.tagger.asides import asides, said_aside
from tools.tagger.examples import ACTS, NONE


def test_each_line_is_hesitation_or_small_talk_and_none_is_there_twice() -> None:
    assert {act for act, _ in asides()} == {"pause", "chat"}
    assert Counter(words for _, words in asides()).most_common(1)[0][1] == 1


def test_an_aside_fills_no_slot_and_starts_no_flow() -> None:
    told = list(said_aside(1, Encoder.load().wordpiece, seed=1))
    assert len(told) == len(asides())
    for (act, _), one in zip(asides(), told, strict=True):
        assert [name for name, done in zip(ACTS, one.acts, strict=True) if done] == [act]
        assert (one.status == NONE).all()
        assert one.flow == -1
        # It is said in the middle of something, where an answer could be expected.
        assert one.turn_flags.any()
