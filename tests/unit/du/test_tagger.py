"""The tagger reads messages for assistants it has never seen, by their own words for things."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from soni.core.constants import MASK
from soni.du.context import DialogueContext, FlowBrief, ShownValues, SlotBrief, Task
from soni.du.encoder import Encoder, WeightsError
from soni.du.encoder.encoder import MODEL_FOLDER
from soni.du.encoder.weights import Weights
from soni.du.local.provider import LocalNLU
from soni.du.tagger import Moment, Reading, SlotReading, Tagger, make_moment
from soni.du.tagger.tagger import TAGGER_FILE

NOW = datetime(2026, 3, 2, 9)


def slot(flow: str, name: str, description: str = "", **more: Any) -> SlotBrief:
    return SlotBrief(flow=flow, name=name, description=description, **more)


SHUTTLE = FlowBrief(
    name="book_shuttle",
    description="Book a seat in a shuttle",
    slots=(
        slot("book_shuttle", "origin", "Town where the shuttle leaves from"),
        slot("book_shuttle", "destination", "Town where the shuttle goes to"),
        slot("book_shuttle", "day", "Day of the ride", type="date"),
        slot("book_shuttle", "passengers", "Number of people who ride", type="integer"),
        slot(
            "book_shuttle",
            "seat",
            "Where to sit",
            type="choice",
            values={"aisle": (), "window": ("with a view",), "back row": ()},
            required=False,
        ),
        slot("book_shuttle", "bike", "Whether a bike comes along", type="boolean", required=False),
    ),
)
PET = FlowBrief(
    name="adopt_pet",
    description="Give a home to an animal",
    slots=(slot("adopt_pet", "animal", "Which animal"), slot("adopt_pet", "address")),
)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.load(Encoder.load())


def context(**facts: Any) -> DialogueContext:
    given = {"available_flows": (SHUTTLE, PET), "now": NOW, **facts}
    return DialogueContext(**given)


def booking(**facts: Any) -> DialogueContext:
    return context(current_flow="book_shuttle", expected_slots=SHUTTLE.slots, **facts)


def heard(message: str, where: DialogueContext, system: str = "") -> Moment:
    history: Sequence[Any] = [HumanMessage("hello"), AIMessage(system)] if system else []
    return make_moment(message, history, where)


def of(reading: Reading, name: str) -> SlotReading:
    return next(one for one in reading.slots if one.name == name)


def said(reading: Reading, name: str, message: str) -> str:
    best = of(reading, name).spans[0]
    return message[best.start : best.end]


def likeliest(reading: Reading) -> str | None:
    return max(reading.flows, key=lambda name: reading.flows[name])


def test_it_starts_a_flow_that_nobody_has_trained_it_for(tagger: Tagger) -> None:
    assert likeliest(tagger.read(heard("I want to book a shuttle", context()))) == "book_shuttle"


@pytest.mark.parametrize("message", ["I'd like to adopt a cat", "I want a pet"])
async def test_what_is_like_a_description_starts_its_flow(message: str) -> None:
    read = await LocalNLU().understand(message, [], context())
    assert [command.flow_name for command in read.commands] == ["adopt_pet"]


def test_thanks_start_nothing(tagger: Tagger) -> None:
    reading = tagger.read(heard("Thank you very much!", booking(), "Your shuttle is booked."))

    assert likeliest(reading) is None
    assert reading.acts["thank"] > 0.5


@pytest.mark.parametrize(
    "message",
    [
        "I need a shuttle from Dover to Calais",
        "I need a shuttle to Calais from Dover",
        "book a shuttle leaving from Dover and going to Calais please",
    ],
)
def test_where_from_and_where_to_are_never_swapped(tagger: Tagger, message: str) -> None:
    reading = tagger.read(heard(message, context()))

    assert said(reading, "origin", message) == "Dover"
    assert said(reading, "destination", message) == "Calais"
    assert of(reading, "origin").inform > 0.5
    assert of(reading, "destination").inform > 0.5


def test_a_short_answer_belongs_to_the_slot_that_was_asked(tagger: Tagger) -> None:
    asked = booking(waiting_for_slot="destination", current_slots={"origin": "Dover"})

    reading = tagger.read(heard("Santander", asked, "Where do you want to go?"))

    assert of(reading, "destination").inform > 0.5
    assert of(reading, "origin").inform < 0.5


def test_places_are_characters_of_the_message_as_it_was_written(tagger: Tagger) -> None:
    asked = booking(waiting_for_slot="destination")
    message = "😀😀 to MÁLAGA, please"

    reading = tagger.read(heard(message, asked, "Where do you want to go?"))

    assert said(reading, "destination", message) == "MÁLAGA"


def test_a_choice_is_found_by_its_other_name(tagger: Tagger) -> None:
    asked = booking(waiting_for_slot="seat")

    reading = tagger.read(heard("with a view please", asked, "Where do you want to sit?"))

    seat = of(reading, "seat")
    assert seat.inform > 0.5
    assert max(seat.values, key=lambda value: seat.values[value]) == "window"
    assert seat.spans == ()


def test_a_question_about_a_slot_does_not_fill_it(tagger: Tagger) -> None:
    reading = tagger.read(heard("What is the day of the ride?", booking()))

    assert of(reading, "day").requested > 0.5
    assert of(reading, "day").inform < 0.5


def test_agreeing_and_declining_are_told_apart(tagger: Tagger) -> None:
    asked = booking(
        asked={"kind": "confirm"}, shown=ShownValues(confirmed={"origin": "Dover", "day": "Friday"})
    )
    system = "Please confirm: a shuttle from Dover on Friday."

    yes = tagger.read(heard("Yes, that's right.", asked, system)).acts
    no = tagger.read(heard("No, that is wrong.", asked, system)).acts

    assert yes["affirm"] > 0.5 > yes["deny"]
    assert no["deny"] > 0.5 > no["affirm"]


def test_a_slot_of_two_flows_is_read_for_both(tagger: Tagger) -> None:
    both = (
        FlowBrief(name="find_bus", slots=(slot("find_bus", "city", "City to go to"),)),
        FlowBrief(name="buy_bus", slots=(slot("buy_bus", "city", "City to go to"),)),
    )

    reading = tagger.read(heard("find a bus to Leeds", context(available_flows=both)))

    assert [(one.flow, one.name) for one in reading.slots] == [
        ("find_bus", "city"),
        ("buy_bus", "city"),
    ]
    assert reading.slots[0].spans == reading.slots[1].spans


def test_probabilities_are_probabilities(tagger: Tagger) -> None:
    reading = tagger.read(heard("two of us from Dover, no bike", context()))

    assert sum(reading.flows.values()) == pytest.approx(1, abs=1e-4)
    assert all(0 <= likely <= 1 for likely in reading.acts.values())
    for one in reading.slots:
        assert one.none + one.dontcare + one.inform == pytest.approx(1, abs=1e-4)
        assert not one.values or sum(one.values.values()) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("message", ["", "   ", "😀", "\u200b", "a" * 2000, "shuttle to " * 250])
def test_any_message_is_read(tagger: Tagger, message: str) -> None:
    reading = tagger.read(heard(message, context()))

    assert len(reading.slots) == 8
    spans = [span for one in reading.slots for span in one.spans]
    assert all(0 <= span.start < span.end <= len(message) for span in spans)


@pytest.mark.parametrize("flows", [(), (FlowBrief(name="help"),)])
def test_an_assistant_may_have_nothing_to_fill(
    tagger: Tagger, flows: tuple[FlowBrief, ...]
) -> None:
    reading = tagger.read(heard("hello there", context(available_flows=flows)))

    assert reading.slots == ()
    assert set(reading.flows) == {None, *(flow.name for flow in flows)}


HOTEL = FlowBrief(
    name="find_hotel",
    description="Find a hotel in a city",
    slots=(slot("find_hotel", "location", "City where the hotel is located"),),
)


def carried_over(tagger: Tagger, moment: Moment, flow: str) -> dict[str, tuple[Any, float]]:
    return tagger.find_carried_values(moment, tagger.read(moment), flow)


def test_what_is_known_is_carried_over_to_a_flow_that_starts(tagger: Tagger) -> None:
    sights = FlowBrief(
        name="see_sights",
        description="Look for things to see in a town",
        slots=(slot("see_sights", "town", "Town to look around in"),),
    )
    before = Task(flow="see_sights", slots={"town": "Calais"})
    where = context(available_flows=(sights, HOTEL), others=(before,))

    carried = carried_over(tagger, heard("I also need a hotel there", where), "find_hotel")

    value, likely = carried["location"]
    assert value == "Calais"
    assert likely > 0.5


def test_where_one_goes_is_carried_over_rather_than_where_one_comes_from(tagger: Tagger) -> None:
    before = Task(flow="book_shuttle", slots={"origin": "Dover", "destination": "Calais"})
    where = context(available_flows=(SHUTTLE, HOTEL), others=(before,))

    carried = carried_over(tagger, heard("Find me a hotel there as well", where), "find_hotel")

    assert carried["location"][0] == "Calais"


def test_what_stands_for_a_secret_is_never_carried_over(tagger: Tagger) -> None:
    card = slot("pay_fare", "card", "Number of the card to pay with", sensitive=True)
    refund = slot("refund_fare", "card", "Number of the card to pay with", sensitive=True)
    flows = (
        FlowBrief(name="pay_fare", description="Pay for a ride", slots=(card,)),
        FlowBrief(name="refund_fare", description="Give money back for a ride", slots=(refund,)),
    )
    where = context(
        available_flows=flows,
        expected_slots=(card,),
        current_flow="pay_fare",
        current_slots={"card": MASK},
    )

    moment = heard("and a refund to the same card please", where)

    assert carried_over(tagger, moment, "refund_fare") == {}


def test_nothing_is_carried_over_when_nothing_is_known(tagger: Tagger) -> None:
    assert carried_over(tagger, heard("book a shuttle", context()), "book_shuttle") == {}


def test_many_may_read_at_once(tagger: Tagger) -> None:
    moment = heard("a shuttle from Dover to Calais", context())
    alone = tagger.read(moment)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: tagger.read(moment), range(8)))

    assert all(reading == alone for reading in together)


def test_the_system_is_heard_only_since_the_users_last_message() -> None:
    history = [AIMessage("old"), HumanMessage("hi"), AIMessage("one."), AIMessage("two?")]

    assert make_moment("x", history, context()).system == "one. two?"
    assert make_moment("x", [*history, HumanMessage("x")], context()).system == "one. two?"


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    old = Weights.read(MODEL_FOLDER / TAGGER_FILE)
    Weights({"look": old["look"]}, {**old.about, "flags": "1 2 3"}).write(tmp_path / TAGGER_FILE)

    with pytest.raises(WeightsError, match=r"python -m tools\.tagger"):
        Tagger.load(Encoder.load(), tmp_path)
