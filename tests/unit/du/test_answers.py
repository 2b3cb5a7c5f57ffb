"""What a message gives to the slot that is asked, and what to others. It is Monday, 10:00."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.du import DialogueContext, SlotBrief
from soni.du.local.answers.answers import find_answer, strip_lead
from soni.du.local.corrections.changes import find_changes
from soni.du.local.view import View


def slot(name: str, kind: str, about: str) -> SlotBrief:
    """A slot of the flow."""
    return SlotBrief(name=name, flow="fetch", type=kind, description=about)


DEVICES = slot("devices", "integer", "How many devices to fetch")
WEIGHT = slot("weight", "number", "Weight of the heaviest device in kilos")
PEOPLE = slot("people", "integer", "How many people share the bill")
TOTAL = slot("total", "money", "Sum of the bill")
HOUR = slot("hour", "time", "Time of the visit")
DAY = slot("day", "date", "Day of the visit")
LENGTH = slot("length", "duration", "How long the visit takes")
ORDER = slot("order_no", "string", "Number of the order")
TABLETS = slot("tablets", "integer", "How many tablets a day")
URGENT = slot("urgent", "boolean", "Whether it is urgent")
KNOWN: dict[str, Any] = {
    "devices": 2,
    "people": 4,
    "total": {"amount": 180, "currency": "USD"},
    "order_no": "4471",
    "length": "PT2H",
}


def moment(asked: SlotBrief, *others: SlotBrief) -> View:
    """A moment in which a slot is asked, and others are known."""
    return View(
        DialogueContext(
            now=datetime(2026, 3, 2, 10, tzinfo=UTC),
            language="en",
            current_flow="fetch",
            expected_slots=(asked, *others),
            current_slots={one.name: KNOWN[one.name] for one in others},
            waiting_for_slot=asked.name,
            asked={"kind": "collect"},
        )
    )


def changed(message: str, asked: SlotBrief, *others: SlotBrief) -> dict[str, str]:
    """What a message changes where something else is asked."""
    new: dict[str, str] = {}
    for command in find_changes(message, moment(asked, *others)):
        new |= {name: str(value) for name, value in command.get_touched_slots().items()}
    return new


@pytest.mark.parametrize(
    ("message", "asked", "other", "value"),
    [
        ("it's three devices now my wife tells me", WEIGHT, DEVICES, "three"),
        ("oh and we have 4 devices", WEIGHT, DEVICES, "4"),
        ("we'll be five", HOUR, PEOPLE, "five"),
        ("it's 6 people by the way", URGENT, PEOPLE, "6"),
        ("order number's 4417, typo", DEVICES, ORDER, "4417"),
        ("the bill was 186 not 180", PEOPLE, TOTAL, "186"),
    ],
)
def test_a_number_is_for_the_slot_that_its_words_name(message, asked, other, value):
    assert changed(message, asked, other) == {other.name: value}
    assert str(find_answer(message, asked, moment(asked, other))) in ("None", value)


@pytest.mark.parametrize(
    ("message", "asked", "other"),
    [
        ("it's three", WEIGHT, DEVICES),
        ("35 kilos", WEIGHT, DEVICES),
        ("do you take 3 devices?", WEIGHT, DEVICES),
        ("2 devices of 40 kilos", WEIGHT, DEVICES),
        ("at 5", HOUR, PEOPLE),
    ],
)
def test_an_answer_changes_nothing_else(message, asked, other):
    assert changed(message, asked, other) == {}


@pytest.mark.parametrize(
    ("message", "hour"),
    [
        ("11 works for us", "at 11 am"),
        ("4 if possible", "at 4 pm"),
        ("I guess 2 would be best", "at 2 pm"),
        ("7, and there'll be five of us in the evening", "at 7 pm"),
        ("we'll be five", None),
        ("5 people", None),
        ("2 or 3 maybe", None),
        ("it's visit 7", None),
        ("eleven thirty", "11:30 am"),
        ("4.15", "4:15 pm"),
        ("1500", "15:00"),
        ("a quarter to twelve", "a quarter to twelve pm"),
    ],
)
def test_a_bare_number_is_the_hour_where_that_is_asked(message, hour):
    assert find_answer(message, HOUR, moment(HOUR, PEOPLE)) == hour


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("nobody's in on Thursday, Friday works though", "Friday"),
        ("not Thursday, I work then, rather Saturday", "Saturday"),
        ("the 5th would be too early, better the 12th", "the 12th"),
        ("I'm at work on Tuesday but Wednesday is fine", "Wednesday"),
        ("Friday? the 13th I mean", "the 13th"),
        ("on friday, not before", "on friday"),
    ],
)
def test_the_day_that_is_wanted_answers(message, day):
    assert find_answer(message, DAY, moment(DAY)) == day


@pytest.mark.parametrize(
    ("message", "urgent"),
    [
        ("not really, whenever you have time", False),
        ("nah, no rush", False),
        ("not urgent", False),
        ("sure why not", True),
        ("yes, the ceiling drips", True),
        ("whenever you have time", None),
        ("it depends, what does it cost", None),
    ],
)
def test_a_yes_or_no_may_be_followed_by_more(message, urgent):
    assert find_answer(message, URGENT, moment(URGENT)) is urgent


@pytest.mark.parametrize(
    ("message", "count"), [("2 a day", "2"), ("three per day", "three"), ("both of them", 2)]
)
def test_so_many_a_day_answer_how_many(message, count):
    assert find_answer(message, TABLETS, moment(TABLETS)) == count


@pytest.mark.parametrize("message", ["my 7 year old", "she is aged 4"])
def test_an_age_counts_nothing(message):
    assert find_answer(message, DEVICES, moment(DEVICES)) is None


@pytest.mark.parametrize("message", ["two years fixed, not five", "10 days abroad"])
def test_so_much_of_something_is_no_day(message):
    assert find_answer(message, DAY, moment(DAY)) is None


@pytest.mark.parametrize("message", ["in ten days", "ten days from now"])
def test_a_day_may_be_told_by_how_far_it_is(message):
    assert find_answer(message, DAY, moment(DAY, LENGTH)) == message


def test_how_long_is_no_day_where_that_is_asked_as_well():
    assert find_answer("ten days", DAY, moment(DAY, LENGTH)) is None
    assert find_answer("two weeks", DAY, moment(DAY)) == "two weeks"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("27 Orchard Lane btw", "27 Orchard Lane"),
        ("it's 7 Kings Court, by the way", "7 Kings Court"),
    ],
)
def test_what_is_said_by_the_way_is_no_part_of_an_answer(message, said):
    assert strip_lead(message, "en") == said


@pytest.mark.parametrize(
    ("message", "language", "said"),
    [
        ("Call of Duty", "en", "Call of Duty"),
        ("I Am Legend", "en", "I Am Legend"),
        ("I am Ann", "en", "Ann"),
        ("Well Street 5", "en", "Well Street 5"),
        ("Well, 5 Mill Lane", "en", "5 Mill Lane"),
        ("use Visa", "en", "Visa"),
        ("a red bag", "en", "red bag"),
        ("A red bag", "en", "red bag"),
        ("A Coruña", "en", "A Coruña"),
        ("es Madrid", "en", "es Madrid"),
        ("es Madrid", "es", "Madrid"),
        ("Son Juan y Ana", "es-ES", "Juan y Ana"),
        ("A Madrid", "es", "Madrid"),
        ("a A Coruña", "es", "A Coruña"),
        ("A Coruña", "es", "A Coruña"),
        ("De Niro", "en", "De Niro"),
        ("de Sevilla", "es", "Sevilla"),
    ],
)
def test_what_leads_to_a_name_is_no_part_of_it_and_its_first_word_is(message, language, said):
    assert strip_lead(message, language) == said


@pytest.mark.parametrize(
    ("values", "message", "value"),
    [
        (("2", "3", "4"), "1", None),
        (("2", "3", "4"), "one", None),
        (("2", "3", "4"), "three", "3"),
        (("2", "3", "4"), "the first one", "2"),
        (("2 gb", "4 gb", "8 gb"), "2", "2 gb"),
        (("two bedrooms", "three bedrooms"), "two", "two bedrooms"),
        (("two bedrooms", "three bedrooms"), "1", None),
        (("one way", "return"), "2", "return"),
        (("small", "large"), "2", "large"),
        (("small", "large"), "two", "large"),
    ],
)
def test_a_number_is_a_place_only_where_no_value_is_one(values, message, value):
    some = SlotBrief(name="some", flow="fetch", type="choice", values=dict.fromkeys(values, ()))
    assert find_answer(message, some, moment(some)) == value


def test_no_problem_is_a_no_where_problems_are_asked_about():
    view = moment(URGENT)
    troubled = View(
        view.context.model_copy(
            update={"asked": {"kind": "collect", "prompt": "Were there any problems with it?"}}
        )
    )
    assert find_answer("no problems", URGENT, troubled) is False
    assert find_answer("no problems with my heart so far", URGENT, view) is False
    assert find_answer("no problem", URGENT, view) is None
    assert find_answer("no problem, I can wait", URGENT, view) is None


PHONE = slot("phone", "phone", "Number to call back")


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("try 555 0132 in the evening", "555 0132"),
        ("5550132 is my work one", "5550132"),
        ("612 345 678", "612 345 678"),
        ("it's 07700 900144, my wife will answer", "07700 900144"),
        ("the one you have is fine", None),
        ("I moved on 12.03.2026", None),
    ],
)
def test_the_digits_are_the_phone_number_that_was_asked(message, number):
    assert find_answer(message, PHONE, moment(PHONE)) == number


def test_the_day_of_a_month_is_a_number_where_that_is_asked():
    due = slot("due", "integer", "Day of the month on which the rent is paid")
    assert find_answer("we get our money on the 25th, so then", due, moment(due)) == "25"
    assert find_answer("on the 25th of march", DEVICES, moment(DEVICES)) is None


def test_at_once_is_today_where_a_day_is_asked():
    assert find_answer("asap please", DAY, moment(DAY)) == "today"


@pytest.mark.parametrize(
    ("message", "amount"),
    [
        ("250, but only until 30 april", "250"),
        ("make it 90 from the 5th of may", "90"),
        ("10.10", "10.10"),
    ],
)
def test_the_number_of_a_day_is_no_amount(message, amount):
    assert find_answer(message, TOTAL, moment(TOTAL)) == amount


@pytest.mark.parametrize("message", ["not on friday", "anything but friday", "any day but friday"])
def test_a_day_that_is_refused_is_not_taken(message):
    assert find_answer(message, DAY, moment(DAY)) is None


def test_another_day_beside_one_that_is_refused_is_taken():
    assert find_answer("not friday, saturday", DAY, moment(DAY)) == "saturday"
