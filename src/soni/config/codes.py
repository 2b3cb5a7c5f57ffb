"""The codes of problems, with cause and remedy, from `codes.yaml`.

Only explanations read the file. Checks name codes as plain text; a test makes sure that each of
them exists and that each code is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal

from ruamel.yaml import YAML

__all__ = ["Code", "load_codes"]

_FILE: Final = "codes.yaml"


@dataclass(frozen=True)
class Code:
    """One kind of mistake and its explanation."""

    code: str
    """`E` (error) or `W` (warning) and three digits; a code is never reused."""

    title: str
    cause: str
    """What happened, and why it is a mistake."""

    remedy: str
    wrong: str
    """An assistant with the mistake, its Python below a line `# actions.py`."""

    right: str
    in_words: bool = False
    """The examples are prose: the mistake is not in an assistant's files."""

    @property
    def severity(self) -> Literal["error", "warning"]:
        """Whether an assistant can be used in spite of it."""
        return "warning" if self.code.startswith("W") else "error"


@lru_cache(maxsize=1)
def load_codes() -> Mapping[str, Code]:
    """All codes in the order of the file, which is read on first use."""
    text = (files("soni.config") / _FILE).read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = YAML(typ="safe", pure=True).load(text)
    return MappingProxyType({code: Code(code, **entry) for code, entry in entries.items()})
