"""BackgroundWork: the part of the runtime that is about jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, cast
from uuid import uuid4

import structlog

from soni.core.errors import NotAllowedError
from soni.core.jobs import Handlers, WorkerOptions
from soni.runtime.inputs import check_id, copy_named, require_text
from soni.runtime.jobs import Host, JobKind, Runtime, find_job_kinds, make_handlers

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.runtime.engine import Engine
    from soni.runtime.intake import Outlet

_log = structlog.get_logger("soni.jobs")


class BackgroundWork:
    """Keeps jobs, and carries them out if it is asked to."""

    _engine: Engine
    _outlets: list[Outlet]
    _worker: asyncio.Task[None] | None = None
    _added_kinds: Mapping[str, JobKind] = {}

    @property
    def assistant(self) -> Assistant:
        """The assistant that conversations are held with."""
        return self._engine.assistant

    def add_job_kinds(self, kinds: Mapping[str, JobKind]) -> None:
        """Let this runtime carry out further kinds of jobs; other processes leave them alone.

        Call it before background work starts.
        """
        if self._worker is not None:
            raise NotAllowedError(
                f"cannot add {', '.join(kinds)}: background work has started. Add kinds of jobs "
                "before `start_background`"
            )
        self._added_kinds = {**self._added_kinds, **kinds}

    def add_outlet(self, outlet: Outlet) -> None:
        """Call it with each turn that no user waits for: a push, a person's message, a time-out."""
        self._outlets.append(outlet)

    async def remind(
        self,
        conversation_id: str,
        text: str | None = None,
        *,
        at: datetime,
        flow: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        key: str | None = None,
        user_id: str | None = None,
        language: str | None = None,
    ) -> str:
        """Push a text or a flow at that time; the key by which it can be cancelled.

        A key that is there already changes nothing: asking twice reminds once. A process that
        does background work has to be there at that time, or afterwards.
        """
        check_id("conversation_id", conversation_id)
        aim = f"remind conversation '{conversation_id}'"
        check_push(aim, text, flow, inputs)
        flows = self._engine.assistant.config.flows
        if flow is not None and flow not in flows:
            there = ", ".join(flows)
            raise NotAllowedError(f"cannot {aim}: there is no flow '{flow}'; available: {there}")
        if at.tzinfo is None:
            raise NotAllowedError(
                f"cannot {aim}: the time has no zone. Use one such as `datetime.now().astimezone()`"
            )
        said = {
            "conversation_id": conversation_id,
            "text": text,
            "flow": flow,
            "inputs": copy_named("inputs", inputs) or None,
            "user_id": user_id,
            "language": language,
        }
        given = {name: value for name, value in said.items() if value is not None}
        return await self.enqueue(
            "reminder", given, at=at, key=key, conversation_id=conversation_id
        )

    async def cancel_reminder(self, key: str) -> bool:
        """Take a reminder back; False if it was pushed already, or never was."""
        await self._engine.open()
        return await self._engine.store.jobs.cancel(key)

    async def enqueue(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        at: datetime | None = None,
        key: str | None = None,
        conversation_id: str | None = None,
    ) -> str:
        """Have a job carried out, now or at a time; its key. The same key again changes nothing."""
        if kind not in (kinds := {**find_job_kinds(), **self._added_kinds}):
            raise NotAllowedError(
                f"cannot enqueue '{kind}': no such kind of job; available: {', '.join(kinds)}"
            )
        await self._engine.open()
        name = uuid4().hex if key is None else check_id("key", key)
        due = self._engine.now() if at is None else at.timestamp()
        await self._engine.store.jobs.enqueue(
            kind, payload, key=name, at=due, conversation_id=conversation_id
        )
        return name

    async def start_background(self) -> None:
        """Carry out jobs from now on, in tasks of this event loop."""
        if self._worker is None:
            handlers, options = await self._prepare_work()
            jobs = self._engine.store.jobs
            self._worker = asyncio.create_task(jobs.run(handlers, options), name="soni-jobs")
            self._worker.add_done_callback(_report_end)

    async def stop_background(self) -> None:
        """Let jobs under way finish, and begin no more."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await worker

    @asynccontextmanager
    async def background(self) -> AsyncIterator[Self]:
        """Carry out jobs while the block runs."""
        await self.start_background()
        try:
            yield self
        finally:
            await self.stop_background()

    async def run_due_jobs(self) -> int:
        """Carry out the jobs that are due, and return: for a scheduler of your own, or a test."""
        handlers, options = await self._prepare_work()
        return await self._engine.store.jobs.run_due(handlers, options)

    async def _prepare_work(self) -> tuple[Handlers, WorkerOptions]:
        engine = self._engine
        await engine.open()
        host = Host(
            cast(Runtime, self), engine.assistant, engine.store, engine.now, engine.tool_servers
        )
        handlers = make_handlers(host, self._added_kinds)
        for name, handler in handlers.items():
            if handler.every is not None:
                await engine.store.jobs.enqueue(name, {}, key=name, at=engine.now())
        settings = engine.assistant.config.settings.background
        options = WorkerOptions(engine.now, settings.concurrency, settings.poll_seconds)
        return handlers, options


def check_push(
    aim: str, text: str | None, flow: str | None, inputs: Mapping[str, Any] | None
) -> None:
    """Raise unless there is one thing to push."""
    if (text is None) == (flow is None):
        raise NotAllowedError(f"cannot {aim}: give either a text or a flow")
    if text is not None and (inputs or not require_text("text", text).strip()):
        reason = "inputs go with a flow, not with a text" if inputs else "the text is empty"
        raise NotAllowedError(f"cannot {aim}: {reason}")


def _report_end(worker: asyncio.Task[None]) -> None:
    if not worker.cancelled() and (error := worker.exception()) is not None:
        _log.error("background_work_ended", error=type(error).__name__, exc_info=error)
