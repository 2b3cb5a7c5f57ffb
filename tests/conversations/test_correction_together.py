"""Two slots that only hold together: changed in one message, whatever the order."""

import pytest

from soni.commands import AffirmConfirmation, Command, CorrectSlot, SetSlot, StartFlow
from tests.talking import Talk, talking_to

TRIP = """
slots:
  start: {type: date, prompt: {en: "From when?", es: "¿Desde cuándo?"}}
  end:
    type: date
    prompt: {en: "Until when?", es: "¿Hasta cuándo?"}
    constraints: [{if: "end >= start", message: "{end} is before {start}."}]
  note: {prompt: "A note?"}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: start
      - collect: end
      - confirm: "{start} to {end}?"
      - collect: note
  other:
    trigger: {examples: [other]}
    steps: [{collect: word, message: "Which word?"}]
"""
ORDERS = pytest.mark.parametrize("order", [1, -1], ids=["said so", "the other way round"])
IN_MAY = {"start": "2026-05-10", "end": "2026-05-12"}


def _correct(slot: str, value: object, flow: str | None = None) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value, flow_name=flow)


def _both(start: str, end: str, order: int) -> list[Command]:
    both: list[Command] = [_correct("start", start), _correct("end", end)]
    return both[::order]


async def _at_confirm(talk: Talk) -> None:
    start = StartFlow(flow_name="trip", slots=IN_MAY)
    assert await talk.say("trip", start) == ["10 May 2026 to 12 May 2026?"]


@ORDERS
async def test_both_move_up_beyond_the_old_ones(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("in June", *_both("2026-06-10", "2026-06-12", order))
        done = ["start is now 10 June 2026.", "end is now 12 June 2026."][::order]
        assert said == [*done, "10 June 2026 to 12 June 2026?"]
        assert talk.slots == {"start": "2026-06-10", "end": "2026-06-12"}


@ORDERS
async def test_both_move_down_below_the_old_ones(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("in April", *_both("2026-04-10", "2026-04-12", order))
        done = ["start is now 10 April 2026.", "end is now 12 April 2026."][::order]
        assert said == [*done, "10 April 2026 to 12 April 2026?"]


@ORDERS
async def test_setting_both_does_the_same(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        both: list[Command] = [
            SetSlot(slot_name="start", value="2026-06-10"),
            SetSlot(slot_name="end", value="2026-06-12"),
        ]
        assert (await talk.say("June", *both[::order]))[-1] == "10 June 2026 to 12 June 2026?"


@ORDERS
async def test_of_a_pair_that_contradicts_itself_the_constrained_one_is_refused(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("no", *_both("2026-05-11", "2026-05-01", order))
        words = ["start is now 11 May 2026.", "1 May 2026 is before 11 May 2026."][::order]
        assert said == [*words, "11 May 2026 to 12 May 2026?"]
        assert talk.slots == {"start": "2026-05-11", "end": "2026-05-12"}


@ORDERS
async def test_if_the_old_value_does_not_hold_beside_the_new_one_it_is_asked(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("no", *_both("2026-06-10", "2026-06-01", order))
        assert said[-1] == "Until when?"
        assert "1 June 2026 is before 10 June 2026." in said
        assert talk.slots == {"start": "2026-06-10"}
        assert await talk.say("2026-06-11") == ["10 June 2026 to 11 June 2026?"]


@ORDERS
async def test_if_one_of_the_two_is_no_date_the_other_counts_alone(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("no", *_both("2026-06-10", "soonish", order))
        assert said[-1] == "Until when?"
        assert talk.slots == {"start": "2026-06-10"}
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        said = await talk.say("no", *_both("soonish", "2026-05-15", order))
        assert said[-1] == "10 May 2026 to 15 May 2026?"
        assert "end is now 15 May 2026." in said


@ORDERS
async def test_a_start_with_both_takes_both(order: int) -> None:
    for slots in ({"start": "2026-06-10", "end": "2026-06-12"}, IN_MAY):
        async with talking_to(TRIP) as talk:
            given = dict(list(slots.items())[::order])
            said = await talk.say("trip", StartFlow(flow_name="trip", slots=given))
            assert len(said) == 1
            assert talk.slots == slots


@ORDERS
async def test_a_start_of_the_open_flow_with_both_corrects_both(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        given = dict([("start", "2026-06-10"), ("end", "2026-06-12")][::order])
        said = await talk.say("June", StartFlow(flow_name="trip", slots=given))
        assert said[-1] == "10 June 2026 to 12 June 2026?"
        assert len(said) == 3


@ORDERS
async def test_the_asked_slot_and_another_in_one_message(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"start": "2026-05-10"}))
        both: list[Command] = [
            SetSlot(slot_name="end", value="2026-05-05"),
            _correct("start", "2026-05-01"),
        ]
        assert await talk.say("1st to 5th", *both[::order]) == [
            "start is now 1 May 2026.",
            "1 May 2026 to 5 May 2026?",
        ]


async def test_an_answer_is_not_measured_by_what_another_task_is_given() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"start": "2026-05-10"}))
        said = await talk.say(
            "until the 12th, and another trip from 1 June",
            SetSlot(slot_name="end", value="2026-05-12"),
            StartFlow(flow_name="trip", another=True, slots={"start": "2026-06-01"}),
        )
        assert said == ["Until when?"]
        below, above = talk.state["flow_stack"]
        assert talk.state["flow_slots"][below["flow_id"]] == IN_MAY
        assert talk.state["flow_slots"][above["flow_id"]] == {"start": "2026-06-01"}


async def test_a_new_instance_is_measured_by_its_own_values() -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        second = StartFlow(flow_name="trip", another=True, slots={"end": "2026-04-12"})
        beside = SetSlot(slot_name="start", value="2026-04-10")
        assert await talk.say("and in April", second, beside) == ["10 April 2026 to 12 April 2026?"]


@ORDERS
async def test_in_the_task_below_they_go_together_too(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        await talk.say("other", StartFlow(flow_name="other"))
        said = await talk.say("June", *_both("2026-06-10", "2026-06-12", order))
        assert (len(said), said[-1]) == (3, "Which word?")
        assert (await talk.say("hat"))[-1] == "10 June 2026 to 12 June 2026?"


@ORDERS
async def test_yes_with_both_is_no_yes(order: int) -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        both = _both("2026-06-10", "2026-06-12", order)
        said = await talk.say("yes, in June", AffirmConfirmation(), *both)
        assert said[-1] == "10 June 2026 to 12 June 2026?"


async def test_they_are_acknowledged_in_spanish() -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        both = _both("2026-06-10", "2026-06-12", -1)
        assert await talk.say("junio", *both, language="es") == [
            "end ahora es 12 de junio de 2026.",
            "start ahora es 10 de junio de 2026.",
            "10 de junio de 2026 to 12 de junio de 2026?",
        ]


LINE = """
slots:
  low: {type: integer, prompt: "Low?"}
  mid:
    type: integer
    prompt: "Mid?"
    constraints: [{if: "mid > low", message: "{mid} is not above {low}."}]
  high:
    type: integer
    prompt: "High?"
    constraints: [{if: "high > mid", message: "{high} is not above {mid}."}]
flows:
  line:
    trigger: {examples: [line]}
    steps: [{collect: low}, {collect: mid}, {collect: high}, {confirm: "{low} {mid} {high}?"}]
"""


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)], ids=str)
@pytest.mark.parametrize("by", [100, -100])
async def test_three_that_hang_together_move_together(order: tuple[int, ...], by: int) -> None:
    async with talking_to(LINE) as talk:
        start = StartFlow(flow_name="line", slots={"low": 1, "mid": 2, "high": 3})
        assert await talk.say("line", start) == ["1 2 3?"]
        moved = [_correct("low", 1 + by), _correct("mid", 2 + by), _correct("high", 3 + by)]
        said = await talk.say("move", *(moved[at] for at in order))
        assert said[-1] == f"{1 + by} {2 + by} {3 + by}?"
        assert len(said) == 4


CALLED = """
slots:
  start: {type: integer, prompt: "From?"}
  end:
    type: integer
    prompt: "Until?"
    constraints: [{if: "end >= start", message: "{end} is before {start}."}]
  note: {prompt: "A note?"}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - {call: when, outputs: {start: first, end: final}}
      - confirm: "{first} to {final}?"
  when: {outputs: [start, end], steps: [{collect: start}, {collect: end}]}
  plan:
    trigger: {examples: [plan]}
    steps: [{collect: start}, {collect: end}, {call: write}]
  write:
    inputs: [start, end]
    steps: [{say: "{start} to {end}."}, {collect: note}]
"""


@ORDERS
@pytest.mark.parametrize("names", [("start", "end"), ("first", "final")], ids=["its", "mapped"])
async def test_together_in_a_called_flow_that_has_returned(
    order: int, names: tuple[str, str]
) -> None:
    async with talking_to(CALLED) as talk:
        await talk.say("trip")
        await talk.say("5")
        assert await talk.say("7") == ["5 to 7?"]
        both = [_correct(names[0], 50), _correct(names[1], 70)][::order]
        said = await talk.say("50 to 70", *both)
        assert said == [*["start is now 50.", "end is now 70."][::order], "50 to 70?"]
        assert talk.stack == ["trip"]


@ORDERS
async def test_together_in_the_caller_while_a_called_flow_has_copies(order: int) -> None:
    async with talking_to(CALLED) as talk:
        await talk.say("plan", StartFlow(flow_name="plan", slots={"start": 5, "end": 7}))
        both = [_correct("start", 50), _correct("end", 70)][::order]
        said = await talk.say("50 to 70", *both)
        assert said == [*["start is now 50.", "end is now 70."][::order], "50 to 70.", "A note?"]
        assert talk.stack == ["plan", "write"]
