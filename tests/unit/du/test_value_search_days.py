"""Days in the middle of a sentence. It is Monday, 2 March 2026, 10:00."""

import pytest

from tests.unit.du.message_values import only, values


@pytest.mark.parametrize(
    ("message", "language", "words", "day"),
    [
        ("friday, at 6 am", "en", "friday", "2026-03-06"),
        ("Day after tomorrow, 7:45 pm", "en", "Day after tomorrow", "2026-03-04"),
        ("at 5 pm on thursday", "en", "on thursday", "2026-03-05"),
        ("el jueves a las 16:30", "es", "el jueves", "2026-03-05"),
        ("mañana a las 10 de la mañana", "es", "mañana", "2026-03-03"),
    ],
)
def test_a_day_leaves_the_clock_beside_it_alone(message, language, words, day):
    assert values(message, "date", language) == [(words, day)]


@pytest.mark.parametrize(
    ("message", "language", "day"),
    [
        ("since saturday", "en", "2026-02-28"),
        ("it was thursday", "en", "2026-02-26"),
        ("it was thrusday", "en", "2026-02-26"),
        ("my bag got stolen on the 25th of february", "en", "2026-02-25"),
        ("on friday it broke down", "en", "2026-02-27"),
        ("fue el jueves", "es", "2026-02-26"),
        ("se rompió el sábado", "es", "2026-02-28"),
        ("estoy enfermo desde el sábado", "es", "2026-02-28"),
    ],
)
def test_what_has_happened_was_on_the_last_day_of_that_name(message, language, day):
    assert only(message, "date", language) == day


@pytest.mark.parametrize(
    "message",
    [
        "I was hoping for friday",
        "my phone was stolen and I need one by friday",
        "it broke, can you come on friday?",
        "the one that was booked for friday",
    ],
)
def test_what_is_still_to_come_is_not_put_into_the_past(message):
    assert only(message, "date") == "2026-03-06"


@pytest.mark.parametrize(
    ("message", "language", "name", "about", "day"),
    [
        ("saturday", "en", "happened", "", "2026-02-28"),
        ("saturday", "en", "starts", "First day of being ill", "2026-02-28"),
        ("desde el sábado", "es", "inicio", "Desde cuándo no funciona", "2026-02-28"),
        ("saturday", "en", "old_day", "Day of the visit that was booked before", "2026-03-07"),
        ("next friday", "en", "happened", "", "2026-03-13"),
    ],
)
def test_a_slot_may_be_about_a_day_that_was(message, language, name, about, day):
    assert only(message, "date", language, name=name, about=about) == day


def test_how_long_is_no_day():
    assert values("we would have it for two weeks", "date") == []
    assert only("for two weeks from friday", "date") == "2026-03-06"


def test_the_day_that_is_named_counts_where_a_distance_is_said_too():
    assert only("rather a day later, on the 10th", "date") == "2026-03-10"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("wensday's good", "2026-03-04"),
        ("friday's fine by me", "2026-03-06"),
        ("thursday'll do", "2026-03-05"),
        ("cancel tomorrow's visit", "2026-03-03"),
        ("today's best", "2026-03-02"),
    ],
)
def test_a_day_may_be_written_together_with_its_verb(message, day):
    assert only(message, "date") == day


def test_what_belongs_to_today_is_no_day():
    assert values("what is today's rate", "date") == []


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("spent_on", "Day on which the money was spent"),
        ("day", "Day the prescription was filled"),
        ("moved_in", "Day you moved in"),
        ("last_seen", ""),
        ("joined_on", ""),
    ],
)
def test_a_slot_may_say_that_its_day_has_been(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2026-02-25"


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("pickup", "Day the car is picked up"),
        ("due", "Day by which the bill should be paid"),
        ("visit", "Day the visit was booked for"),
        ("start", "Day you need the room"),
        ("pay_day", "Day you want to be paid"),
    ],
)
def test_a_day_to_come_is_the_next_one(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2027-02-25"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("it was 40 and I paid on the 25th of february", "2026-02-25"),
        ("we lost it on friday", "2026-02-27"),
        ("I'd like it paid on friday", "2026-03-06"),
    ],
)
def test_what_somebody_did_was_on_the_last_day_of_that_name(message, day):
    assert only(message, "date") == day


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("can the 22nd be moved", "2026-03-22"),
        ("the third would suit us", "2026-03-03"),
        ("on the 22nd my son is ill", "2026-03-22"),
        ("the fifth at noon", "2026-03-05"),
    ],
)
def test_an_ordinal_that_counts_nothing_is_a_day(message, day):
    assert only(message, "date") == day


def test_a_day_of_the_month_may_be_an_ordinal():
    about = "Day of the month on which the rent is due"
    assert only("we get paid on the 28th", "integer", name="due", about=about) == 28
    assert only("the first, please", "integer", name="due", about=about) == 1
    assert values("we live on the 28th floor", "integer", about="How many of us") == []


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("hire_day", "Day on which the boat is hired"),
        ("day", "Day on which the cake is ordered"),
        ("day", "Day on which you are charged"),
    ],
)
def test_what_is_done_on_a_day_is_still_to_come(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2027-02-25"


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("missed_day", ""),
        ("day", "Day on which the milk was not delivered"),
        ("day", "Day of the transfer in question"),
        ("day", "Date of loss"),
        ("hired_on", ""),
    ],
)
def test_what_was_not_done_on_a_day_has_been_too(name, about):
    assert only("it's about friday", "date", name=name, about=about) == "2026-02-27"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("on friday a shop took 30 from me", "2026-02-27"),
        ("the papers should have come on friday", "2026-02-27"),
        ("nobody cleaned the stairs on friday", "2026-02-27"),
        ("they should come on friday", "2026-03-06"),
        ("I would have preferred friday", "2026-03-06"),
        ("we could have friday", "2026-03-06"),
    ],
)
def test_the_tense_around_a_day_tells_whether_it_has_been(message, day):
    assert only(message, "date") == day


@pytest.mark.parametrize(
    "message",
    [
        "we have a second dog",
        "it is my first time here",
        "they are on the 4th floor",
        "the pasta was cold",
        "the mayor called",
        "my schedule is tight",
    ],
)
def test_what_is_only_like_a_day_is_none(message):
    assert values(message, "date") == []
