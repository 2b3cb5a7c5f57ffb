"""Other ways to write a slot's or a flow's text: people who write assistants are brief."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_FILLER = re.compile(
    r"^(boolean flag (indicating|whether)?( if| whether)?|whether( or not)?|the|a|an|name of)\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(for|of|in|to|at|on|where|with|from)\s.*$", re.IGNORECASE)


@cache
def wordings() -> dict[str, list[str]]:
    """Texts that mean the same, by name."""
    lines = Path(__file__).with_name("wordings.txt").read_text(encoding="utf-8").splitlines()
    named = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {name: texts.split(" | ") for name, _, texts in named}


def variants(text: str) -> list[str]:
    """Only the name, a shorter description, another name, another name and description."""
    name, _, description = text.partition(": ")
    others = wordings().get(name, [])
    if not description:
        return others
    brief = _FILLER.sub("", description.lower()).strip()
    short = _TAIL.sub("", brief) or brief
    forms = [name, f"{name}: {brief}", f"{name}: {short}", brief, f"{brief}: {description}"]
    forms += [one if ": " in one else f"{one}: {brief}" for one in others]
    return [form for form in (*forms, *others) if form != text]
