"""Values that somebody said: a model would rather invent one than leave it out."""

from soni.du.context import SlotBrief
from soni.du.llm.as_said import as_said
from soni.du.llm.misspelt import misspelt
from soni.du.llm.trimming import is_read, same_part, trim_words
from soni.slots import SlotEnv


def find_spoken_words(copy: str, message: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    """The words of the message that a model has copied for a slot, as they were said."""
    words = as_said(copy, message)
    if words is not None:
        return trim_words(words, slot, env)
    words = misspelt(copy, message)
    if not slot.kind.has_form:
        return words
    return same_part(copy, message, slot, env) or _correct_copy(copy, words, slot, env)


def _correct_copy(copy: str, words: str | None, slot: SlotBrief, env: SlotEnv) -> str | None:
    if words is None or is_read(words, slot, env):
        # "Tuesday" is no misspelt "Thursday": who can be read has said what is meant.
        return words
    # "tomorow": the person's word has no value, the model's has the one that is meant.
    return copy if is_read(copy, slot, env) else None
