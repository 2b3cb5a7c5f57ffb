"""description and examples of a slot: what understanding is told about it."""

from collections.abc import Sequence

from soni.commands import SetSlot
from soni.du import DialogueContext, NLUOutput
from soni.du.context import SlotBrief
from tests.talking import talking_to

BOOK = """
slots:
  seats:
    type: integer
    description: How many people travel
    prompt: How many seats?
    examples: [for two, just me]
    required: false
  car: {type: choice, values: {small: [tiny], large: []}, prompt: Which car?, sensitive: true}
flows:
  book:
    steps: [{collect: seats}, {collect: car}, {say: "{seats} in a {car} one."}]
"""


class Reader:
    """Understanding that answers with what a slot's description and examples tell it to."""

    def __init__(self) -> None:
        self.told: dict[str, SlotBrief] = {}

    async def understand(
        self, user_message: str, history: Sequence[object], context: DialogueContext
    ) -> NLUOutput:
        self.told = {slot.name: slot for slot in context.expected_slots}
        slot = self.told.get(context.waiting_for_slot or "")
        known = slot is not None and user_message in slot.examples
        said = SetSlot(slot_name="seats", value=2) if known else None
        return NLUOutput(commands=(said,) if said else (), source="reader")


async def test_understanding_is_told_what_the_author_wrote() -> None:
    reader = Reader()
    async with talking_to(BOOK, nlu=reader) as talk:
        assert await talk.say("hi") == ["How many seats?"]
        assert await talk.say("for two") == ["Which car?"]
        assert reader.told["seats"] == SlotBrief(
            name="seats",
            flow="book",
            type="integer",
            description="How many people travel",
            examples=("for two", "just me"),
            required=False,
        )
        assert reader.told["car"].values == {"small": ("tiny",), "large": ()}
