"""What people do with a message, in many words: tools/phrases.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

FILE = Path(__file__).parent / "phrases.yaml"


@cache
def phrases() -> dict[str, list[str]]:
    """Phrases by act; `{task}` and `{slot}` in them stand for names of tasks and slots."""
    read: dict[str, list[str]] = YAML(typ="safe").load(FILE)
    return read
