"""Terminal: a person who types, with a history, completion, and news above the line."""

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

# Nothing here needs to know where the cursor is, and some terminals do not say.
os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app_or_none, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import is_dumb_terminal
from rich.text import Text

from soni.cli.chat.history import LineHistory
from soni.cli.text import clean_text, make_console

_PROMPT = "> "


class Terminal:
    """A person at a terminal."""

    is_watched = True

    def __init__(self, history: LineHistory) -> None:
        self._console = make_console()
        self._errors = make_console(stderr=True)
        self._history = history
        self._words: tuple[str, ...] = ()
        self._commands: tuple[str, ...] = ()
        self._draft = ""
        self._prompt: PromptSession[str] = PromptSession(
            _PROMPT,
            history=_Recall(history),
            completer=_Completer(self._list_words),
            # A list below the line, as in a shell: a menu would keep lines free for itself.
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            enable_suspend=True,
            key_bindings=_make_bindings(),
        )

    def read(self, runner: asyncio.Runner) -> str | None:
        draft, self._draft = self._draft, ""
        try:
            return runner.run(self._prompt.prompt_async(default=draft))
        except EOFError:
            return None

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        self._commands = tuple(commands)
        self._words = tuple(map(clean_text, options))
        if options:
            self.note(f"  {' · '.join(options)}")

    def keep(self, line: str) -> None:
        self._history.keep(line)

    def draft(self, line: str) -> None:
        self._draft = line

    def fail(self, error: Exception) -> None:
        # A dumb terminal has an application of its own.
        if (app := get_app_or_none()) is not None and not app.is_done:
            app.exit(exception=error)

    def bot(self, text: str) -> None:
        self._show(Text(text, "bold cyan"))

    def person(self, name: str, text: str) -> None:
        self._show(Text.assemble((f"{name}: ", "bold"), (text, "bold magenta")))

    def view(self, text: Text) -> None:
        self._show(text, is_whole=True)

    def note(self, text: str) -> None:
        self._show(Text(text, "dim"))

    def error(self, text: str) -> None:
        self._show(Text(text, "red"), stderr=True)

    def _show(self, text: Text, *, stderr: bool = False, is_whole: bool = False) -> None:
        """Sentences break between words; the lines of a view are for the terminal to break."""
        console = self._errors if stderr else self._console

        def show() -> None:
            console.print(text, soft_wrap=is_whole)

        if get_app_or_none() is None:
            show()
        elif is_dumb_terminal():
            console.print()
            show()
            console.print(_PROMPT + self._prompt.default_buffer.text, end="", soft_wrap=True)
        else:
            # Above the line that somebody types.
            run_in_terminal(show)

    def _list_words(self, typed: str) -> Sequence[str]:
        return self._commands if typed.startswith("/") or not self._words else self._words


class _Completer(Completer):
    """Completes the whole line to one of the words that can be meant."""

    def __init__(self, list_words: Callable[[str], Sequence[str]]) -> None:
        self._list_words = list_words

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor
        for word in self._list_words(typed):
            if word.casefold().startswith(typed.casefold()):
                yield Completion(word, start_position=-len(typed))


class _Recall(History):
    """Lines of before. A line is not kept when it is typed: it may hold a secret."""

    def __init__(self, kept: LineHistory) -> None:
        super().__init__()
        self._kept = kept

    async def load(self) -> Any:
        for line in reversed(self._kept.lines):
            yield line

    def load_history_strings(self) -> Iterator[str]:
        yield from reversed(self._kept.lines)

    def append_string(self, string: str) -> None:
        """Leave it to `keep`, which is called when it is known what was stored."""

    def store_string(self, string: str) -> None:
        """Nothing is stored here."""


def _make_bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("c-c")
    @bindings.add("<sigint>")
    def interrupt(event: KeyPressEvent) -> None:
        """Drop what is typed, as a shell does; leave if nothing is."""
        if event.app.current_buffer.text:
            event.app.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    @bindings.add("c-@")
    def leave(event: KeyPressEvent) -> None:
        """A Ctrl-D that was typed between two prompts: the terminal passes it on as NUL."""
        if not event.app.current_buffer.text:
            event.app.exit(exception=EOFError())

    return bindings
