"""Every code that a problem may have, with its cause and its remedy: `codes.yaml`, beside this.

Only explanations need the file. A check names its code as a text and never reads it; a test makes
sure that each such text is a code, and that each code is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal

from ruamel.yaml import YAML

__all__ = ["Code", "codes"]

_FILE: Final = "codes.yaml"


@dataclass(frozen=True)
class Code:
    """A kind of mistake, explained once for everybody who makes it."""

    code: str
    """`E` and `W` (a warning) with three digits; never given to anything else afterwards."""

    title: str
    cause: str
    """What happened, and why it is a mistake."""

    remedy: str
    wrong: str
    """An assistant with the mistake, its Python below a line `# actions.py`."""

    right: str
    in_words: bool = False
    """The examples are not assistants: the mistake is not in the text of one."""

    @property
    def severity(self) -> Literal["error", "warning"]:
        """Whether an assistant can be used in spite of it."""
        return "warning" if self.code.startswith("W") else "error"


@lru_cache(maxsize=1)
def codes() -> Mapping[str, Code]:
    """All codes, in the order of the file, which is read when they are first asked for."""
    text = (files("soni.config") / _FILE).read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = YAML(typ="safe", pure=True).load(text)
    return MappingProxyType({code: Code(code, **entry) for code, entry in entries.items()})
