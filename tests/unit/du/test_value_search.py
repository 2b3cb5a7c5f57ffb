"""Numbers, amounts and phone numbers in the middle of a sentence."""

import pytest

from soni.du import DialogueContext, SlotBrief
from soni.du.local.values.value_search import find_values
from soni.du.local.view import View
from tests.unit.du.message_values import MONDAY, only, values


@pytest.mark.parametrize("kind", ["money", "integer", "number"])
@pytest.mark.parametrize("message", ["wrong number, it is 202 555 0132", "on 2026-03-10"])
def test_a_part_of_a_long_number_is_no_amount(message, kind):
    assert values(message, kind) == []


@pytest.mark.parametrize("kind", ["money", "integer", "number"])
@pytest.mark.parametrize(
    "message",
    [
        "make the delivery 11:30",
        "better at half past two",
        "eight sharp",
        "come at 3 in the afternoon",
        "I am at 9 Elm Road",
        "it is 12 mill lane",
    ],
)
def test_a_part_of_a_time_or_of_an_address_is_no_number(message, kind):
    assert values(message, kind) == []


@pytest.mark.parametrize(
    ("message", "number"),
    [("a table for 4 tonight", 4), ("5 rooms close to the street", 5), ("about 3 hrs", 3)],
)
def test_a_number_beside_words_of_time_and_place_is_one(message, number):
    assert only(message, "integer") == number


@pytest.mark.parametrize("message", ["17 per person", "80 a night at most", "60 an hour"])
def test_so_much_for_each_is_an_amount_and_counts_nothing(message):
    assert len(values(message, "money")) == 1
    assert values(message, "integer", about="How many people come") == []


def test_so_many_a_day_are_counted_where_that_is_asked():
    assert only("2 a day", "integer", about="How many tablets a day") == 2


@pytest.mark.parametrize(
    ("message", "language", "amount"),
    [
        ("it was 86 euros 40", "en", 86.4),
        ("put 25 pounds on 2025550145", "en", 25),
        ("unos 85.000", "es", 85_000),
        ("a tenner is fine", "en", 10),
        ("12 and a half euros", "en", 12.5),
    ],
)
def test_an_amount_is_found_among_other_words(message, language, amount):
    assert only(message, "money", language)["amount"] == amount


@pytest.mark.parametrize("message", ["tiene 95.000 km", "pesa 12 kilos", "para 3 noches"])
def test_a_measure_of_something_else_is_no_money(message):
    assert values(message, "money", "es") == []


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("just one", "en", 1),
        ("only one, thanks", "en", 1),
        ("one is enough", "en", 1),
        ("con una me vale", "es", 1),
        ("one's enough", "en", 1),
        ("one'll do for now", "en", 1),
        ("three's fine", "en", 3),
        ("half a dozen", "en", 6),
        ("a couple of them", "en", 2),
        ("tiene 60 mil", "es", 60_000),
        ("unos 85.000", "es", 85_000),
    ],
)
def test_a_number_is_found_as_people_say_it(message, language, number):
    assert only(message, "integer", language) == number


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("my wife, the two kids and me", "en", 4),
        ("me, my husband and 2 friends", "en", 4),
        ("mi mujer, los dos niños y yo", "es", 4),
    ],
)
def test_people_may_be_listed_instead_of_counted(message, language, number):
    assert only(message, "integer", language, about="How many people") == number


def test_who_does_not_say_how_many_is_not_counted():
    assert values("my kids and me", "integer", about="How many people") == []


@pytest.mark.parametrize(
    "message", ["it's 60 square metres", "about 80 sq m", "3 acres", "120 square feet"]
)
def test_an_area_is_no_money(message):
    assert values(message, "money") == []


def test_what_was_found_in_a_message_is_not_looked_for_again() -> None:
    view = View(DialogueContext(now=MONDAY))
    slot = SlotBrief(name="day", flow="trip", type="date")
    (once,) = find_values("leave on friday", slot, view.env)
    (again,) = find_values("leave on friday", slot, view.env)
    assert again is once
    assert find_values("leave on monday", slot, view.env)[0].value != once.value


@pytest.mark.parametrize(
    ("message", "amount"),
    [
        ("sell all 40 of them", {"amount": 40, "currency": "USD"}),
        ("SELL ALL 40 OF THEM", {"amount": 40, "currency": "USD"}),
        ("sell them for 40 TRY", {"amount": 40, "currency": "TRY"}),
        ("sell them for 40 sek", {"amount": 40, "currency": "SEK"}),
    ],
)
def test_a_word_that_is_a_currency_too_is_one_in_capitals_only(message, amount):
    assert only(message, "money") == amount


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("best on 07700 900144", "07700 900144"),
        ("07700 900512, ask for Ann", "07700 900512"),
        ("my cell is +44 7700 900 611", "+44 7700 900 611"),
        ("you can call me on 555-0132", "555-0132"),
        ("ring 555 0132 after six", "555 0132"),
    ],
)
def test_a_phone_number_that_does_not_exist_is_one_for_its_type_to_refuse(message, number):
    assert values(message, "phone") == [(number, number)]


@pytest.mark.parametrize(
    "message",
    [
        "my order is 4471 220 981",
        "from 2026-03-12 on",
        "call me on 12.03.2026",
        "the card 4929 1234 5678 9012",
        "call about 0929 1234 5678 9012",
        "it is AB-0770 0900144",
        "we spent 1.250.000",
    ],
)
def test_other_digits_are_no_phone_number(message):
    assert values(message, "phone") == []


def test_a_number_that_exists_is_taken_before_one_that_does_not():
    message = "not 07700 900144 but +44 20 7946 0018"
    assert [said for said, _ in values(message, "phone")] == ["+44 20 7946 0018"]
