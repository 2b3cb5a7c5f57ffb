"""Texts that a language model writes: how they are asked for, and their pieces."""

from typing import Final

GENERATE: Final = "soni.generate"
"""Under this name a text is asked for, and recorded, like the result of an action."""


class Piece(str):
    """Some more of a message that is still being written; the whole message follows."""

    __slots__ = ()
