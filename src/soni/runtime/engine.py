"""Engine: one turn as a transaction around the graph.

The conversation is locked, its newest checkpoint loaded once, the graph run on staged writes, and
all of it committed together with the journal entry, or dropped.
"""

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

import structlog
from langgraph.types import Command as Resume

from soni.actions.mcp.servers import McpServers
from soni.actions.runner import LedgeredRunner
from soni.commands import CommandExecutor, CommandHandlerRegistry
from soni.commands.offers import find_option_problems
from soni.compiler import FlowGraph, NodeFactoryRegistry
from soni.config.assistant import Assistant
from soni.config.checks import refuse_unsound
from soni.config.models import SoniConfig
from soni.config.version import compute_fingerprint
from soni.core.errors import ConfigError, TurnError
from soni.core.masking import find_held_secrets
from soni.core.protocols import (
    ActionRunner,
    Clock,
    FlowOperations,
    KnowledgeBase,
    NLUProvider,
    ScopeBuilder,
    SlotWriting,
    TextGenerator,
    TextRunner,
    WarmUp,
)
from soni.core.state import create_initial_state
from soni.core.storage import Lease, StagedTurn, Store, TurnEntry
from soni.core.telemetry import NO_TELEMETRY, Span, SpanKind, Telemetry
from soni.core.turn_trace import TurnTrace
from soni.core.types import DialogueState, Overwrite, RuntimeContext
from soni.dm.digression import DigressionHandler
from soni.dm.graph import build_graph, get_node_limit
from soni.du import ScopeManager
from soni.du.generator import needs_generator, open_generator
from soni.du.providers import open_provider
from soni.flow.manager import FlowManager
from soni.flow.write import SlotWriter
from soni.knowledge import LexicalKnowledge
from soni.observability import open_telemetry
from soni.persistence import open_with_keys, store_for
from soni.persistence.staged import StagedSaver
from soni.persistence.state_format import load_checkpoint, make_format_mark, read_state
from soni.persistence.volatile import ForeignStore
from soni.runtime.effects import TurnEffects, TurnWrites, WatchedLedger
from soni.runtime.generation import GeneratingRunner
from soni.runtime.record import make_turn_record, mask_replies, must_purge
from soni.runtime.tracing import TraceGuard
from soni.runtime.turn import Message, TimedNLU, Turn, make_seeded_ids, make_turn
from soni.runtime.turn_state import (
    create_state,
    find_due_time,
    find_handoff_time,
    is_waiting,
    list_copied_users,
    make_thread_config,
    require_closed,
)
from soni.runtime.versions import AssistantVersions, list_versions

_log = structlog.get_logger("soni.runtime")


class Engine:
    """Everything a turn needs, built once per runtime."""

    def __init__(
        self,
        config: SoniConfig,
        checkpointer: Any,
        nlu: NLUProvider | None,
        clock: Clock,
        store: Store | None,
        actions: ActionRunner | None = None,
        knowledge: KnowledgeBase | None = None,
        scope: ScopeBuilder | None = None,
        generator: TextGenerator | None = None,
        flow_manager: FlowOperations | None = None,
        node_factories: NodeFactoryRegistry | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        refuse_unsound(config)
        if offers := find_option_problems(config):
            raise ConfigError(offers)
        self.versions = AssistantVersions(config)
        self.assistant = self.versions.today
        has_own = store is None and checkpointer is None
        if store is None:
            store = store_for(config) if checkpointer is None else ForeignStore(checkpointer)
        self.store = store
        self._actions = actions
        self.tool_servers = McpServers(config)
        self.telemetry = telemetry or open_telemetry(config.settings.observability)
        self._own_telemetry = telemetry is None
        self.backend = config.settings.persistence.backend if has_own else type(store).__name__
        self._clock = clock
        self._nlu = nlu or open_provider(config)
        self._own_nlu = nlu is None
        needed = generator is None and needs_generator(config)
        # A replay passes its own runner, which has the recorded texts as well.
        self._own_generator = open_generator(config) if needed and actions is None else None
        self._generator = generator or self._own_generator
        kept = isinstance(actions, TextRunner) and actions.has_texts
        self._has_writer = generator is not None or needed or kept
        self._scope = scope or ScopeManager()
        self._flow_manager = flow_manager or FlowManager(config)
        self._node_factories = node_factories
        # Copies of an assistant share its graphs, unless they have node factories of their own.
        self._own_graphs: WeakKeyDictionary[Assistant, dict[str, FlowGraph]] = WeakKeyDictionary()
        self._executor = CommandExecutor(CommandHandlerRegistry.discover())
        self._knowledge = knowledge or LexicalKnowledge(config.knowledge)
        self._digressions = DigressionHandler(self._knowledge)
        self._names = {"soni": _read_version(), "assistant": compute_fingerprint(config)}
        # Only then the inbox holds texts.
        self._joins = config.settings.conversation.while_busy == "join"
        self._tracing = TraceGuard(allowed=config.settings.runtime.tracing)
        self._opened = False
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Open the store and compile the orchestrator."""
        # The first messages may arrive together, and the store must be opened once.
        async with self._opening:
            if self._opened:
                return
            await open_with_keys(self.store)
            self._saver = StagedSaver(self.store.checkpointer)
            self._graph = build_graph(self._saver)
            await self.versions.open(self.store.versions)
            self._opened = True

    async def take_over(self, other: "Engine") -> None:
        """Go on with the open store of another engine, which may still have turns under way."""
        await other.open()
        async with self._opening:
            self._saver, self._graph = other._saver, other._graph
            await self.versions.open(self.store.versions)
            self._opened = True

    async def warm_up(self) -> None:
        """Open, and let understanding and knowledge prepare for this assistant's texts."""
        await self.open()
        config = self.assistant.config
        if isinstance(self._knowledge, LexicalKnowledge):
            await self._knowledge.search("", language=config.settings.language)
        if not isinstance(self._nlu, WarmUp):
            return
        nobody = Message(text=None, user_id="warm-up", conversation_id="warm-up")
        before, effects = create_initial_state(), self._make_effects(self.assistant, nobody)
        writes = TurnWrites(SlotWriter(self.assistant), self.assistant, [])
        context = self._make_context(
            nobody, before, self.assistant, self._nlu, effects, writes, lambda text: None
        )
        # Without a message all flows that may start are in it.
        moment = await self._scope.build(before, context)
        await self._nlu.warm_up(moment, config.settings.nlu.max_flows, _find_cache_folder(config))

    async def close(self) -> None:
        """Close the store, the sessions with tool servers and what understanding has open."""
        if self._opened:
            self._opened = False
            await self.store.close()
        await self.retire()

    async def retire(self) -> None:
        """Close what is open beside the store, which is left to another engine."""
        await self.tool_servers.close()
        await asyncio.to_thread(self._tracing.close)
        if self._own_telemetry and self.telemetry is not NO_TELEMETRY:
            await asyncio.to_thread(self.telemetry.close)
        own = (self._nlu if self._own_nlu else None, self._own_generator)
        for close in (getattr(each, "aclose", None) for each in own):
            if close is not None:
                await close()

    def watch_store(self, operation: str) -> Span:
        """Tell whoever watches of an operation of the store."""
        return self.telemetry.start(SpanKind.STORE, operation, backend=self.backend)

    def now(self) -> float:
        """Seconds since the epoch by the runtime's clock."""
        return self._clock().timestamp()

    async def load(self, conversation_id: str) -> DialogueState | None:
        """The stored state, or None."""
        await self.open()
        stored = await load_checkpoint(self.store.checkpointer, conversation_id)
        return read_state(stored.checkpoint["channel_values"]) if stored else None

    async def forget(self, conversation_id: str) -> None:
        """Delete the conversation, but for its journal."""
        await self.open()
        async with self.store.conversation(conversation_id):
            turn = await self._count_turns(conversation_id)
            await self.store.forget(conversation_id, TurnEntry(turn, self.now(), {}))

    async def _count_turns(self, conversation_id: str) -> int:
        try:
            state = await self.load(conversation_id)
            return int(state["turn_count"]) if state else 0
        except Exception:  # one that cannot be read, for whatever reason, can still be deleted
            return 0

    async def handle_message(
        self, sent: Message, lease: Lease, emit: Callable[[str], None]
    ) -> Turn:
        """Handle a message of a conversation that is held."""
        number = 0  # not known before the conversation is loaded
        try:
            with self.watch_store("load"):
                stored = await self._saver.begin_turn(sent.conversation_id)
            before = (
                read_state(stored.checkpoint["channel_values"]) if stored else create_state(lease)
            )
            number = before["turn_count"] + 1
            return await self._run_turn(sent, number, before, stored, emit)
        except Exception as error:
            await self._record_failure(sent, number, error)
            raise TurnError(sent.conversation_id, number, error) from error
        finally:
            self._saver.drop_turn(sent.conversation_id)

    async def _run_turn(
        self,
        sent: Message,
        number: int,
        before: DialogueState,
        stored: Any,
        emit: Callable[[str], None],
    ) -> Turn:
        started = time.perf_counter()
        nlu = TimedNLU(self._nlu)
        assistant = await self.versions.find_assistant(before)
        effects = self._make_effects(assistant, sent)
        secrets = effects.turn_trace.secrets
        secrets += find_held_secrets(before, assistant.is_sensitive)
        writes = TurnWrites(SlotWriter(assistant), assistant, secrets)
        context = self._make_context(sent, before, assistant, nlu, effects, writes, emit)
        after = require_closed(read_state(await self._invoke(sent, before, stored, context)))
        staged = self._saver.take_turn(sent.conversation_id)
        timings = {"total": time.perf_counter() - started, "understanding": nlu.seconds}
        data = make_turn_record(sent, before, after, context, effects, writes, timings, self._names)
        made = TurnEntry(
            turn=number,
            at=context.now(),
            data=data,
            message_id=sent.message_id,
            joined=sent.joined,
            user_id=sent.user_id,
            concerns=list_copied_users(after),
            due_at=find_due_time(after, self.assistant.config.settings.conversation),
            handed_off_at=find_handoff_time(after),
            versions=list_versions(after),
            purge=must_purge(before, after, context, effects),
        )
        masked = mask_replies(cast(StagedTurn, staged), secrets)
        settled = effects.make_settled_check(before, after)
        with self.watch_store("commit"):
            entry = await self.store.commit(masked, made, settled)
        return make_turn(entry, after, timings, list(after["replies"]))

    async def _invoke(
        self, sent: Message, before: DialogueState, stored: Any, context: RuntimeContext
    ) -> Any:
        opening = sent.make_input()
        opening["turn"] = Overwrite(opening["turn"])
        given: Any = opening if stored is not None else {**before, **opening}
        if stored is not None and is_waiting(stored):
            given = Resume(resume=opening)
        with self._tracing.guard_turn():
            ended = await self._graph.ainvoke(
                given,
                {
                    **make_thread_config(sent.conversation_id),
                    "recursion_limit": get_node_limit(self.assistant.config),
                    "metadata": make_format_mark(),
                },
                context=context,
                durability="exit",
                # The first version would stream every node's updates as well, only to drop them.
                version="v2",
            )
            return ended.value

    def _make_effects(self, assistant: Assistant, sent: Message) -> TurnEffects:
        ledger = self.store.ledger
        if self.telemetry is not NO_TELEMETRY:
            ledger = WatchedLedger(ledger, self.watch_store)
        runner = self._actions or LedgeredRunner(assistant, ledger, self.tool_servers)
        if self._generator:
            runner = GeneratingRunner(runner, self._generator)
        return TurnEffects(runner, sent.conversation_id, TurnTrace(), self.telemetry)

    def _make_context(
        self,
        sent: Message,
        before: DialogueState,
        assistant: Assistant,
        nlu: NLUProvider,
        effects: TurnEffects,
        writes: SlotWriting,
        emit: Callable[[str], None],
    ) -> RuntimeContext:
        # The clock is read once per turn, so that a replay gives exactly the same result.
        now = self._clock()
        new_id = make_seeded_ids(
            sent.conversation_id,
            before["turn_count"] + 1,
            sent.message_id,
            resets=before["metadata"].get("resets", 0),
        )
        mixed = assistant.config if assistant is not self.assistant else None
        return RuntimeContext(
            assistant=assistant,
            conversation_id=sent.conversation_id,
            user_id=sent.user_id,
            language=sent.language
            or before["metadata"].get("language")
            or assistant.config.settings.language,
            session=sent.session,
            clock=lambda: now,
            nlu_provider=nlu,
            scope_manager=self._scope,
            flow_manager=self._flow_manager.bind_turn(new_id, lambda: now, mixed),
            slot_writer=writes,
            command_executor=self._executor,
            action_runner=effects,
            digression_handler=self._digressions,
            emit=emit,
            flow_graphs=partial(self._get_flow_graph, assistant),
            has_writer=self._has_writer,
            turn_trace=effects.turn_trace,
            telemetry=self.telemetry,
        )

    def _get_flow_graph(self, assistant: Assistant, flow_name: str) -> FlowGraph:
        graphs: dict[str, FlowGraph] = assistant.plans.graphs
        if self._node_factories:
            graphs = self._own_graphs.setdefault(assistant, {})
        if flow_name not in graphs:
            graphs[flow_name] = FlowGraph(assistant.plans[flow_name], self._node_factories)
        return graphs[flow_name]

    async def _record_failure(self, sent: Message, number: int, error: Exception) -> None:
        kind = type(error).__name__
        failed = {"conversation_id": sent.conversation_id, "error": kind}
        _log.error("turn_failed", **failed)
        try:
            await self.store.journal.append(
                sent.conversation_id,
                TurnEntry(
                    turn=number,
                    at=self._read_clock(),
                    data={"user_id": sent.user_id, "error": kind, "versions": self._names},
                    message_id=sent.message_id,
                    joined=sent.joined,
                    user_id=sent.user_id,
                    purge=self._joins,
                ),
            )
        except Exception as reason:
            # The caller must get the error of the turn, not the one of recording it.
            _log.error("failure_not_recorded", reason=type(reason).__name__, **failed)

    def _read_clock(self) -> float:
        try:
            return self.now()
        except Exception:  # the clock itself may be what failed
            return time.time()


def _find_cache_folder(config: SoniConfig) -> Path | None:
    """Where encoded texts are kept; None: the assistant has no folder."""
    given = config.settings.nlu.cache
    if config.folder is None:
        return Path(given) if given is not None else None
    return config.folder / (given or ".soni")


@lru_cache(maxsize=1)
def _read_version() -> str:
    return version("soni")
