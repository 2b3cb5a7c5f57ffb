"""The result of reading a message."""

from dataclasses import dataclass

from soni.commands import Command


@dataclass(frozen=True)
class Read:
    """Commands and their confidence; falsy without commands."""

    commands: tuple[Command, ...] = ()
    confidence: float = 1.0
    about: tuple[str, ...] = ()
    """Slots that the user asks about."""

    settled: bool = False
    """Whether no other rule should be tried, although there are no commands."""

    def __bool__(self) -> bool:
        return bool(self.commands)

    def __add__(self, other: "Read") -> "Read":
        return Read(
            (*self.commands, *other.commands),
            min(self.confidence, other.confidence),
            (*self.about, *other.about),
        )

    def has(self, *kinds: type[Command]) -> bool:
        """Whether one of the commands is of these kinds."""
        return any(isinstance(command, kinds) for command in self.commands)

    def only(self, *kinds: type[Command]) -> "Read":
        """The commands of these kinds alone."""
        kept = tuple(command for command in self.commands if isinstance(command, kinds))
        return Read(kept, self.confidence, self.about)

    def without(self, *kinds: type[Command]) -> "Read":
        """All but the commands of these kinds."""
        kept = tuple(command for command in self.commands if not isinstance(command, kinds))
        return Read(kept, self.confidence, self.about)


NOTHING = Read()
UNCLEAR = Read(settled=True)


def sure(command: Command | None) -> Read:
    """The result with one certain command, or none."""
    return Read((command,)) if command is not None else NOTHING
