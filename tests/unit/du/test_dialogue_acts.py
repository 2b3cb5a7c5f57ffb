"""What people do in the middle of a task: put things right, give it up, come back, agree, chat."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief
from soni.du.context import Task

ROOMS = {"single": (), "double": ("twin",), "sea_view": ("facing the sea",)}
EXPERTS = {"sommelier": ("wine expert",), "masseur": ("massage therapist",)}


def slot(flow: str, name: str, type_: str, description: str, **more: Any) -> SlotBrief:
    return SlotBrief(name=name, flow=flow, type=type_, description=description, **more)


STAY = FlowBrief(
    name="book_room",
    description="Book a room",
    examples=("book a room", "I need a place to stay", "reserve a double"),
    slots=(
        slot("book_room", "room", "choice", "Kind of room", values=ROOMS),
        slot("book_room", "arrival", "date", "Day of arrival"),
        slot("book_room", "nights", "integer", "How many nights"),
        slot("book_room", "guests", "integer", "How many guests come"),
        slot("book_room", "price", "money", "The most to pay per night", required=False),
        slot("book_room", "guest_name", "string", "Name of the guest"),
    ),
)
RIDE = FlowBrief(
    name="order_shuttle",
    description="Order a ride with the shuttle",
    examples=("order the shuttle", "pick me up at the airport", "I need a ride"),
    slots=(
        slot("order_shuttle", "place", "string", "Address where the shuttle comes"),
        slot("order_shuttle", "bags", "integer", "How many bags"),
        slot("order_shuttle", "bill", "string", "Number of the bill"),
    ),
)
EXPERT = FlowBrief(
    name="meet_expert",
    description="Meet one of our experts",
    examples=("meet an expert", "get some advice for the evening"),
    slots=(slot("meet_expert", "expert", "choice", "Kind of expert", values=EXPERTS),),
)
KNOWN = {"room": "double", "arrival": "2026-03-12", "nights": 3, "guests": 2, "guest_name": "Bob"}


async def read(message: str, **about: Any) -> list[Command]:
    """What a message is read as, in the moment that is told."""
    context = DialogueContext(
        available_flows=(STAY, RIDE, EXPERT), now=datetime(2026, 3, 2, 10, tzinfo=UTC), **about
    )
    return list((await LocalNLU().understand(message, [], context)).commands)  # type: ignore[arg-type]


async def asked(message: str, name: str, flow: FlowBrief = STAY, **known: Any) -> list[Command]:
    """What it is read as where a slot is asked, and others are known."""
    about = {"current_flow": flow.name, "expected_slots": flow.slots, "current_slots": known}
    question = {"kind": "collect", "prompt": "And what?", "data": {}}
    return await read(message, waiting_for_slot=name, asked=question, **about)


async def confirming(message: str, prompt: str = "Shall I book it?") -> list[Command]:
    """What it is read as where the room is to be confirmed."""
    question = {"kind": "confirm", "prompt": prompt, "data": {}}
    about = {"expected_slots": STAY.slots, "current_slots": {**KNOWN, "price": 120}}
    return await read(message, current_flow="book_room", asked=question, **about)


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        ("4 nights not 3", "nights", "4"),
        ("hmm, 5 nights actually, not 3", "nights", "5"),
        ("the number of nights was 4 not 3", "nights", "4"),
        ("sorry, a single not a double", "room", "single"),
        ("it's facing the sea, not a twin", "room", "sea_view"),
        ("it's Robert Bell not Bob", "guest_name", "Robert Bell"),
    ],
)
async def test_what_takes_the_place_of_a_value_is_for_its_slot_whatever_is_asked(
    message: str, name: str, value: str
) -> None:
    known = {key: KNOWN[key] for key in ("room", "nights", "guest_name")}

    [change] = await asked(message, "guests", **known)

    assert change == CorrectSlot(slot_name=name, new_value=value)


async def test_what_was_said_and_not_meant_is_replaced() -> None:
    [change] = await asked("did i say three nights? i meant four", "guests", nights=3)

    assert change == CorrectSlot(slot_name="nights", new_value="four")


async def test_not_enough_of_it_is_more_of_it() -> None:
    [change] = await confirming("3 nights is not enough, make it 5")

    assert change == CorrectSlot(slot_name="nights", new_value="5")


async def test_the_answer_beside_a_replaced_value_is_kept() -> None:
    read_ = await asked("four nights instead of three, and on thursday", "arrival", nights=3)

    assert read_ == [
        SetSlot(slot_name="arrival", value="on thursday"),
        CorrectSlot(slot_name="nights", new_value="four"),
    ]


@pytest.mark.parametrize(
    ("message", "value"),
    [("three, not counting the baby", "three"), ("not two, three", "three"), ("5, not less", "5")],
)
async def test_a_not_beside_an_answer_changes_nothing_else(message: str, value: str) -> None:
    assert await asked(message, "guests", nights=4) == [SetSlot(slot_name="guests", value=value)]


@pytest.mark.parametrize(
    "message", ["it's four nights now my husband says", "4 nights now, sorry", "nights is 4, typo"]
)
async def test_another_number_of_what_was_counted_is_a_correction(message: str) -> None:
    [change] = await asked(message, "guests", nights=3)

    assert isinstance(change, CorrectSlot)
    assert (change.slot_name, change.new_value) in [("nights", "four"), ("nights", "4")]


async def test_a_number_for_a_thing_is_not_the_weight_of_it() -> None:
    bags = RIDE.slots[1]
    weight = slot("order_shuttle", "weight", "number", "Weight of the heaviest bag in kilos")
    ride = RIDE.model_copy(update={"slots": (bags, weight)})

    [change] = await asked("it's three bags now my wife tells me", "weight", ride, bags=2)

    assert change == CorrectSlot(slot_name="bags", new_value="three")


async def test_a_number_of_a_thing_is_put_right_by_the_name_of_its_slot() -> None:
    known = {"place": "4 Mill Lane", "bill": "20331"}

    [change] = await asked("bill number's 20313, typo", "bags", RIDE, **known)

    assert change == CorrectSlot(slot_name="bill", new_value="20313")


async def test_what_was_counted_before_may_be_said_again_beside_the_answer() -> None:
    [price] = await asked("150 for 2 nights", "price", nights=3)

    assert isinstance(price, SetSlot)
    assert price.slot_name == "price"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("hmm the price can't be right", "price"),
        ("the name doesn't look right", "guest_name"),
        ("you mixed up the arrival", "arrival"),
        ("you got the name wrong", "guest_name"),
        ("something's off with the nights", "nights"),
        ("that's not the room i wanted", "room"),
        ("the arrival must be wrong", "arrival"),
        ("let me change the name", "guest_name"),
        ("i want a different room", "room"),
        ("i'd like another room", "room"),
    ],
)
async def test_what_is_said_to_be_wrong_is_asked_again(message: str, name: str) -> None:
    assert await confirming(message) == [DenyConfirmation(slot_to_change=name)]


@pytest.mark.parametrize("message", ["the room is right", "that's the room i wanted"])
async def test_what_is_said_to_be_right_is_not_denied(message: str) -> None:
    assert not any(isinstance(one, DenyConfirmation) for one in await confirming(message))


async def test_that_it_is_not_right_says_nothing_of_which_slot() -> None:
    assert await confirming("hmm no, that's not right") == [DenyConfirmation()]


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("yup book it", AffirmConfirmation()),
        ("go on and book the room", AffirmConfirmation()),
        ("please reserve it now", AffirmConfirmation()),
        ("sounds good, book us in", AffirmConfirmation()),
        ("lovely, book us in", AffirmConfirmation()),
        ("count me in", AffirmConfirmation()),
        ("aye", AffirmConfirmation()),
        ("don't book it yet", DenyConfirmation()),
        ("no wait, leave everything as it was, we're not booking after all", CancelFlow()),
        ("no hang on, forget the whole booking, we'll stay at home", CancelFlow()),
        ("no, leave it as it is", DenyConfirmation()),
    ],
)
async def test_the_deed_said_again_is_a_yes_and_given_up_it_is_over(
    message: str, command: Command
) -> None:
    assert await confirming(message) == [command]


@pytest.mark.parametrize(
    "message",
    [
        "lovely, but wait",
        "brilliant, once she agrees",
        "not yes",
        "you may book it once I say so",
        "sure, when hell freezes over",
        "not yet",
        "ok wait",
        "okay hold on",
        "yes, let me check",
        "ok maybe",
        "yes, not sure",
        "right now I can't",
        "sure, in a minute",
        "yes, later",
        "yes, if it's free",
        "ok as long as there is a lift",
        "yes but what does it cost?",
        "yes but first order the shuttle",
    ],
)
async def test_a_yes_that_waits_for_something_is_none(message: str) -> None:
    assert AffirmConfirmation() not in await confirming(message)


@pytest.mark.parametrize("message", ["ok stop", "ok, cancel", "right, cancel", "great, never mind"])
async def test_a_yes_before_giving_up_is_none(message: str) -> None:
    assert await confirming(message) == [CancelFlow()]


async def test_giving_up_may_be_what_was_asked() -> None:
    assert await confirming("ok, cancel", "Shall I cancel the room?") == [AffirmConfirmation()]


@pytest.mark.parametrize(
    "message",
    [
        *("yes if possible", "yes, not a problem", "sure, of course", "yes, when you can"),
        *("sure why not", "yes, don't worry", "ok let's do it", "absolutely, I can't wait"),
    ],
)
async def test_a_yes_with_polite_words_is_one(message: str) -> None:
    assert await confirming(message) == [AffirmConfirmation()]


@pytest.mark.parametrize("message", ["book it for friday", "change it", "book a massage"])
async def test_other_words_than_the_deed_are_no_yes(message: str) -> None:
    assert AffirmConfirmation() not in await confirming(message)


@pytest.mark.parametrize(
    "message",
    [
        "never mind the room",
        "i can't decide on a name, forget about the room",
        "no clue what to put, drop the whole thing",
    ],
)
async def test_a_task_is_given_up_by_its_name_with_or_without_why(message: str) -> None:
    assert await asked(message, "guest_name", room="double") == [CancelFlow()]


@pytest.mark.parametrize("message", ["Forget-Me-Not Smith", "put Harry Potter"])
async def test_a_name_gives_nothing_up(message: str) -> None:
    [name] = await asked(message, "guest_name", room="double")

    assert isinstance(name, SetSlot)


@pytest.mark.parametrize(
    "message",
    [
        "we haven't set one, just move on",
        "i don't have a figure in mind, next question",
        "no limit, carry on",
        "nope, haven't got one",
        "haven't thought about it",
    ],
)
async def test_who_has_no_answer_and_moves_on_skips(message: str) -> None:
    assert await asked(message, "price", nights=3) == [SkipSlot()]


@pytest.mark.parametrize(
    "message",
    [
        "let's finish booking the room first",
        "first let's sort out the double",
        "can we do the room first",
        "back to the double",
    ],
)
async def test_a_task_that_waits_is_gone_back_to_by_its_words_or_a_value(message: str) -> None:
    waiting = Task(flow="book_room", slots={"room": "double"}, open=True)
    about = {"others": (waiting,), "paused_flows": ("book_room",), "expected_slots": RIDE.slots}
    question = {"kind": "collect", "prompt": "Where?", "data": {}}

    commands = await read(
        message, current_flow="order_shuttle", waiting_for_slot="place", asked=question, **about
    )

    assert commands == [ResumeFlow(flow_name="book_room")]


@pytest.mark.parametrize(
    "message", ["before that, I need a ride", "first I need a ride from here, please"]
)
async def test_something_else_comes_before_the_answer(message: str) -> None:
    commands = await asked(message, "guests", room="double")

    assert [getattr(one, "flow_name", None) for one in commands] == ["order_shuttle"]


@pytest.mark.parametrize("message", ["haha you're quick", "lol you're good", "wow you're fast"])
async def test_small_talk_is_no_name(message: str) -> None:
    assert await asked(message, "guest_name", room="double") == [ChitChat()]


@pytest.mark.parametrize(
    ("message", "expert"),
    [("i want to talk to a wine expert", "sommelier"), ("can i speak to a masseur", "masseur")],
)
async def test_somebody_whom_a_flow_is_about_is_no_wish_for_a_person(
    message: str, expert: str
) -> None:
    assert await read(message) == [StartFlow(flow_name="meet_expert", slots={"expert": expert})]


@pytest.mark.parametrize("message", ["can i talk to a person", "i want to speak to your manager"])
async def test_anybody_at_all_is_a_wish_for_a_person(message: str) -> None:
    assert await read(message) == [HumanHandoff()]
