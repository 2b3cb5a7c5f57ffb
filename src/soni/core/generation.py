"""Names for texts that a language model writes, and the pieces of a streamed text."""

from typing import Final

GENERATE: Final = "soni.generate"
REPHRASE: Final = "soni.rephrase"
ANSWER: Final = "soni.answer"
TEXT_ACTIONS: Final = frozenset({GENERATE, REPHRASE, ANSWER})
"""Texts are requested and recorded like the results of actions with these names."""

NO_MODEL: Final = "no language model writes here, and the step has no fallback"
"""Why a text that a step asks for is missing."""


class TextPiece(str):
    """A part of a message that is still being written. The whole message follows it."""
