"""What the models say of a message is worked out once."""

from datetime import UTC, datetime

from soni.du import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.analysis import Analysis

_SIZE = SlotBrief(name="size", flow="order", type="choice", values={"small": (), "large": ()})
_ORDER = FlowBrief(name="order", examples=("order food", "I am hungry"), slots=(_SIZE,))


def test_a_message_is_read_once_however_many_rules_ask() -> None:
    now = datetime(2026, 3, 2, 10, tzinfo=UTC)
    thought = Analysis("a large soup", [], DialogueContext(available_flows=(_ORDER,), now=now))
    assert thought.read_tags() is thought.read_tags()
    assert thought.read_tags("order") is not thought.read_tags()
    assert thought.reading is thought.reading


def test_the_nearest_of_some_texts_counts() -> None:
    thought = Analysis("a huge portion", [], DialogueContext(now=datetime(2026, 3, 2, tzinfo=UTC)))
    assert thought.find_best_likeness(
        ["a large portion", "the weather"]
    ) > thought.find_best_likeness(["the weather"])
    assert thought.find_best_likeness([]) == 0
