"""What a code is."""

from dataclasses import dataclass
from textwrap import dedent
from typing import Literal


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

    def __post_init__(self) -> None:
        for name in ("wrong", "right"):
            object.__setattr__(self, name, dedent(getattr(self, name)).strip("\n"))

    @property
    def severity(self) -> Literal["error", "warning"]:
        """Whether an assistant can be used in spite of it."""
        return "warning" if self.code.startswith("W") else "error"
