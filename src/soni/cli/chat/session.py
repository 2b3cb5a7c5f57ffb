"""One chat: lines in, the bot's messages out, /commands answered in between."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from soni.audit.source import add_default_store
from soni.cli.chat.screen import Screen, render_log, render_slots, render_stack, render_state
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.types import DialogueState
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import MessageEvent, TurnEvent

_FINISHING = "What you said last is still being done; Ctrl-C again does not wait for it."
_HANDED_OFF = "A person has this conversation now: messages are only recorded. /reset begins anew."

_LOOK = ". Look at settings.nlu: provider, model, base_url, api_key_env."


def hold_conversation(config: SoniConfig, user: str, screen: Screen, *, memory: bool) -> None:
    """Chat until there is nothing more to read or somebody leaves."""
    with asyncio.Runner() as runner:
        store = open_store("memory") if memory else None
        runtime = RuntimeLoop(add_default_store(config), store=store)
        with close_at_end(runtime, runner):
            handle_lines(Session(runtime, config, user, screen), screen, runner)


@contextmanager
def close_at_end(runtime: RuntimeLoop, runner: asyncio.Runner) -> Iterator[None]:
    """Close the runtime at the end, after waiting for turns under way."""
    waits = True
    try:
        yield
    except KeyboardInterrupt:
        # A second Ctrl-C, while the note about the first one was printed: do not wait.
        waits = False
        raise
    finally:
        if waits:
            runner.run(runtime.close())


def handle_lines(
    session: "Session",
    screen: Screen,
    runner: asyncio.Runner,
    before_each: Callable[[], None] = lambda: None,
) -> None:
    """Handle line after line; `before_each` is called when one has been read."""
    # Lines are read between runs of the loop, in this thread: Ctrl-C could not end a thread
    # that waits for the keyboard.
    try:
        runner.run(session.open())
        while not session.over and (line := screen.read()) is not None:
            before_each()
            runner.run(session.handle(line.strip()))
    except KeyboardInterrupt:
        screen.note(f"\n{_FINISHING}" if session.busy else "")


class Session:
    """Handles the lines of one user."""

    def __init__(self, runtime: RuntimeLoop, config: SoniConfig, user: str, screen: Screen) -> None:
        self._runtime = runtime
        self._config = config
        self._user = user
        self._screen = screen
        # The reason is shown once, not at every message.
        self._told: set[str] = set()
        self.over = False
        self.busy = False
        """Whether a message is under way, also after Ctrl-C: its turn is not left half done."""
        slots = partial(render_slots, config=config)
        self._commands: dict[str, tuple[str, Callable[[], Awaitable[None]]]] = {
            "/state": ("where the conversation stands", self._make_view(render_state)),
            "/stack": ("the open flows", self._make_view(render_stack)),
            "/slots": ("the values of open flows", self._make_view(slots)),
            "/log": ("the last commands and what became of them", self._make_view(render_log)),
            "/reset": ("forget this conversation", self._reset),
            "/help": ("this list", self._help),
            "/quit": ("leave; the conversation is kept", self._quit),
        }

    async def open(self) -> None:
        """Greet with the assistant's name, and say where the conversation continues."""
        state = await self._runtime.get_state(self._user)
        name = self._config.folder.name if self._config.folder else "the assistant"
        self._screen.note(f"Talking to {name}. /help lists commands; /quit or Ctrl-D leaves.")
        if not state["turn_count"]:
            return
        self._screen.note("The conversation goes on from before; /reset begins anew.")
        if state["metadata"].get("handoff"):
            self._screen.note(_HANDED_OFF)
        elif state["_pending_prompt"] is not None:
            self._screen.note(state["_pending_prompt"]["prompt"])

    async def handle(self, line: str) -> None:
        """A message for the bot, or a /command. An error is said, and the chat goes on."""
        try:
            if line.startswith("/"):
                await self._run_command(line)
            elif line:
                await self._send_message(line)
        except SoniError as error:
            self.busy = False
            self._screen.error(" ".join(str(error).split()))

    async def _send_message(self, line: str) -> None:
        self.busy = True
        async for event in self._runtime.stream(line, self._user):
            if isinstance(event, MessageEvent):
                self._screen.bot(event.text)
            elif isinstance(event, TurnEvent):
                self._show_notes(event.turn.state)
        self.busy = False

    def _show_notes(self, state: DialogueState) -> None:
        """Show errors and handoffs, which the bot's messages do not mention."""
        if state["metadata"].get("handoff"):
            self._screen.note(_HANDED_OFF)
        reason = str(state["metadata"].get("error"))
        if state["turn"].get("source") != "failed" or reason in self._told:
            return
        self._told.add(reason)
        local = self._config.settings.nlu.provider == "local"
        self._screen.error(reason if local else f"{reason}{_LOOK}")

    async def _run_command(self, line: str) -> None:
        said = line.split()[0]
        if said.lower() in self._commands:
            await self._commands[said.lower()][1]()
        else:
            names = ", ".join(self._commands)
            self._screen.error(f"There is no command {said}; there are: {names}")

    def _make_view(self, shown: Callable[[DialogueState], str]) -> Callable[[], Awaitable[Any]]:
        async def view() -> None:
            self._screen.view(shown(await self._runtime.get_state(self._user)))

        return view

    async def _reset(self) -> None:
        await self._runtime.reset(self._user)
        self._screen.view("The conversation begins anew.")

    async def _help(self) -> None:
        width = max(map(len, self._commands))
        lines = [f"{name:<{width}}  {what}" for name, (what, _) in self._commands.items()]
        self._screen.view("\n".join(lines))

    async def _quit(self) -> None:
        self.over = True
