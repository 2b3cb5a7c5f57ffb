"""Constraints: what must hold between slots, whichever of them changes."""

from soni.commands import CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

TRIP = """
    slots:
      start: {type: date, prompt: "From when?"}
      end:
        type: date
        prompt: "Until when?"
        constraints: [{if: "end >= start", message: "{end} is before {start}."}]
    flows:
      trip:
        trigger: {examples: [trip]}
        steps:
          - collect: start
          - collect: end
          - confirm: "{start} to {end}?"
          - say: "Booked."
      other:
        trigger: {examples: [other]}
        steps:
          - {collect: word, message: "Which word?"}
          - say: "{word}!"
"""


def trip(**slots: str) -> StartFlow:
    return StartFlow(flow_name="trip", slots=slots)


async def test_a_value_that_breaks_a_constraint_is_refused_with_its_message() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip")
        assert await talk.say("2026-05-10") == ["Until when?"]
        assert await talk.say("2026-05-01") == ["1 May 2026 is before 10 May 2026.", "Until when?"]
        assert await talk.say("2026-05-10") == ["10 May 2026 to 10 May 2026?"]


async def test_a_constraint_naming_an_unset_slot_is_not_checked() -> None:
    async with talking_to(TRIP) as talk:
        assert await talk.say("until 1 May", trip(end="2026-05-01")) == ["From when?"]
        assert talk.slots == {"end": "2026-05-01"}


async def test_an_answer_that_breaks_another_slots_constraint_has_that_slot_asked() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("until 1 May", trip(end="2026-05-01"))
        assert await talk.say("2026-05-10") == ["1 May 2026 is before 10 May 2026.", "Until when?"]
        assert talk.slots == {"start": "2026-05-10"}
        assert await talk.say("2026-05-12") == ["10 May 2026 to 12 May 2026?"]


async def test_a_correction_that_breaks_another_slots_constraint_has_that_slot_asked() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", trip(start="2026-05-10", end="2026-05-12"))
        later = CorrectSlot(slot_name="start", new_value="2026-05-20")
        assert await talk.say("from the 20th", later) == [
            "start is now 20 May 2026.",
            "12 May 2026 is before 20 May 2026.",
            "Until when?",
        ]
        assert await talk.say("2026-05-21") == ["20 May 2026 to 21 May 2026?"]
        assert await talk.say("yes") == ["Booked."]


async def test_of_two_in_one_message_the_one_whose_own_constraint_fails_is_refused() -> None:
    early = {"start": "2026-05-10", "end": "2026-05-01"}
    for said in (early, dict(reversed(early.items()))):
        async with talking_to(TRIP) as talk:
            assert await talk.say("trip", trip(**said)) == [
                "I could not use end: 1 May 2026 is before 10 May 2026.",
                "Until when?",
            ]
            assert talk.slots == {"start": "2026-05-10"}


async def test_a_change_in_a_paused_flow_has_the_slot_asked_when_that_flow_returns() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", trip(start="2026-05-10", end="2026-05-12"))
        assert await talk.say("other") == ["Which word?"]
        later = CorrectSlot(slot_name="start", new_value="2026-05-20")
        assert await talk.say("the trip is from the 20th", later) == [
            "start is now 20 May 2026.",
            "12 May 2026 is before 20 May 2026.",
            "Which word?",
        ]
        assert await talk.say("hat") == ["hat!", "Back to trip.", "Until when?"]
        assert await talk.say("2026-05-21") == ["20 May 2026 to 21 May 2026?"]


async def test_the_same_slot_of_another_instance_is_left_alone() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", trip(start="2026-05-01", end="2026-05-02"))
        second = StartFlow(flow_name="trip", another=True, slots={"start": "2026-05-10"})
        assert await talk.say("another one", second) == ["Until when?"]
        assert await talk.say("2026-05-12") == ["10 May 2026 to 12 May 2026?"]
        assert await talk.say("yes") == ["Booked.", "Back to trip.", "1 May 2026 to 2 May 2026?"]


async def test_a_computed_value_that_breaks_a_constraint_has_that_slot_asked() -> None:
    flow = """
    slots:
      guests:
        type: integer
        prompt: "How many guests?"
        constraints: [{if: "guests <= seats", message: "There are only {seats} seats."}]
      room: {type: choice, values: [small, large], prompt: "Which room?"}
    flows:
      dine:
        steps:
          - collect: guests
          - collect: room
          - set: {seats: "{{ 4 if room == 'small' else 20 }}"}
          - say: "{guests} guests in the {room} room."
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("6") == ["Which room?"]
        assert await talk.say("small") == ["There are only 4 seats.", "How many guests?"]
        assert await talk.say("5") == ["There are only 4 seats.", "How many guests?"]
        assert await talk.say("4") == ["4 guests in the small room."]


async def test_a_step_that_writes_both_slots_anew_breaks_nothing() -> None:
    flow = TRIP.replace(
        'confirm: "{start} to {end}?"', 'set: {start: "2026-06-01", end: "2026-06-02"}'
    ).replace('"Booked."', '"{start} to {end}."')
    async with talking_to(flow) as talk:
        start = trip(start="2026-05-10", end="2026-05-12")
        assert await talk.say("trip", start) == ["1 June 2026 to 2 June 2026."]


async def test_each_broken_constraint_counts_as_an_attempt() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("trip", trip(start="2026-05-10"))
        early = SetSlot(slot_name="end", value="2026-05-01")
        for _ in range(2):
            assert await talk.say("1 May", early) == [
                "1 May 2026 is before 10 May 2026.",
                "Until when?",
            ]
        assert await talk.say("1 May", early) == [
            "1 May 2026 is before 10 May 2026.",
            "I am connecting you with a person.",
        ]


async def test_the_message_of_a_constraint_may_be_per_language_and_hides_secrets() -> None:
    flow = """
    settings: {language: es}
    slots:
      pin: {prompt: "¿PIN?", sensitive: true}
      again:
        prompt: "¿Otra vez?"
        sensitive: true
        constraints: [{if: "again == pin", message: {en: "No {pin}", es: "{again} no es {pin}."}}]
    flows:
      set_pin:
        steps:
          - collect: pin
          - collect: again
          - say: "Guardado."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hola") == ["¿PIN?"]
        assert await talk.say("4711") == ["¿Otra vez?"]
        assert await talk.say("4712") == ["•••• no es ••••.", "¿Otra vez?"]
        assert await talk.say("4711") == ["Guardado."]
