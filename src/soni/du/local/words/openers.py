"""How a message begins: a yes, a no, a stop, before what it is really about."""

from typing import Final, NamedTuple

from soni.language import Language

_MEANINGS: Final = ("stop", "yes", "no", "before", "sorry", "well")


class Opening(NamedTuple):
    """How a message begins, and the rest of it."""

    meaning: str
    """yes, no, stop, before, sorry or well: only the last says nothing about what follows."""

    rest: str
    but: bool = False
    """Whether a "but" follows."""


def strip_opening(message: str, lang: Language, *, asked: bool = False) -> Opening | None:
    """The message without its first words, if they say something by themselves.

    `asked`: yes or no was asked, so that a yes needs no comma after it.
    """
    for meaning in _MEANINGS:
        match = lang.pattern(f"openers.{meaning}").match(message)
        # Without a sign or a joining word "right hand" would be a yes.
        if match and (
            meaning in ("no", "before", "sorry", "well")
            or (asked and meaning == "yes")
            or lang.pattern("openers.joined").search(match[0])
        ):
            but = lang.pattern("openers.but").search(match[0]) is not None
            return Opening(meaning, message[match.end() :], but)
    return None
