"""How far it is: a bar on a terminal, a line for each thing found out in a pipe."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.text import Text

from soni.cli.trace.text import clean


class Watching:
    """Shows progress until the block ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (TextColumn("  {task.description}"), BarColumn(), MofNCompleteColumn())
        self._bar = Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "Watching":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def stage(self, name: str, total: int) -> None:
        """A new bar."""
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(name, total=total)

    def advance(self) -> None:
        """A little further."""
        if self._task is not None:
            self._bar.advance(self._task)

    def note(self, text: str) -> None:
        """A line."""
        self._console.print(Text(clean(f"  {text}")), soft_wrap=True)
