"""What a language model is shown whatever is said, told in a few signs."""

from __future__ import annotations

from pydantic import TypeAdapter

from soni.commands.command_schema import Names, Need
from soni.config.program import digest
from soni.du.context import SlotBrief
from soni.du.llm import signatures as told
from soni.du.llm.moment import Choices
from soni.du.llm.shapes import commands_type, slots_type

# A moment in which everything can be said, and a slot of each form.
_EVERYTHING = Choices(tuple((kind, ("one", "two")) for kind in Names), frozenset(Need))
_SLOTS = (
    SlotBrief(name="text", flow="one", type="string"),
    SlotBrief(name="choice", flow="one", type="choice", values={"one": (), "two": ()}),
    SlotBrief(name="boolean", flow="one", type="boolean"),
)


def made_with(model: str) -> str:
    """A model, with signs that change if instructions, examples or the forms of answers do."""
    instructions = [told.understand_signature().instructions, told.extract_signature().instructions]
    examples = [told.understand_demos(), told.extract_demos()]
    answers = commands_type(_EVERYTHING), slots_type(_SLOTS)
    forms = [TypeAdapter(answer).json_schema() for answer in answers]
    return f"{model}, prompts {digest(instructions, examples, forms)}"
