"""The result of reading a message."""

from dataclasses import dataclass

from soni.commands import Command


@dataclass(frozen=True)
class Parse:
    """Commands and their confidence; falsy without commands."""

    commands: tuple[Command, ...] = ()
    confidence: float = 1.0
    about: tuple[str, ...] = ()
    """Slots that the user asks about."""

    settled: bool = False
    """Whether no other rule should be tried, although there are no commands."""

    def __bool__(self) -> bool:
        return bool(self.commands)

    def __add__(self, other: "Parse") -> "Parse":
        return Parse(
            (*self.commands, *other.commands),
            min(self.confidence, other.confidence),
            (*self.about, *other.about),
        )

    def has(self, *kinds: type[Command]) -> bool:
        """Whether one of the commands is of these kinds."""
        return any(isinstance(command, kinds) for command in self.commands)

    def only(self, *kinds: type[Command]) -> "Parse":
        """The commands of these kinds alone."""
        kept = tuple(command for command in self.commands if isinstance(command, kinds))
        return Parse(kept, self.confidence, self.about)

    def without(self, *kinds: type[Command]) -> "Parse":
        """All but the commands of these kinds."""
        kept = tuple(command for command in self.commands if not isinstance(command, kinds))
        return Parse(kept, self.confidence, self.about)


NOTHING = Parse()
UNCLEAR = Parse(settled=True)


def make_sure_parse(command: Command | None) -> Parse:
    """The result with one certain command, or none."""
    return Parse((command,)) if command is not None else NOTHING
