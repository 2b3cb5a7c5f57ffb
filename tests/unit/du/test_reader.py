"""What strangers say: in one breath, with slips, from the end, and with half of it left out."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief
from soni.du.context import Task

PORTS = {"Dover": (), "Calais": ("cal",), "Bergen": (), "Porto Torres": ()}


def slot(flow: str, name: str, type_: str = "string", description: str = "", **more: Any) -> Any:
    return SlotBrief(name=name, flow=flow, type=type_, description=description, **more)


FERRY = FlowBrief(
    name="book_ferry",
    description="I book a ferry.",
    examples=("book a ferry", "I want to take the ferry", "sail to Bergen"),
    slots=(
        slot("book_ferry", "port_from", "choice", "Where the ferry leaves from", values=PORTS),
        slot("book_ferry", "port_to", "choice", "Where the ferry goes", values=PORTS),
        slot("book_ferry", "sail_on", "date", "The day of the crossing"),
        slot("book_ferry", "back_on", "date", "The day of the way back", required=False),
        slot("book_ferry", "people", "integer", "How many people"),
        slot("book_ferry", "ferry", "object", "The ferry that was chosen"),
    ),
)
WALLETS = {"travel": ("travel wallet",), "daily": ("daily wallet", "everyday")}
GIFT = FlowBrief(
    name="pay_friend",
    description="I send money to a friend.",
    examples=("send money to a friend", "pay a friend", "send some money", "enviar dinero"),
    slots=(
        slot("pay_friend", "friend", "string", "Who gets the money"),
        slot("pay_friend", "amount", "number", "How many euros"),
        slot("pay_friend", "wallet", "choice", "Where the money comes from", values=WALLETS),
    ),
)
BADGE = FlowBrief(
    name="lock_badge",
    description="I lock a badge that is gone.",
    examples=("lock my badge", "my badge is gone", "he perdido mi placa", "bloquear mi placa"),
    slots=(slot("lock_badge", "badge", "string", "The last four digits of the badge"),),
)
CREDIT = FlowBrief(
    name="tell_credit",
    description="I tell how much is in a wallet.",
    examples=("how much credit do I have", "how much is in my wallet", "show my credit"),
    slots=(slot("tell_credit", "wallet", "choice", "Which wallet", values=WALLETS),),
)
FLOWS = (FERRY, GIFT, BADGE, CREDIT)


async def read(message: str, **about: Any) -> list[Any]:
    """What a message is read as while nothing is going on, or in the moment that is told."""
    context = DialogueContext(
        available_flows=FLOWS, now=datetime(2026, 3, 2, 10, tzinfo=UTC), **about
    )
    return list((await LocalNLU().understand(message, [], context)).commands)


async def answer(message: str, flow: FlowBrief, asked: str, **known: Any) -> list[Any]:
    """What a message is read as where a slot of a flow is asked."""
    prompt = known.pop("prompt", "And what?")
    data = {"options": known.pop("options")} if "options" in known else {}
    return await read(
        message,
        current_flow=flow.name,
        expected_slots=flow.slots,
        current_slots=known,
        waiting_for_slot=asked,
        asked={"kind": "collect", "prompt": prompt, "data": data},
    )


async def confirming(message: str, flow: FlowBrief, **known: Any) -> list[Any]:
    """What a message is read as where yes or no is asked."""
    return await read(
        message,
        current_flow=flow.name,
        expected_slots=flow.slots,
        current_slots=known,
        asked={"kind": "confirm", "prompt": "Shall I?", "data": {}},
    )


@pytest.mark.parametrize(
    ("message", "slots"),
    [
        ("pay Ann 25 from my travel wallet", {"friend": "Ann", "amount": "25", "wallet": "travel"}),
        ("send 700 to ann", {"friend": "ann", "amount": "700"}),
    ],
)
async def test_whom_and_how_much_do_not_hide_what_is_wanted(
    message: str, slots: dict[str, str]
) -> None:
    assert await read(message) == [StartFlow(flow_name="pay_friend", slots=slots)]


async def test_a_number_of_a_thing_is_not_an_amount() -> None:
    [start] = await read("please lock my badge ending 1234")

    assert start == StartFlow(flow_name="lock_badge", slots={"badge": "1234"})


@pytest.mark.parametrize(
    "message",
    [
        "book a ferry from dover to bergen",
        "a ferry to bergen from dover please",
        "book me a ferry dover - bergen",
        "book a ferry dover to bergn",
    ],
)
async def test_the_ends_of_a_way_are_never_swapped(message: str) -> None:
    [start] = await read(message)

    assert start.flow_name == "book_ferry"
    assert (start.slots["port_from"], start.slots["port_to"]) == ("Dover", "Bergen")


async def test_one_end_of_a_way_leaves_the_other_open() -> None:
    [start] = await read("book a ferry to bergen")

    assert start.slots["port_to"] == "Bergen"
    assert "port_from" not in start.slots


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("book a ferry to bergen, not dover", {"port_to": "Bergen"}),
        ("book a ferry to bergen via dover", {"port_to": "Bergen"}),
        ("book a ferry to bergen or dover", {}),
    ],
)
async def test_what_is_refused_or_left_open_is_no_end_of_a_way(
    message: str, ends: dict[str, str]
) -> None:
    [start] = await read(message)

    assert {n: v for n, v in start.slots.items() if n in ("port_from", "port_to")} == ends


async def test_of_two_places_that_may_be_neither_is_taken() -> None:
    commands = await answer("bergen or dover", FERRY, "port_from")

    assert all(
        str(value) not in PORTS for c in commands for value in c.get_touched_slots().values()
    )


@pytest.mark.parametrize("message", ["ok bergen then, not calais", "bergen, not calais"])
async def test_one_place_and_not_another_answers_what_was_asked(message: str) -> None:
    commands = await answer(message, FERRY, "port_to", port_from="Dover")

    assert commands == [SetSlot(slot_name="port_to", value="Bergen")]


async def test_an_example_with_a_value_gives_the_value() -> None:
    assert await read("sail to Bergen") == [
        StartFlow(flow_name="book_ferry", slots={"port_to": "Bergen"})
    ]


async def test_the_day_back_counts_from_the_day_there() -> None:
    [start] = await read("book a ferry for next monday, back on thursday, only me")

    assert "next monday" in start.slots["sail_on"]
    assert start.slots["back_on"] == "2026-03-12"
    assert str(start.slots["people"]) == "1"


async def test_a_weekday_that_is_asked_as_the_end_comes_after_the_beginning() -> None:
    [given] = await answer("on sunday", FERRY, "back_on", sail_on="2026-03-13")

    assert given == SetSlot(slot_name="back_on", value="2026-03-15")


async def test_so_much_later_counts_from_the_beginning() -> None:
    [given] = await answer("a week later", FERRY, "back_on", sail_on="2026-03-13")

    assert given == SetSlot(slot_name="back_on", value="2026-03-20")


@pytest.mark.parametrize(
    ("said", "meant"), [("tomorow", "tomorrow"), ("wensday", "wednesday"), ("right now", "today")]
)
async def test_a_day_with_a_slip_is_still_a_day(said: str, meant: str) -> None:
    assert await answer(said, FERRY, "sail_on") == [SetSlot(slot_name="sail_on", value=meant)]


async def test_to_somewhere_is_no_answer_to_where_from() -> None:
    [given] = await answer("to bergen", FERRY, "port_from")

    assert given == SetSlot(slot_name="port_to", value="Bergen")


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("a ferry from Dover to Paris", {"port_from": "Dover", "port_to": "Paris"}),
        ("book a ferry to bergen from oslo", {"port_from": "oslo", "port_to": "Bergen"}),
        ("a ferry from Dover to anywhere", {"port_from": "Dover"}),
        ("a ferry to Bergen from Monday", {"port_to": "Bergen"}),
    ],
)
async def test_a_place_that_there_is_not_is_told_beside_one_that_there_is(
    message: str, ends: dict[str, str]
) -> None:
    """So that whoever said it hears that nobody goes there."""
    [start] = await read(message)

    assert {name: start.slots.get(name) for name in ends} == ends
    assert {"port_from", "port_to"} & start.slots.keys() == ends.keys()


@pytest.mark.parametrize("message", ["somewhere warm", "in two weeks"])
async def test_no_place_is_guessed_that_was_not_named(message: str) -> None:
    commands = await answer(message, FERRY, "port_from")

    assert all(
        str(value) not in PORTS for c in commands for value in c.get_touched_slots().values()
    )


async def test_both_is_neither_of_two() -> None:
    commands = await answer("both", CREDIT, "wallet")

    assert all(str(v) not in WALLETS for c in commands for v in c.get_touched_slots().values())


async def test_two_answers_are_told_apart() -> None:
    commands = await answer("bob, 90 euros", GIFT, "friend")

    assert [(c.slot_name, c.value) for c in commands] == [("friend", "bob"), ("amount", "90")]


async def test_an_account_number_is_one_answer() -> None:
    number = "GB29 NWBK 6016 1331 9268 19"

    assert await answer(number, BADGE, "badge") == [SetSlot(slot_name="badge", value=number)]


async def test_what_skipping_is_said_to_be_for_skips() -> None:
    prompt = "When do you come back? Say skip for one way only."

    assert await answer("one way", FERRY, "back_on", prompt=prompt) == [SkipSlot()]


@pytest.mark.parametrize("message", ["the one to bergen", "i'd take the bergen one"])
async def test_an_item_is_picked_by_a_word_of_it(message: str) -> None:
    options = ["Hermes, Dover to Calais, 8:30 pm", "Thetis, Dover to Bergen, 9:15 am"]

    [pick] = await answer(message, FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[1])


async def test_an_item_is_picked_by_its_time() -> None:
    options = ["Hermes, 8:30 pm", "Thetis, 9:15 am"]

    [pick] = await answer("the one at 20:30", FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[0])


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("the 10 am one", 0),
        ("10am please", 0),
        ("I'd take the one at 10 a.m.", 0),
        ("the 7:10 am one", 1),
        ("the one at 10:30", 2),
        ("the 10 pm one", 3),
        ("the one at 10 pm please", 3),
    ],
)
async def test_a_time_is_not_found_in_a_part_of_another(message: str, place: int) -> None:
    options = ["Hermes, 10:00", "Thetis, 7:10 am", "Argo, 10:30", "Doris, 22:00"]

    [pick] = await answer(message, FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[place])


async def test_of_several_at_one_time_the_words_tell_which() -> None:
    options = ["Hermes, 10:00", "Thetis, 7:10 am", "Argo, 10:00"]

    [pick] = await answer("the 10 am argo", FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[2])


async def test_a_time_that_nothing_leaves_at_picks_nothing() -> None:
    options = ["Thetis, 7:10 am", "Argo, 10:30"]

    said = await answer("the 10 am one", FERRY, "ferry", options=options)

    assert not any(one.get_touched_slots().get("ferry") in options for one in said)


@pytest.mark.parametrize(
    ("message", "most"),
    [
        ("the cheap one", "cheapest"),
        ("the big one", "biggest"),
        ("the bigger one", "biggest"),
        ("bigger one", "biggest"),
        ("the hotter one", "hottest"),
        ("the thin one", "thinnest"),
        ("the larger one", "largest"),
        ("the nicer option", "nicest"),
        ("the newer one", "newest"),
        ("the earlier one", "earliest"),
        ("the better one", "best"),
    ],
)
async def test_the_cheap_one_is_the_cheapest(message: str, most: str) -> None:
    [pick] = await answer(message, FERRY, "ferry", options=["Hermes", "Thetis"])

    assert pick == SetSlot(slot_name="ferry", value=f"the {most} one")


async def test_who_was_not_meant_is_replaced() -> None:
    [change] = await confirming("no not ann, bob", GIFT, friend="Ann", amount=25)

    assert change == CorrectSlot(slot_name="friend", new_value="bob")


async def test_two_changes_are_two() -> None:
    commands = await confirming(
        "oh sorry it should be from calais, and on march 10",
        FERRY,
        port_from="Dover",
        port_to="Bergen",
        sail_on="2026-03-09",
        back_on="2026-03-12",
    )

    changed = {c.slot_name: c.new_value for c in commands if isinstance(c, CorrectSlot)}
    assert changed == {"port_from": "Calais", "sail_on": "on march 10"}


async def test_a_yes_in_other_words_changes_nothing() -> None:
    assert await confirming("alright, send it", GIFT, friend="Ann", amount=25) == [
        AffirmConfirmation()
    ]


async def test_another_day_is_not_another_one() -> None:
    commands = await answer("nah forget it, I'll do it another day", GIFT, "amount", friend="Ann")

    assert commands == [CancelFlow()]


async def test_something_else_is_asked_of_the_flow_that_ended() -> None:
    ended = Task(flow="tell_credit", slots={"wallet": "daily"})

    assert await read("and travel?", others=(ended,)) == [
        StartFlow(flow_name="tell_credit", slots={"wallet": "travel"})
    ]


async def test_two_values_of_one_flow_tell_which_it_is() -> None:
    assert await read("ok calais then, from dover") == [
        StartFlow(flow_name="book_ferry", slots={"port_from": "Dover", "port_to": "Calais"})
    ]


@pytest.mark.parametrize("message", ["whats a badge", "how much does a ferry cost?"])
async def test_a_question_about_a_thing_is_no_wish_for_it(message: str) -> None:
    assert await read(message) == [Clarify(topic=message)]


async def test_one_person_is_not_a_call_for_a_person() -> None:
    commands = await read("book a ferry to bergen tomorrow, 1 person")

    assert not any(isinstance(command, HumanHandoff) for command in commands)


@pytest.mark.parametrize(
    "message",
    ["how many bags can a person take?", "I don't want to talk to an agent, just show my credit"],
)
async def test_who_is_not_wanted_is_not_called(message: str) -> None:
    commands = await read(message)

    assert not any(isinstance(command, HumanHandoff) for command in commands)


@pytest.mark.parametrize(
    "message", ["can a person help me?", "could an agent call me", "get me an agent"]
)
async def test_a_person_is_called(message: str) -> None:
    assert await read(message) == [HumanHandoff()]


@pytest.mark.parametrize("message", ["ok", "yes", "no", "great"])
async def test_a_yes_or_no_is_nobodys_name(message: str) -> None:
    assert await answer(message, GIFT, "friend", prompt="Who is it for?") == []


@pytest.mark.parametrize("message", ["good", "great", "ok"])
async def test_how_it_was_can_be_told_in_a_word(message: str) -> None:
    given = await answer(message, GIFT, "friend", prompt="How was it?")
    assert given == [SetSlot(slot_name="friend", value=message)]


@pytest.mark.parametrize("message", ["thanks anyway", "ok thank you!", "great, thanks so much"])
async def test_thanks_are_thanks_whatever_is_asked(message: str) -> None:
    assert await answer(message, FERRY, "people") == [ChitChat()]


async def test_a_name_alone_is_an_answer() -> None:
    assert await answer("Zoe", GIFT, "friend") == [SetSlot(slot_name="friend", value="Zoe")]


async def test_no_wallet_is_taken_that_was_not_named() -> None:
    [start] = await read("please send some money to my dear old friend")

    assert "wallet" not in start.slots


async def test_what_is_put_right_at_once_counts() -> None:
    [given] = await answer("40. no wait 50", GIFT, "amount", friend="Ann")

    assert given == SetSlot(slot_name="amount", value="50")


async def test_a_place_in_words_picks() -> None:
    [pick] = await answer("number two", FERRY, "ferry", options=["Hermes", "Thetis"])

    assert pick == SetSlot(slot_name="ferry", value="2")


async def test_so_much_more_is_nobody() -> None:
    [start] = await read("send another 30 to Ann")

    assert start.slots["friend"] == "Ann"


async def test_what_comes_after_what_was_done_is_what_is_wanted() -> None:
    commands = await read("i booked a ferry with you but my badge is gone")

    assert commands == [StartFlow(flow_name="lock_badge")]


async def test_a_hesitation_is_no_correction() -> None:
    commands = await answer("hmm bergen sounds nice", FERRY, "port_to", port_from="Dover")

    assert commands == [SetSlot(slot_name="port_to", value="Bergen")]


async def test_no_need_for_it_skips_it() -> None:
    slots = (slot("book_ferry", "return_on", "date", "The day back", required=False),)
    ferry = FERRY.model_copy(update={"slots": slots})

    assert await answer("no need for a return", ferry, "return_on") == [SkipSlot()]


async def test_asking_whether_there_are_any_is_wanting_one() -> None:
    [start] = await read("are there any ferries from dover to bergen?")

    assert start.flow_name == "book_ferry"


async def test_a_number_alone_starts_nothing() -> None:
    commands = await answer("42", BADGE, "badge")

    assert not any(isinstance(command, StartFlow) for command in commands)


async def test_spanish_is_understood_in_other_forms_of_the_words() -> None:
    [start] = await read("es que perdí la placa ayer", language="es")

    assert start.flow_name == "lock_badge"


@pytest.mark.parametrize("message", ["yes no", "yes, not yet", "yes, the amount is wrong"])
async def test_a_yes_that_takes_itself_back_agrees_to_nothing(message: str) -> None:
    commands = await confirming(message, GIFT, friend="Ann", amount=25)
    assert AffirmConfirmation() not in commands


async def test_the_later_of_two_times_counts_where_it_is_proposed() -> None:
    trip = FlowBrief(
        name="book_cab",
        examples=("book a cab", "I need a cab"),
        slots=(slot("book_cab", "at", "time", "When the cab comes"),),
    )
    [said] = await answer("my train gets in at 14:10, so let's say 14:30", trip, "at")
    assert "14:30" in said.value


async def test_a_number_of_a_thing_is_the_answer_where_one_is_asked() -> None:
    refund = FlowBrief(
        name="refund",
        examples=("I want my money back", "refund an order"),
        slots=(
            slot("refund", "order_number", "string", "Number of the order"),
            slot("refund", "price", "money", "What it cost"),
        ),
    )
    asked = await answer("it says 49006 on the receipt", refund, "order_number")
    assert asked == [SetSlot(slot_name="order_number", value="49006")]


async def test_a_part_of_the_day_is_no_greeting_where_it_can_be_chosen() -> None:
    window = slot("deliver", "window", "choice", "When", values={"morning": (), "evening": ()})
    deliver = FlowBrief(name="deliver", examples=("deliver it",), slots=(window,))
    denied = await confirming("nope, morning please", deliver, window="evening")
    assert denied == [CorrectSlot(slot_name="window", new_value="morning")]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("uh, some sourdough bread", "sourdough bread"),
        ('just put "Ann Lee"', "Ann Lee"),
        ("it's called Frontline Plus I think", "Frontline Plus"),
        ("Some Like It Hot", "Some Like It Hot"),
    ],
)
async def test_a_name_comes_without_what_leads_to_it(said: str, name: str) -> None:
    assert await answer(said, GIFT, "friend") == [SetSlot(slot_name="friend", value=name)]


@pytest.mark.parametrize(
    ("said", "language", "name"),
    [
        ("Call of Duty", "fr", "Call of Duty"),
        ("Son Heung-min", "fr", "Son Heung-min"),
        ("A Coruña", "es", "A Coruña"),
        ("a Sevilla", "es", "Sevilla"),
    ],
)
async def test_the_first_word_of_a_name_leads_to_nothing(
    said: str, language: str, name: str
) -> None:
    given = await read(
        said,
        language=language,
        current_flow="pay_friend",
        expected_slots=GIFT.slots,
        waiting_for_slot="friend",
        asked={"kind": "collect", "prompt": "?", "data": {}},
    )
    assert given == [SetSlot(slot_name="friend", value=name)]


@pytest.mark.parametrize("message", ["...", "!", "???", "…", '""'])
async def test_signs_alone_are_nobodys_name(message: str) -> None:
    assert await answer(message, GIFT, "friend") == []


async def test_what_the_assistant_has_an_answer_to_is_not_foreign() -> None:
    known = ("May I take the car to another country?",)
    assert await read("can i take it to france", known_questions=known) == [
        Clarify(topic="can i take it to france")
    ]


@pytest.mark.parametrize("message", ["blorp the frimble", "asdf qwer zxcv", "ñam, ñam"])
async def test_noise_is_no_small_talk(message: str) -> None:
    assert ChitChat() not in await read(message)


async def test_of_several_numbers_the_one_that_is_concluded_counts() -> None:
    message = "there are seven of us in the van but only three dare"
    said = await answer(message, FERRY, "people", port_from="Dover", port_to="Calais")
    assert [str(one.value) for one in said] == ["three"]


async def test_the_day_that_follows_from_another_is_the_one_that_is_meant() -> None:
    said = await answer("we move out on the 12th, so on the 15th", FERRY, "sail_on")
    assert [(one.slot_name, one.value) for one in said] == [("sail_on", "on the 15th")]


async def test_who_said_one_thing_but_meant_another_means_the_other() -> None:
    said = await answer("I said Bob but meant Rob", GIFT, "wallet", friend="Bob", amount=20)
    assert said == [CorrectSlot(slot_name="friend", new_value="Rob")]


async def test_the_difference_between_two_things_is_asked_and_neither_chosen() -> None:
    said = await answer(
        "what's the difference between travel and daily?", GIFT, "wallet", friend="Bob", amount=20
    )
    assert [type(one) for one in said] == [Clarify]


@pytest.mark.parametrize("message", ["you decide", "surprise me"])
async def test_whoever_leaves_the_choice_to_others_passes_over_it(message: str) -> None:
    said = await answer(message, GIFT, "wallet", friend="Bob", amount=20)
    assert [type(one) for one in said] == [SkipSlot]
