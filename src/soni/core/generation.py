"""Texts that a language model writes: how they are asked for, and their pieces."""

from typing import Final

GENERATE: Final = "soni.generate"
REPHRASE: Final = "soni.rephrase"
ANSWER: Final = "soni.answer"
WRITTEN: Final = frozenset({GENERATE, REPHRASE, ANSWER})
"""Under these names texts are asked for, and recorded, like the results of actions."""

NO_MODEL: Final = "no language model writes here, and the step has no fallback"
"""Why a text that a step asks for is missing."""


class Piece(str):
    """Some more of a message that is still being written; the whole message follows."""
