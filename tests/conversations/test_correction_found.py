"""Corrections that random walks found to get lost, told as the shortest conversation."""

from soni.commands import CorrectSlot, StartFlow
from tests.talking import talking_to

TRIP = """
slots:
  city: {prompt: "Where to?"}
  days: {type: integer, prompt: "How many days?"}
  seat: {prompt: "Which seat?"}
flows:
  book:
    trigger: {examples: [book]}
    steps:
      - collect: city
      - set: {place: "{{ upper(city) }}"}
      - collect: days
      - call: choose
      - confirm: "{place} for {days} days: {offer}?"
  choose:
    inputs: [days]
    outputs: [offer]
    steps:
      - collect: seat
      - set: {offer: "{{ seat + ' for ' + str(days) }}"}
"""


async def test_what_a_called_flow_was_given_is_corrected_after_something_before_the_call() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("book", StartFlow(flow_name="book", slots={"city": "Rome", "days": 2}))
        said = await talk.say(
            "no, Oslo, and 5 days",
            CorrectSlot(slot_name="city", new_value="Oslo"),
            CorrectSlot(slot_name="days", new_value=5),
        )
        assert said == ["city is now Oslo.", "days is now 5.", "Which seat?"]
        assert await talk.say("12A") == ["OSLO for 5 days: 12A for 5?"]
