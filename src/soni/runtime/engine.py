"""Engine: one turn as a transaction around the graph.

The conversation is locked, its newest checkpoint loaded once, the graph run on staged writes, and
all of it committed together with the journal entry, or dropped.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Any, cast

import structlog
from langgraph.types import Command as Resume

from soni.actions.runner import LedgeredRunner
from soni.commands import CommandExecutor, CommandHandlerRegistry
from soni.commands.offers import find_option_problems
from soni.compiler import NodeFactoryRegistry, compile_flow
from soni.config.assistant import Assistant
from soni.config.checks import refuse_unsound
from soni.config.models import SoniConfig
from soni.core.errors import ConfigError, SoniError, TurnError
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
)
from soni.core.state import create_initial_state
from soni.core.storage import JournalEntry, StagedTurn, StorageError, Store
from soni.core.turn_trace import TurnTrace
from soni.core.types import DialogueState, Overwrite, RuntimeContext
from soni.dm.digression import KNOWLEDGE_PREFIX, DigressionHandler
from soni.dm.graph import build_graph
from soni.du import ScopeManager
from soni.du.generator import needs_generator, open_generator
from soni.du.providers import open_provider
from soni.flow.manager import FlowManager
from soni.flow.write import SlotWriter
from soni.knowledge import LexicalKnowledge
from soni.persistence import store_for
from soni.persistence.staged import StagedSaver
from soni.persistence.volatile import ForeignStore
from soni.runtime.effects import TurnEffects, TurnWrites
from soni.runtime.generation import GeneratingRunner
from soni.runtime.record import make_turn_record
from soni.runtime.turn import Message, TimedNLU, Turn, make_seeded_ids

_log = structlog.get_logger("soni.runtime")

# Limits on LangGraph's supersteps, per step of a flow and for everything else. They are generous,
# so that a loop is found first by the count of its steps, which the flow can handle.
_NODES_PER_STEP, _NODES_BESIDE_STEPS = 10, 500


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
    ) -> None:
        refuse_unsound(config)
        if offers := find_option_problems(config):
            raise ConfigError(offers)
        self.assistant = Assistant(config)
        if store is None:
            store = store_for(config) if checkpointer is None else ForeignStore(checkpointer)
        self.store = store
        self._actions = actions
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
        self._graphs: dict[str, Any] = self.assistant.plans.graphs if not node_factories else {}
        self._writer = SlotWriter(self.assistant)
        self._executor = CommandExecutor(CommandHandlerRegistry.discover())
        self._digressions = DigressionHandler(knowledge or LexicalKnowledge(config.knowledge))
        self._versions = {"soni": _read_version(), "assistant": compute_fingerprint(config)}
        self._opened = False
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Open the store and compile the orchestrator."""
        # The first messages may arrive together, and the store must be opened once.
        async with self._opening:
            if self._opened:
                return
            await self.store.open()
            self._saver = StagedSaver(self.store.checkpointer)
            self._graph = build_graph(self._saver)
            runner = self._actions or LedgeredRunner(self.assistant, self.store.ledger)
            self._runner = GeneratingRunner(runner, self._generator) if self._generator else runner
            self._opened = True

    async def close(self) -> None:
        """Close the store, and what understanding has open."""
        if self._opened:
            self._opened = False
            await self.store.close()
        own = (self._nlu if self._own_nlu else None, self._own_generator)
        for close in (getattr(each, "aclose", None) for each in own):
            if close is not None:
                await close()

    def now(self) -> float:
        """Seconds since the epoch by the runtime's clock."""
        return self._clock().timestamp()

    async def load(self, conversation_id: str) -> DialogueState | None:
        """The stored state, or None."""
        await self.open()
        stored = await self.store.checkpointer.aget_tuple(_make_thread_config(conversation_id))
        return _read_state(stored.checkpoint["channel_values"]) if stored else None

    async def forget(self, conversation_id: str) -> None:
        """Delete the conversation, but for its journal."""
        await self.open()
        async with self.store.conversation(conversation_id):
            turn = await self._count_turns(conversation_id)
            await self.store.forget(conversation_id, turn=turn, at=self.now())

    async def _count_turns(self, conversation_id: str) -> int:
        try:
            state = await self.load(conversation_id)
        except StorageError:
            # A conversation that cannot be read can still be deleted.
            return 0
        return state["turn_count"] if state else 0

    async def run(self, sent: Message, emit: Callable[[str], None]) -> Turn:
        """Handle one message, alone on its conversation."""
        await self.open()
        async with self.store.conversation(sent.conversation_id):
            if sent.message_id is not None:
                known = await self.store.journal.find(sent.conversation_id, sent.message_id)
                if known is not None:
                    return await self._repeat_turn(known, emit)
            if sent.check is not None:
                sent.check(await self.load(sent.conversation_id) or create_initial_state())
            return await self._handle_message(sent, emit)

    async def _handle_message(self, sent: Message, emit: Callable[[str], None]) -> Turn:
        number = 0  # not known before the conversation is loaded
        try:
            stored = await self._saver.begin_turn(sent.conversation_id)
            before = (
                _read_state(stored.checkpoint["channel_values"])
                if stored
                else await self._create_state(sent.conversation_id)
            )
            number = before["turn_count"] + 1
            return await self._run_turn(sent, number, before, stored, emit)
        except Exception as error:
            await self._record_failure(sent, number, error)
            raise TurnError(sent.conversation_id, number, error) from error
        finally:
            self._saver.drop_turn(sent.conversation_id)

    async def _create_state(self, conversation_id: str) -> DialogueState:
        """A new state. After a reset its ids must differ from those before."""
        state = create_initial_state()
        past = await self.store.journal.entries(conversation_id)
        if resets := sum(entry.status == "reset" for entry in past):
            state["metadata"]["resets"] = resets
        return state

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
        effects = TurnEffects(self._runner, sent.conversation_id, TurnTrace())
        writes = TurnWrites(self._writer, self.assistant)
        context = self._make_context(sent, before, nlu, effects, writes, emit)
        after = _require_closed(_read_state(await self._invoke(sent, before, stored, context)))
        staged = self._saver.take_turn(sent.conversation_id)
        timings = {"total": time.perf_counter() - started, "understanding": nlu.seconds}
        data = make_turn_record(
            sent, before, after, context, effects, writes, timings, self._versions
        )
        entry = await self.store.commit(
            cast(StagedTurn, staged),
            turn=number,
            message_id=sent.message_id,
            at=context.now(),
            data=data,
            settled=effects.make_settled_check(before, after),
        )
        return _make_turn(entry, after, timings)

    async def _invoke(
        self, sent: Message, before: DialogueState, stored: Any, context: RuntimeContext
    ) -> Any:
        opening = sent.make_input()
        opening["turn"] = Overwrite(opening["turn"])
        given: Any = opening if stored is not None else {**before, **opening}
        if stored is not None and _is_waiting(stored):
            given = Resume(resume=opening)
        steps = self.assistant.config.settings.runtime.max_step_executions
        limit = _NODES_PER_STEP * steps + _NODES_BESIDE_STEPS
        return await self._graph.ainvoke(
            given,
            {**_make_thread_config(sent.conversation_id), "recursion_limit": limit},
            context=context,
            durability="exit",
        )

    def _make_context(
        self,
        sent: Message,
        before: DialogueState,
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
        return RuntimeContext(
            assistant=self.assistant,
            conversation_id=sent.conversation_id,
            user_id=sent.user_id,
            language=sent.language
            or before["metadata"].get("language")
            or self.assistant.config.settings.language,
            session=sent.session,
            clock=lambda: now,
            nlu_provider=nlu,
            scope_manager=self._scope,
            flow_manager=self._flow_manager.bind_turn(new_id, lambda: now),
            slot_writer=writes,
            command_executor=self._executor,
            action_runner=effects,
            digression_handler=self._digressions,
            emit=emit,
            flow_graphs=self._get_flow_graph,
            has_writer=self._has_writer,
            turn_trace=effects.turn_trace,
        )

    def _get_flow_graph(self, flow_name: str) -> Any:
        if flow_name not in self._graphs:
            plan = self.assistant.plans[flow_name]
            self._graphs[flow_name] = compile_flow(plan, self._node_factories)
        return self._graphs[flow_name]

    async def _repeat_turn(self, known: JournalEntry, emit: Callable[[str], None]) -> Turn:
        for text in known.data["replies"]:
            emit(text)
        state = await self.load(known.conversation_id) or create_initial_state()
        return _make_turn(known, state, {}, repeated=True)

    async def _record_failure(self, sent: Message, number: int, error: Exception) -> None:
        kind = type(error).__name__
        failed = {"conversation_id": sent.conversation_id, "error": kind}
        _log.error("turn_failed", **failed)
        try:
            await self.store.journal.append(
                sent.conversation_id,
                turn=number,
                message_id=sent.message_id,
                at=self._read_clock(),
                status="failed",
                data={"user_id": sent.user_id, "error": kind, "versions": self._versions},
            )
        except Exception as reason:
            # The caller must get the error of the turn, not the one of recording it.
            _log.error("failure_not_recorded", reason=type(reason).__name__, **failed)

    def _read_clock(self) -> float:
        try:
            return self.now()
        except Exception:  # the clock itself may be what failed
            return time.time()


def _make_turn(
    entry: JournalEntry, state: DialogueState, timings: dict[str, float], *, repeated: bool = False
) -> Turn:
    answers = (str(event.get("answer", "")) for event in entry.data.get("events", ()))
    known = (answer for answer in answers if answer.startswith(KNOWLEDGE_PREFIX))
    return Turn(
        conversation_id=entry.conversation_id,
        number=entry.turn,
        message_id=entry.message_id,
        messages=entry.data["replies"],
        commands=entry.data["commands"],
        state=state,
        timings=timings,
        sources=[answer.removeprefix(KNOWLEDGE_PREFIX) for answer in known],
        repeated=repeated,
    )


def _make_thread_config(conversation_id: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": conversation_id, "checkpoint_ns": ""}}


def _is_waiting(stored: Any) -> bool:
    """Whether the graph waits at an interrupt: only then may a message resume it."""
    return any(channel == "__interrupt__" for _, channel, _ in stored.pending_writes or [])


def _require_closed(state: DialogueState) -> DialogueState:
    """Return the state, or raise if its turn did not end: only the waiting node may interrupt."""
    if "message" not in state["turn"]:
        raise SoniError(
            "a validator, normalizer or step called LangGraph's interrupt(); "
            "refuse a value with ValueError, or ask with a collect step, instead"
        )
    return state


def _read_state(values: Any) -> DialogueState:
    fields = create_initial_state()
    fields.update({key: values[key] for key in fields if key in values})  # type: ignore[typeddict-item]
    return fields


@lru_cache(maxsize=1)
def _read_version() -> str:
    return version("soni")


def compute_fingerprint(config: SoniConfig) -> str:
    """A hash of the assistant's YAML, not of its Python code."""
    # The store does not affect how a conversation goes.
    written = config.model_dump_json(exclude={"settings": {"persistence"}})
    return hashlib.sha256(written.encode()).hexdigest()[:16]
