"""LocalPartner: an assistant in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from rich.text import Text

from soni.cli.chat.partner import Said, Standing, Utterance, View
from soni.config.soni_config import SoniConfig

if TYPE_CHECKING:
    # Half a second of imports, which come while the user types.
    from soni.audit.turn import RecordedTurn
    from soni.core.types import DialogueState
    from soni.runtime.loop import RuntimeLoop

_AGENT = "desk"
_HANDED_OFF = (
    "A person has this conversation now, and in a terminal nobody sits at the other end. "
    "/desk TEXT answers as that person, /release gives it back to the assistant, "
    "/reset begins anew."
)
_LOOK = ". Look at settings.nlu: provider, model, base_url, api_key_env."


class LocalPartner:
    """An assistant of this process. `make_runtime` is called in the loop that it is to run in."""

    leaving = "What you said last is still being done; Ctrl-C again does not wait for it."
    opens_quickly = False

    def __init__(
        self, config: SoniConfig, user: str, make_runtime: Callable[[], RuntimeLoop]
    ) -> None:
        self._config = config
        self._user = user
        self._make_runtime = make_runtime
        self.runtime: RuntimeLoop | None = None
        self.name = config.folder.name if config.folder else "the assistant"
        self.views: dict[str, tuple[str, View]] = {
            "/inspect": ("what is open, known and waited for", self._inspect),
            "/why": ("what the last message led to, and why", self._explain_message),
            "/state": ("where the conversation stands", self._make_view("render_state")),
            "/stack": ("the open flows", self._make_view("render_stack")),
            "/slots": ("the values of open flows", self._show_slots),
            "/log": ("the last commands and what became of them", self._make_view("render_log")),
        }

    async def open(self) -> Standing:
        """Import and make the runtime."""
        await asyncio.to_thread(_import_runtime)
        self.runtime = self._make_runtime()
        return self._describe_standing(await self._load_state())

    async def prepare(self) -> None:
        """Load the models."""
        await self._require_runtime().warm_up()

    async def send(self, text: str) -> AsyncIterator[Said]:
        """Send a message."""
        from soni.runtime.turn import MessageEvent, TurnEvent

        async for event in self._require_runtime().stream(text, self._user):
            if isinstance(event, MessageEvent):
                yield Utterance(event.text)
            elif isinstance(event, TurnEvent):
                yield self._describe_standing(event.turn.state)

    async def listen(self) -> AsyncIterator[Said]:
        """Nobody else has a way into this process."""
        nothing: tuple[Said, ...] = ()
        for said in nothing:
            yield said

    async def speak_as_person(self, text: str) -> AsyncIterator[Said]:
        """Say something as a person of the desk."""
        runtime = self._require_runtime()
        turn = await runtime.agent_message(self._user, text, agent=_AGENT)
        for text in turn.messages:
            yield Utterance(text, _AGENT)

    async def release(self) -> AsyncIterator[Said]:
        """Give the conversation back to the assistant."""
        turn = await self._require_runtime().release(self._user)
        for text in turn.messages:
            yield Utterance(text)
        yield self._describe_standing(turn.state)

    async def reset(self) -> None:
        """Forget the conversation."""
        await self._require_runtime().reset(self._user)

    async def close(self) -> None:
        """Wait for turns under way."""
        if self.runtime is not None:
            await self.runtime.close()

    def _require_runtime(self) -> RuntimeLoop:
        assert self.runtime is not None, "it has not been opened"
        return self.runtime

    async def _load_state(self) -> DialogueState:
        return await self._require_runtime().get_state(self._user)

    def _describe_standing(self, state: DialogueState) -> Standing:
        from soni.commands.offers import list_pressable

        prompt = state["_pending_prompt"]
        failed = state["turn"].get("source") == "failed"
        look = "" if self._config.settings.nlu.provider == "local" else _LOOK
        return Standing(
            is_begun=bool(state["turn_count"]),
            question=None if prompt is None else prompt["prompt"],
            options=tuple(each["label"] for each in list_pressable(state)),
            handoff=_HANDED_OFF if state["metadata"].get("handoff") else None,
            stored=state["turn"].get("message"),
            error=f"{state['metadata'].get('error')}{look}" if failed else None,
        )

    async def _inspect(self) -> Text:
        from soni.audit.origins import find_origins
        from soni.cli.chat.views import describe_position, render_position

        position = describe_position(await self._load_state(), self._config)
        return render_position(position, find_origins(await self._read_journal()))

    async def _explain_message(self) -> Text:
        from soni.cli.chat.views import render_explanation

        return render_explanation(await self._read_journal())

    async def _read_journal(self) -> list[RecordedTurn]:
        from soni.audit.source import iter_entries
        from soni.audit.turn import RecordedTurn

        journal = self._require_runtime().store.journal
        return [RecordedTurn(entry) async for entry in iter_entries(journal, self._user)]

    async def _show_slots(self) -> Text:
        from soni.cli.chat.views import render_slots

        return render_slots(await self._load_state(), self._config)

    def _make_view(self, name: str) -> Callable[[], Awaitable[Text]]:
        async def show() -> Text:
            from soni.cli.chat import views

            render: Any = getattr(views, name)
            shown: Text = render(await self._load_state())
            return shown

        return show


def _import_runtime() -> None:
    """What takes longest of a start, in a thread beside the prompt."""
    import soni.cli.chat.views
    import soni.runtime.loop  # noqa: F401
