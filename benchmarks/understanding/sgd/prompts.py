"""What a language model is shown whatever is said, told in a few signs."""

from __future__ import annotations

from pydantic import TypeAdapter

from soni.commands.command_schema import NameSet, Precondition
from soni.config.program import make_digest
from soni.du.context import SlotBrief
from soni.du.llm import signatures as told
from soni.du.llm.answer_schema import make_commands_type, make_slots_type
from soni.du.llm.moment import AnswerChoices

# A moment in which everything can be said, and a slot of each form.
_EVERYTHING = AnswerChoices(
    tuple((kind, ("one", "two")) for kind in NameSet), frozenset(Precondition)
)
_SLOTS = (
    SlotBrief(name="text", flow="one", type="string"),
    SlotBrief(name="choice", flow="one", type="choice", values={"one": (), "two": ()}),
    SlotBrief(name="boolean", flow="one", type="boolean"),
)


def made_with(model: str) -> str:
    """A model, with signs that change if instructions, examples or the forms of answers do."""
    instructions = [
        told.make_understand_signature().instructions,
        told.make_extract_signature().instructions,
    ]
    examples = [told.make_understand_demos(), told.make_extract_demos()]
    answers = make_commands_type(_EVERYTHING), make_slots_type(_SLOTS)
    forms = [TypeAdapter(answer).json_schema() for answer in answers]
    return f"{model}, prompts {make_digest(instructions, examples, forms)}"
