"""A conversation written down line by line, held in one language."""

from __future__ import annotations

from soni.commands import Command
from tests.talking import talking_to

Line = tuple[str | Command, list[str]]
"""What the user says (a command goes past understanding), and all that is answered."""


async def hold(
    yaml: str, functions: str, language: str, lines: list[Line], hidden: str = ""
) -> None:
    """Hold the conversation; of `hidden`, what a sensitive slot held, nothing may be left."""
    async with talking_to(yaml, functions) as talk:
        for said, answered in lines:
            commands = [] if isinstance(said, str) else [said]
            text = said if isinstance(said, str) else "this"
            assert await talk.say(text, *commands, language=language) == answered, said
        if hidden:
            assert hidden.lower() not in str(talk.state).lower()
