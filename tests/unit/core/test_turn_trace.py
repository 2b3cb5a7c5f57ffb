"""What is noted while a turn runs."""

from soni.core.records import SlotWriteNote
from soni.core.turn_trace import TurnTrace


def note(flow_id: str, slot: str, by: str = "step") -> SlotWriteNote:
    return {"flow_id": flow_id, "slot": slot, "by": by}


def test_the_last_writer_of_a_slot_is_known_however_often_it_was_written() -> None:
    trace = TurnTrace()
    for _ in range(5000):
        trace.note_write(note("count_1", "number"))
    trace.note_write(note("count_1", "number", by="user"))
    assert trace.writes == [note("count_1", "number", by="user")]


def test_the_newest_writers_are_known_however_many_there_are() -> None:
    trace = TurnTrace()
    for number in range(5000):
        trace.note_write(note(f"count_{number}", "number"))
    assert len(trace.writes) < 5000
    assert trace.writes[-1] == note("count_4999", "number")


def test_what_a_flow_hands_over_does_not_hide_who_said_it() -> None:
    trace = TurnTrace()
    for by in ("user", "flow"):
        trace.note_write(note("pay_1", "amount", by=by))
    assert [each["by"] for each in trace.writes] == ["user", "flow"]
