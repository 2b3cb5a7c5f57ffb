"""Values that come along with an answer or a wish. It is Monday, 2 March 2026, 10:00."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.du import DialogueContext, SlotBrief
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.values.periods import find_period
from soni.du.local.view import View

MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)


def slot(name: str, kind: str, about: str = "") -> SlotBrief:
    """A slot of the flow."""
    return SlotBrief(name=name, flow="flow", type=kind, description=about)


def view(language: str) -> View:
    """A moment in which nothing was said yet."""
    return View(DialogueContext(now=MONDAY, language=language))


def taken(message: str, *slots: SlotBrief, language: str = "en") -> dict[str, Any]:
    """What the message gives to the slots."""
    return find_given_values(message, slots, view(language))


DAY, HOUR = slot("day", "date"), slot("hour", "time")
LENGTH = slot("length", "duration")
DATA = slot("gigabytes", "number", "Size of the pack in gigabytes")
GUESTS = slot("guests", "integer", "How many people are coming")


@pytest.mark.parametrize(
    ("message", "language"), [("friday at 6 am", "en"), ("el viernes a las 6 de la mañana", "es")]
)
def test_a_day_and_a_time_are_two_values(message, language):
    values = taken(message, DAY, HOUR, language=language)
    assert set(values) == {"day", "hour"}


@pytest.mark.parametrize(
    ("message", "language"), [("rent a car for 3 days", "en"), ("alquilar un coche 3 días", "es")]
)
def test_so_many_days_are_how_long_and_not_when(message, language):
    assert set(taken(message, DAY, LENGTH, language=language)) == {"length"}


def test_in_so_many_days_is_when():
    assert taken("a car in 3 days", DAY, LENGTH)["day"] == "in 3 days"


@pytest.mark.parametrize(
    ("message", "about", "language"),
    [
        ("8 gb please", "Size of the pack in gigabytes", "en"),
        ("it weighs 8 kg", "Weight of the box in kilos", "en"),
        ("it does 8 km", "Kilometres a day", "en"),
        ("pesa 8 kilos", "Peso del paquete", "es"),
    ],
)
def test_a_unit_tells_the_slot(message, about, language):
    other, own = slot("pieces", "integer", "How many pieces"), slot("measure", "number", about)
    assert taken(message, other, own, language=language) == {"measure": "8"}


@pytest.mark.parametrize("message", ["a long weekend, so 3 days", "call 202 555 0132", "at 5 pm"])
def test_a_number_of_something_else_is_not_the_last_open_number(message):
    assert taken(message, DATA) == {}


@pytest.mark.parametrize(
    ("message", "number"), [("a pizza, and make that two", "two"), ("lasagne, 3 please", "3")]
)
def test_the_one_number_left_is_for_the_one_slot_that_counts(message, number):
    assert taken(message, slot("servings", "integer", "How many portions")) == {"servings": number}


@pytest.mark.parametrize("message", ["bring it to room 5", "Room 5", "we live at plaza Mayor 1"])
def test_a_number_that_is_a_name_counts_nothing(message):
    assert taken(message, GUESTS) == {}


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("plaza Mayor 1, somos dos", "es", "dos"),
        ("calle Luna 9, seremos 4", "es", "4"),
        ("there are 4 of us, in room 12", "en", "4"),
        ("we're five, at table 3", "en", "five"),
    ],
)
def test_we_are_so_many_is_how_many_people(message, language, number):
    assert taken(message, GUESTS, language=language) == {"guests": number}


def test_an_amount_with_its_currency_is_told_from_a_phone_number():
    amount = slot("amount", "money")
    assert taken("it's 2025550145, add 25 pounds", amount) == {"amount": "25 pounds"}


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("move it from thursday to friday", "thursday", "friday"),
        ("move it from thursday to tuesday", "thursday", "tuesday"),
    ],
)
def test_what_is_moved_goes_from_the_old_day_to_the_new_one(message, old, new):
    slots = (slot("old_day", "date"), slot("new_day", "date"))
    assert find_period(message, slots, view("en")) == {"old_day": old, "new_day": new}


def test_the_one_day_that_was_is_settled_by_the_words():
    happened = slot("happened", "date")
    assert find_period("it got stolen on saturday", [happened], view("en")) == {
        "happened": "2026-02-28"
    }


def test_a_reference_is_no_second_amount():
    assert taken("send 1500 to account 1234", slot("amount", "money")) == {"amount": "1500"}


def test_a_number_before_a_time_is_the_beginning_of_it():
    assert taken("between 7 and 8 pm", GUESTS) == {}


def test_a_unit_may_stick_to_its_number():
    weight = slot("weight", "number", "Weight in kilos")
    assert taken("large, 80kg", slot("pieces", "integer"), weight) == {"weight": "80"}


def test_people_may_be_listed_beside_something_else():
    assert taken("my wife, my son and me, friday", GUESTS, DAY) == {"guests": "3", "day": "friday"}


@pytest.mark.parametrize(
    ("message", "people"),
    [
        ("sushi for 9, wednesday", "9"),
        ("a table for about 12 tomorrow", "12"),
        ("croissants for six please", "six"),
    ],
)
def test_something_for_so_many_says_how_many_people(message, people):
    price = slot("budget", "money", "What may be spent per person")
    assert taken(message, GUESTS, price)["guests"] == people


@pytest.mark.parametrize("message", ["a suite for 3 nights", "it is for 20 euros", "for the 12th"])
def test_for_so_much_of_something_else_counts_nobody(message):
    assert "guests" not in taken(message, GUESTS, slot("budget", "money"))


@pytest.mark.parametrize(
    ("message", "amount", "people"),
    [
        ("we were five at dinner and it came to 180", "180", "five"),
        ("split 75 between 3 people", "75", "3"),
        ("the bill is 240 and there are six of us", "240", "six"),
    ],
)
def test_the_number_that_counts_nothing_is_the_amount(message, amount, people):
    tip = slot("tip", "number", "Tip in percent")
    assert taken(message, GUESTS, slot("total", "money"), tip) == {
        "guests": people,
        "total": amount,
    }


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("nobody's home tomorrow, can you deliver on friday instead", "on friday"),
        ("tomorrow doesn't suit us, how about wednesday", "wednesday"),
        ("I can't make it on thursday so saturday please", "saturday"),
        ("on the Sunday? the 15th i mean", "the 15th"),
    ],
)
def test_of_two_days_the_one_that_is_wished_counts(message, day):
    assert find_period(message, [DAY], view("en")) == {"day": day}


@pytest.mark.parametrize(
    "message", ["friday or saturday", "not before friday, sunday at the latest"]
)
def test_of_two_days_that_are_both_fine_none_is_taken(message):
    assert find_period(message, [DAY], view("en")) == {}


@pytest.mark.parametrize(
    "message",
    [
        "there's something off with invoice 20944",
        "invoice no 20944 is wrong",
        "it's about invoice number 20944",
    ],
)
def test_a_number_behind_what_it_names_is_that_number(message):
    number = slot("invoice_number", "integer", "Number of the invoice")
    assert taken(message, number, slot("amount", "money"))["invoice_number"] == "20944"


def test_an_amount_is_no_number_of_a_thing():
    number = slot("invoice_number", "integer", "Number of the invoice")
    told = taken("you took 480 euros too much", number, slot("amount", "money"))
    assert told == {"amount": "480 euros"}


@pytest.mark.parametrize(
    ("message", "price", "deposit"),
    [
        ("a flat for 240k, got 30k saved up as a deposit", "240k", "30k"),
        ("the deposit is 500 and it costs 9000", "9000", "500"),
        ("9000, with a deposit of 500", "9000", "500"),
    ],
)
def test_of_two_amounts_one_is_told_by_its_name(message, price, deposit):
    slots = (slot("price", "money"), slot("deposit", "money"))
    assert taken(message, *slots) == {"price": price, "deposit": deposit}


def test_two_amounts_that_nothing_tells_apart_are_for_nobody():
    assert taken("300 or 400", slot("price", "money"), slot("deposit", "money")) == {}


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("please call it Kitchen", "Kitchen"),
        ("a new one, name it Lea's phone please", "Lea's phone"),
        ("it should be called Backup", "Backup"),
    ],
)
def test_what_something_is_called_is_its_name(message, name):
    assert taken(message, slot("label", "string", "Name of the device")) == {"label": name}


@pytest.mark.parametrize(
    "message", ["call it off", "call him back later", "it's called for tomorrow"]
)
def test_other_calls_name_nothing(message):
    assert taken(message, slot("label", "string", "Name of the device")) == {}


def test_a_phone_number_comes_along_though_no_country_has_it():
    phone = slot("phone", "phone", "Number to call back")
    assert taken("friday suits me, I'm on 07700 900144", DAY, phone)["phone"] == "07700 900144"


@pytest.mark.parametrize("message", ["please help me asap", "I need it immediately"])
def test_how_urgent_it_is_says_no_day_that_nobody_asked_for(message):
    assert taken(message, DAY) == {}


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("the tap dripped all of yesterday, come on friday", "on friday"),
        ("it was fine last night", None),
        ("come today", "today"),
    ],
)
def test_a_day_that_is_over_is_not_for_what_is_to_come(message, day):
    visit = slot("visit", "date", "Day on which the plumber comes")
    assert taken(message, visit).get("visit") == day


def test_a_day_that_is_over_may_be_for_what_has_been():
    assert "day" in taken("the train was late yesterday", slot("day", "date", "Day of the journey"))


def test_so_many_people_are_whoever_the_slot_counts():
    seats, nights = slot("seats", "integer", "How many seats"), slot("nights", "integer")
    assert taken("three nights for two people", seats, nights) == {
        "seats": "two",
        "nights": "three",
    }
    assert "weight" not in taken("room for two people", slot("weight", "number", "Kilos"), seats)
