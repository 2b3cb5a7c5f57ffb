"""One chat: lines in, what is said out, /commands answered in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from soni.cli.chat.local import LocalPartner
from soni.cli.chat.partner import Notice, Partner, Said, Standing, Utterance
from soni.cli.chat.screen import Screen
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError

if TYPE_CHECKING:
    from soni.runtime.loop import RuntimeLoop

MOMENT: Final = 0.7
"""Seconds of silence after which somebody who waits is told what for."""

_LOADING = "Still loading; your message is next. Ctrl-C leaves."
_WORKING = "Working on it. Ctrl-C leaves."


def hold_conversation(config: SoniConfig, user: str, screen: Screen, *, memory: bool) -> None:
    """Chat with an assistant of this process until there is nothing more to read."""

    def make_runtime() -> RuntimeLoop:
        # The runtime takes half a second to import, and the prompt does not wait for it.
        from soni.audit.source import add_default_store
        from soni.persistence import open_store
        from soni.runtime.loop import RuntimeLoop

        store = open_store("memory") if memory else None
        return RuntimeLoop(add_default_store(config), store=store)

    with asyncio.Runner() as runner:
        talk(LocalPartner(config, user, make_runtime), screen, runner)


def talk(
    partner: Partner,
    screen: Screen,
    runner: asyncio.Runner,
    before_each: Callable[[], None] = lambda: None,
) -> None:
    """Handle line after line; `before_each` is called when one has been read."""
    session = Session(partner, screen)
    with close_at_end(session, runner):
        try:
            runner.run(session.open())
            while not session.is_over and (line := screen.read(runner)) is not None:
                before_each()
                runner.run(session.handle(line.strip()))
        except KeyboardInterrupt:
            screen.note(f"\n{partner.leaving}" if session.is_busy and partner.leaving else "")


@contextmanager
def close_at_end(session: Session, runner: asyncio.Runner) -> Iterator[None]:
    """Close the session at the end, after waiting for turns under way."""
    waits = True
    try:
        yield
    except KeyboardInterrupt:
        # A second Ctrl-C, while the note about the first one was printed: do not wait.
        waits = False
        raise
    finally:
        if waits:
            runner.run(session.close())


class Session:
    """Handles the lines of one user."""

    def __init__(self, partner: Partner, screen: Screen) -> None:
        self._partner = partner
        self._screen = screen
        # The reason is shown once, not at every message.
        self._told: set[str] = set()
        self._opening: asyncio.Task[None] | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self.is_over = False
        self.is_busy = False
        """Whether a message is under way, also after Ctrl-C: its turn is not left half done."""
        self._commands: dict[str, tuple[str, Callable[[str], Awaitable[Any]]]] = {
            **{name: (what, self._make_view(name)) for name, (what, _) in partner.views.items()},
            "/desk": ("TEXT: answer as the person it was handed to", self._speak_as_person),
            "/release": ("give it back to the assistant", self._release),
            "/reset": ("forget this conversation", self._reset),
            "/help": ("this list", self._help),
            "/quit": ("leave; the conversation is kept", self._quit),
        }

    async def open(self) -> None:
        """Greet, and begin to load. Who watches can type meanwhile."""
        name = self._partner.name
        self._screen.note(f"Talking to {name}. /help lists commands; /quit or Ctrl-D leaves.")
        self._screen.offer(self._commands, ())
        self._opening = asyncio.create_task(self._open_partner())
        if not self._screen.is_watched:
            await self._opening
            return
        self._preparing = asyncio.create_task(self._prepare_partner())
        self._listening = asyncio.create_task(self._listen())
        if self._partner.opens_quickly:
            await asyncio.wait({self._opening}, timeout=MOMENT)
            if self._opening.done():
                self._opening.result()

    async def close(self) -> None:
        """Stop loading, and let the partner finish."""
        begun = (self._opening, self._preparing, self._listening)
        tasks = [task for task in begun if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._partner.close()

    async def handle(self, line: str) -> None:
        """A message for the bot, or a /command. An error is said, and the chat goes on."""
        if self._opening is not None and line:
            is_command = line.startswith("/")
            await self._wait_for(self._opening if is_command else self._preparing or self._opening)
        try:
            if line.startswith("/"):
                await self._run_command(line)
            elif line:
                await self._send_message(line)
        except SoniError as error:
            self.is_busy = False
            self._screen.error(" ".join(str(error).split()))
            if not line.startswith("/"):
                self._screen.draft(line)

    async def _open_partner(self) -> None:
        try:
            standing = await self._partner.open()
        except Exception as error:
            # Nothing can be talked about: whoever reads a line or waits for this is told.
            self._screen.fail(error)
            raise
        if standing.notice is not None:
            self._screen.note(standing.notice)
        if not standing.is_begun:
            return
        self._screen.note("The conversation goes on from before; /reset begins anew.")
        if standing.handoff is None and standing.question is not None:
            self._screen.note(standing.question)
        self._show_standing(standing)

    async def _prepare_partner(self) -> None:
        assert self._opening is not None
        await self._opening
        await self._partner.prepare()

    async def _listen(self) -> None:
        assert self._opening is not None
        await self._opening
        async for said in self._partner.listen():
            self._show_said(said)

    async def _wait_for(self, task: asyncio.Task[None]) -> None:
        done, _ = await asyncio.wait({task}, timeout=MOMENT)
        if not done:
            self._screen.note(_LOADING)
        await asyncio.shield(task)

    async def _send_message(self, line: str) -> None:
        self.is_busy = True
        standing = await self._show(self._partner.send(line))
        self.is_busy = False
        # A secret is masked where it is stored, and such a line is not remembered.
        if standing.stored == line:
            self._screen.keep(line)

    async def _show(self, said: AsyncIterator[Said]) -> Standing:
        """Show what is said as it is said; where the conversation stands then."""
        standing = Standing()
        async for each in _fill_silence(said, lambda: self._screen.note(_WORKING)):
            if isinstance(each, Standing):
                standing = each
            self._show_said(each)
        return standing

    def _show_said(self, said: Said) -> None:
        match said:
            case Standing():
                self._show_standing(said)
            case Notice(text):
                self._screen.note(text)
            case Utterance(text, None):
                self._screen.bot(text)
            case Utterance(text, str(person)):
                self._screen.person(person, text)

    def _show_standing(self, standing: Standing) -> None:
        """Show handoffs and errors, which the bot's messages do not mention, and the options."""
        if standing.handoff is not None:
            self._screen.note(standing.handoff)
        if standing.error is not None and standing.error not in self._told:
            self._told.add(standing.error)
            self._screen.error(standing.error)
        self._screen.offer(self._commands, standing.options)

    async def _run_command(self, line: str) -> None:
        said, _, rest = line.partition(" ")
        if said.lower() in self._commands:
            await self._commands[said.lower()][1](rest.strip())
        else:
            names = ", ".join(self._commands)
            self._screen.error(f"There is no command {said}; there are: {names}")

    def _make_view(self, name: str) -> Callable[[str], Awaitable[None]]:
        async def show(rest: str) -> None:
            self._screen.view(await self._partner.views[name][1]())

        return show

    async def _speak_as_person(self, rest: str) -> None:
        if not rest:
            self._screen.error("/desk needs what the person says: /desk I will look into it.")
            return
        await self._show(self._partner.speak_as_person(rest))

    async def _release(self, rest: str) -> None:
        await self._show(self._partner.release())
        self._screen.note("The assistant has the conversation again.")

    async def _reset(self, rest: str) -> None:
        await self._partner.reset()
        self._screen.offer(self._commands, ())
        self._screen.view(Text("The conversation begins anew."))

    async def _help(self, rest: str) -> None:
        width = max(map(len, self._commands))
        lines = [f"{name:<{width}}  {what}" for name, (what, _) in self._commands.items()]
        self._screen.view(Text("\n".join(lines)))

    async def _quit(self, rest: str) -> None:
        self.is_over = True


async def _fill_silence(
    said: AsyncIterator[Said], explain: Callable[[], None]
) -> AsyncIterator[Said]:
    """The same; if the first of it is late, somebody who waits is told."""
    first = asyncio.ensure_future(anext(said, None))
    done, _ = await asyncio.wait({first}, timeout=3 * MOMENT)
    if not done:
        explain()
    each = await first
    while each is not None:
        yield each
        each = await anext(said, None)


def hold_remote_conversation(partner: Partner, screen: Screen) -> None:
    """Chat with an assistant behind a server."""
    with asyncio.Runner() as runner:
        talk(partner, screen, runner)
