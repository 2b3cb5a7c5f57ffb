"""Codes: they name a booking, a flight or a policy, and have letters, digits or both."""

import pytest

from soni.du.context import SlotBrief
from soni.du.local.values.codes import (
    find_address_slot,
    find_code,
    find_codes,
    has_no_code,
    holds_code,
    is_no_code,
)
from soni.language import find_language

EN = find_language("en")


def slot(name: str, about: str = "") -> SlotBrief:
    """A slot of the flow."""
    return SlotBrief(name=name, flow="flow", description=about)


POLICY = slot("policy_no", "Number of the policy")
HOME = slot("home", "Street and number of the new address")


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("code's 9QWER4 , flying 18 march , not before 11am", "9QWER4"),
        ("the policy is hx88127 i believe", "hx88127"),
        ("it says 49006", "49006"),
        ("reg is LM67 XYZ, comprehensive", "LM67 XYZ"),
        ("HX 20931", "HX 20931"),
        ("its C 90213", "C 90213"),
        ("I 90213", "90213"),
        ("GB29 NWBK 6016 1331 9268 19", "GB29 NWBK 6016 1331 9268 19"),
        ("my ID 48213", "48213"),
        ("IT IS AB1234 OK", "AB1234"),
    ],
)
def test_the_code_that_was_asked_for_is_found_among_other_words(message, code):
    assert find_code(message, POLICY, EN) == code


@pytest.mark.parametrize("message", ["it weighs 80kg", "call me at 5pm", "on the 21st", "8GB", "4"])
def test_a_measure_a_time_or_a_day_is_no_code(message):
    assert find_code(message, POLICY, EN) is None


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("can you deliver W77120 on friday instead", "W77120"),
        ("sk733 landed, my bag didn't", "sk733"),
        ("booking's QX7712, so on the 6th", "QX7712"),
        ("please move 88KLP2 to friday", "88KLP2"),
        ("policy 20931 please", "20931"),
    ],
)
def test_a_code_is_told_by_its_form_where_nobody_asked(message, code):
    assert find_codes(message, [POLICY, HOME], EN) == {"policy_no": code}


@pytest.mark.parametrize(
    "message", ["we moved to 12B Elm Road", "20000 km a year", "AB1200 or AB1300", "on the 3rd"]
)
def test_what_is_no_code_or_one_of_two_is_not_taken(message):
    assert find_codes(message, [POLICY, HOME], EN) == {}


def test_a_code_for_one_of_two_slots_is_not_guessed():
    assert find_codes("it is QX7712", [POLICY, slot("flight", "Flight number")], EN) == {}


@pytest.mark.parametrize(
    ("name", "about", "holds"),
    [
        ("flight_no", "", True),
        ("plate", "Registration of the car", True),
        ("address", "Street and house number", False),
        ("guest", "Name of the guest", False),
    ],
)
def test_a_slot_holds_codes_by_its_name_or_description(name, about, holds):
    assert holds_code(slot(name, about), EN) is holds


@pytest.mark.parametrize(
    ("example", "holds"),
    [("W48213", True), ("F-30911", True), ("Ramipril", False), ("2 eggs", False)],
)
def test_a_slot_holds_codes_if_its_examples_are_codes(example, holds):
    assert holds_code(SlotBrief(name="what", flow="flow", examples=(example,)), EN) is holds


@pytest.mark.parametrize("message", ["haha you're quick", "it is in the glovebox", "let me look"])
def test_a_sentence_without_a_code_is_no_code(message):
    assert has_no_code(message, POLICY, EN)


@pytest.mark.parametrize(
    "message", ["PLMQWR on the mail", "double four one two", "bluebird", "X Y Z"]
)
def test_letters_and_numbers_in_words_may_be_one(message):
    assert not has_no_code(message, POLICY, EN)


@pytest.mark.parametrize(
    ("value", "home"),
    [("8 Park Lane", HOME), ("44a Long Acre", HOME), ("77 ABX", None), ("KX19 Ab", None)],
)
def test_an_address_belongs_to_the_slot_for_one(value, home):
    assert find_address_slot(value, [HOME], EN) == home


def test_a_code_that_nothing_names_may_be_of_something_else():
    assert find_codes("I have to close HX77001 first", [POLICY], EN, named=True) == {}
    assert find_codes("the number's HX77001", [POLICY], EN, named=True) == {"policy_no": "HX77001"}


@pytest.mark.parametrize(
    ("value", "no_code"), [("water everywhere", True), ("E17", False), ("double four", False)]
)
def test_words_are_no_code_where_examples_have_figures(value, no_code):
    fault = SlotBrief(name="fault", flow="flow", examples=("E17", "H204"))
    assert is_no_code(value, fault, EN) is no_code


def test_a_word_may_be_a_code_where_no_example_says_otherwise():
    assert not is_no_code("bluebird", POLICY, EN)
    assert not is_no_code("no hot water", slot("problem", "What is wrong"), EN)
