"""RuntimeLoop: the one object an application talks to."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self, cast

from soni.commands import StartFlow
from soni.compiler import NodeFactoryRegistry
from soni.config.checks.calls import fills_own_input
from soni.config.models import SoniConfig
from soni.core.errors import ExpiredOfferError, NotAllowedError
from soni.core.generation import TextPiece
from soni.core.protocols import (
    ActionRunner,
    Clock,
    FlowOperations,
    KnowledgeBase,
    NLUProvider,
    ScopeBuilder,
    TextGenerator,
)
from soni.core.state import create_initial_state
from soni.core.storage import Store
from soni.core.telemetry import Telemetry
from soni.core.types import DialogueState
from soni.runtime.background import BackgroundWork, check_push
from soni.runtime.desk import Desk
from soni.runtime.engine import Engine
from soni.runtime.inputs import check_id, copy_context, copy_named, require_text
from soni.runtime.intake import Intake, Outlet
from soni.runtime.people import PersonalData
from soni.runtime.sweeper import Sweeper
from soni.runtime.turn import Event, Message, MessageEvent, PieceEvent, Turn, TurnEvent


def system_clock() -> datetime:
    """The time on this machine, with its zone."""
    return datetime.now().astimezone()


class RuntimeLoop(BackgroundWork, Desk, PersonalData):
    """Runs the conversations of one assistant.

    `checkpointer` is any LangGraph saver; none given, the store of the settings is used. `nlu` is
    anything with `async understand(user_message, history, context) -> NLUOutput`. `actions` runs
    actions in place of the assistant's own functions: a replay has only their results. `knowledge`
    answers questions beside the flows; none given, the assistant's own entries are searched.
    `scope` chooses what understanding may see. `generator` writes texts (`generate` steps, other
    words for what has `rephrase`, and answers, if it has `answer`); none given, the language model
    of the settings does. `flow_manager` operates on the flow stack: a `FlowManager`, or a subclass.
    `node_factories` makes the graph nodes of steps, for step types that were registered there.
    `telemetry` is told how turns go, and closed by the caller; none given, the settings decide.
    """

    def __init__(
        self,
        config: SoniConfig,
        checkpointer: Any = None,
        nlu: NLUProvider | None = None,
        clock: Clock | None = None,
        *,
        store: Store | None = None,
        actions: ActionRunner | None = None,
        knowledge: KnowledgeBase | None = None,
        scope: ScopeBuilder | None = None,
        generator: TextGenerator | None = None,
        flow_manager: FlowOperations | None = None,
        node_factories: NodeFactoryRegistry | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        def make_engine(config: SoniConfig, store: Store | None) -> Engine:
            return Engine(
                config,
                checkpointer,
                nlu,
                clock or system_clock,
                store,
                actions,
                knowledge,
                scope,
                generator,
                flow_manager,
                node_factories,
                telemetry,
            )

        self._make_engine = make_engine
        self._outlets: list[Outlet] = []
        self._use_engine(make_engine(config, store))
        self._running: set[asyncio.Task[Any]] = set()

    def _use_engine(self, engine: Engine) -> None:
        self._engine = engine
        self._intake = Intake(engine, self._outlets)
        self._sweeper = Sweeper(engine, self._intake)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Open the store. The first message does it too."""
        await self._engine.open()

    async def reload(self, config: SoniConfig) -> None:
        """Go on with a changed assistant. Turns under way end as they began; nothing is dropped.

        The store stays: other settings of `persistence` need another runtime.
        """
        before = self._engine
        if config.settings.persistence != before.assistant.config.settings.persistence:
            raise NotAllowedError(
                "cannot reload: settings.persistence has changed, which needs a restart"
            )
        engine = self._make_engine(config, before.store)
        await engine.take_over(before)
        has_worker = self._worker is not None
        await self.stop_background()
        under_way = set(self._running)
        self._use_engine(engine)
        if has_worker:
            await self.start_background()
        if under_way:
            await asyncio.wait(under_way)
        await before.retire()

    async def warm_up(self) -> None:
        """Load models and encode the assistant's texts now, not with the first messages.

        Encoded texts are kept in a file (`settings.nlu.cache`), so it is quick the next time.
        """
        await self._engine.warm_up()

    async def close(self) -> None:
        """Let jobs and turns under way finish, then close the store."""
        await self.stop_background()
        while self._running:
            await asyncio.wait(self._running)
        await self._engine.close()

    async def abort(self) -> None:
        """Drop turns under way, as if the process had ended, then close the store."""
        for task in self._running:
            task.cancel()
        await self.close()

    async def process_message(self, message: str, user_id: str = "default") -> str:
        """Handle a message; the bot's messages joined by newlines."""
        return (await self.turn(message, user_id)).text

    async def turn(
        self,
        message: str,
        user_id: str = "default",
        conversation_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
        *,
        commands: Sequence[Any] | None = None,
    ) -> Turn:
        """Handle a message and return everything about it.

        `context` is what the caller knows about the user, readable as `session.*`. `commands` go
        past understanding: what a button sends.
        """
        sent = Message(
            text=message,
            user_id=user_id,
            conversation_id=user_id if conversation_id is None else conversation_id,
            message_id=message_id,
            language=language,
            session=copy_context(context),
            commands=commands,
        )
        return await self.handle(sent)

    async def stream(
        self,
        message: str,
        user_id: str = "default",
        conversation_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
        *,
        commands: Sequence[Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Handle a message; each thing the bot says as it says it, then the whole turn."""
        sent = Message(
            text=message,
            user_id=user_id,
            conversation_id=user_id if conversation_id is None else conversation_id,
            message_id=message_id,
            language=language,
            session=copy_context(context),
            commands=commands,
        )
        said: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def emit(text: str) -> None:
            # An action that is not async calls `say` from a thread of its own.
            loop.call_soon_threadsafe(said.put_nowait, text)

        task = self._start_task(sent, emit)
        task.add_done_callback(lambda _: said.put_nowait(None))
        while (text := await said.get()) is not None:
            yield PieceEvent(str(text)) if isinstance(text, TextPiece) else MessageEvent(text)
        yield TurnEvent(await task)

    async def press(
        self,
        user_id: str,
        label: str,
        *,
        conversation_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
        turn: int | None = None,
    ) -> Turn:
        """Press a button: only what was offered last can be pressed.

        `turn` is the number of the turn that showed it. A yes to an earlier question is not taken
        for a yes to a newer one then: `ExpiredOfferError`.
        """

        def check(held: DialogueState) -> None:
            if turn is not None and held["turn_count"] != turn:
                raise ExpiredOfferError(f"it was offered in turn {turn}, which was not the last")

        sent = Message(
            text=require_text("label", label),
            user_id=user_id,
            conversation_id=user_id if conversation_id is None else conversation_id,
            message_id=message_id,
            language=language,
            session=copy_context(context),
            check=check,
            is_press=True,
        )
        return await self.handle(sent)

    async def start_flow(
        self,
        user_id: str,
        flow_name: str,
        inputs: Mapping[str, Any] | None = None,
        *,
        conversation_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Start a flow from the application's side; triggers and conditions do not matter."""
        flows = self._engine.assistant.config.flows
        if flow_name not in flows:
            raise NotAllowedError(
                f"cannot start '{flow_name}': no such flow; available: {', '.join(flows)}"
            )
        given = copy_named("inputs", inputs)
        takes = self._engine.assistant.plans[flow_name].asks
        if unknown := sorted(given.keys() - takes):
            raise NotAllowedError(
                f"cannot start '{flow_name}' with {', '.join(unknown)}: "
                f"it takes {', '.join(sorted(takes)) or 'no inputs'}"
            )
        required = self._list_required_inputs(flow_name)
        if missing := [name for name in required if name not in given]:
            raise NotAllowedError(
                f"cannot start '{flow_name}' without {', '.join(missing)}: no step asks for it"
            )

        def check(state: DialogueState) -> None:
            if state["metadata"].get("handoff"):
                raise NotAllowedError(
                    f"cannot start '{flow_name}': the conversation is handed off; release it first"
                )

        sent = Message(
            text=None,
            user_id=user_id,
            conversation_id=user_id if conversation_id is None else conversation_id,
            message_id=message_id,
            language=language,
            session=copy_context(context),
            commands=[StartFlow(flow_name=flow_name, slots=given)],
            facts={"api": "start_flow"},
            check=check,
        )
        return await self.handle(sent)

    async def push(
        self,
        conversation_id: str,
        text: str | None = None,
        *,
        flow: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Say something to the user that nobody asked for, or start a flow: a reminder, news.

        `text` is said as it is, nothing in it is filled in; the question that was open follows.
        While a person has the conversation only a text can be pushed. `inputs` go with a `flow`.
        """
        check_id("conversation_id", conversation_id)
        check_push(f"push to conversation '{conversation_id}'", text, flow, inputs)
        user = await self.find_user(conversation_id, user_id)
        if flow is not None:
            return await self.start_flow(
                user,
                flow,
                inputs,
                conversation_id=conversation_id,
                message_id=message_id,
                language=language,
                context=context,
            )
        sent = Message(
            text=None,
            user_id=user,
            conversation_id=conversation_id,
            message_id=message_id,
            language=language,
            session=copy_context(context),
            facts={"api": "push", "say": [{"text": require_text("text", text)}]},
        )
        return await self.handle(sent)

    async def handle(self, sent: Message) -> Turn:
        """Handle a prepared message. A replay uses it with recorded ones."""
        # A cancelled caller must not leave half a turn behind.
        return await asyncio.shield(self._start_task(sent, lambda text: None))

    async def get_state(self, user_id: str) -> DialogueState:
        """A conversation's state as it was stored last; an initial one if it never began."""
        return await self._engine.load(check_id("user_id", user_id)) or create_initial_state()

    async def reset(self, user_id: str) -> None:
        """Forget a conversation. Its journal stays."""
        await self._engine.forget(check_id("user_id", user_id))

    async def sweep(self) -> int:
        """End tasks whose session has timed out, without a message; how many conversations.

        Call it from time to time: tasks of users who never write again would stay open.
        """
        return await self._sweeper.sweep()

    async def prune_versions(self) -> list[str]:
        """Delete flows of earlier versions that no open task needs; their fingerprints."""
        await self._engine.open()
        return await self._engine.versions.prune()

    @property
    def store(self) -> Store:
        """Where conversations, journal and effects are kept."""
        return self._engine.store

    def _list_required_inputs(self, flow_name: str) -> list[str]:
        """Inputs that nobody but the caller can give."""
        assistant = self._engine.assistant
        return [
            name
            for name, given in assistant.config.flows[flow_name].inputs.items()
            if given.required
            and given.source is None
            and assistant.get_slot_config(name).scope != "conversation"
            and not fills_own_input(assistant, flow_name, name)
        ]

    def _start_task(self, sent: Message, emit: Callable[[str], None]) -> asyncio.Task[Turn]:
        task = asyncio.create_task(self._intake.run(sent, emit))
        self._running.add(cast(asyncio.Task[Any], task))
        task.add_done_callback(self._finish_task)
        return task

    def _finish_task(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # The error is in the journal; the caller may be gone.
        if not task.cancelled():
            task.exception()
