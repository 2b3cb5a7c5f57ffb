"""ChannelExchange: what happens between a provider's request and the answer that its user reads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import structlog

from soni.commands import Clarify
from soni.core.errors import InvalidInputError, NotAllowedError
from soni.core.jobs import Job, JobError, Retry
from soni.core.records import Reply
from soni.core.types import DialogueState
from soni.flow.voice import Voice
from soni.runtime.jobs import Host, JobKind
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import Message, Turn, read_replies
from soni.server.admission import BUSY_SECONDS, RateLimiter
from soni.server.channels import make_channels
from soni.server.channels.base import (
    Answer,
    Channel,
    ChannelRequest,
    HttpAnswer,
    Incoming,
    RequestRefused,
    find_pressed_label,
)
from soni.server.channels.sender import Sender
from soni.server.conversations import Conversations, describe_waiting
from soni.server.problems import ApiProblem

MESSAGE: Final = "channel_message"
REPLY: Final = "channel_reply"

RETRY: Final = Retry(attempts=8, first_delay=2, factor=3, longest_delay=3600)
"""Eight attempts take about 36 minutes."""

MARGIN_SECONDS: Final = 1.0
"""How long after the request that waits for an answer the job for that answer is due."""

_log = structlog.get_logger("soni.channels")


class ButtonExpired(NotAllowedError):  # noqa: N818 - what happened to the button
    """A button of an earlier question was pressed."""


class ChannelExchange:
    """Takes messages from channels, and sends what is said to them.

    A message is kept as a job before its request is answered, so that a crash does not lose it and
    any process on the same store can answer it.

    Turns wait in the queue of `talks`, and requests are counted by `limiter`: those of the server,
    or else some of its own, with the same limits.
    """

    def __init__(
        self,
        runtime: RuntimeLoop,
        settings: Mapping[str, Any],
        *,
        talks: Conversations | None = None,
        limiter: RateLimiter | None = None,
        now: Callable[[], float] = time.time,
        retry: Retry = RETRY,
    ) -> None:
        self._runtime = runtime
        self._limits = runtime.assistant.config.settings.server.limits
        self._talks = talks or Conversations(runtime, self._limits, now, asyncio.Event())
        self._limiter = limiter or RateLimiter(self._limits, lambda: runtime.store.counters, now)
        self._channels = make_channels(settings)
        self._sender = Sender(runtime.assistant.config.settings.outgoing.make_policy())
        self._now = now
        self._waiting: set[asyncio.Task[Answer]] = set()
        self._retry = retry
        runtime.add_job_kinds(
            {
                MESSAGE: JobKind(self._run_message, retry=lambda _: retry, timeout=120),
                REPLY: JobKind(self._run_reply, retry=lambda _: retry, timeout=120),
            }
        )
        runtime.add_outlet(self.deliver_turn)

    @property
    def names(self) -> list[str]:
        """The names of the channels."""
        return list(self._channels)

    async def receive(
        self, name: str, headers: Mapping[str, str], body: bytes, url: str, network: str
    ) -> HttpAnswer:
        """Take a request that came from a network address.

        `RequestRefused`: it is not the provider's. `ApiProblem`: it may be sent again later.
        """
        # A mounted app has no lifespan of its own.
        await self._runtime.open()
        # Before anything is looked up or computed: a guessed signature counts as well.
        await self._limiter.count_request("address", network)
        channel = self._channels.get(name)
        if channel is None:
            remedy = "Add it to settings.server.channels, or correct the address at the provider"
            raise RequestRefused("no_such_channel", "there is no such channel", remedy)
        lowered = {key.lower(): value for key, value in headers.items()}
        request = ChannelRequest(lowered, body, url, self._now())
        channel.verify(request)
        reception = channel.parse(request)
        if reception.answer is not None:
            return reception.answer
        answers = [await self._take_message(channel, message) for message in reception.messages]
        return channel.respond([answer for answer in answers if answer is not None])

    async def deliver(
        self, conversation_id: str, replies: Sequence[Reply], *, key: str, turn: int = 0
    ) -> None:
        """Send something to the user of a channel's conversation.

        The same key again sends nothing while the first is on its way. `turn` is the turn that
        offers the buttons, if there are some.
        """
        channel = self._find_channel(conversation_id)
        if channel is None or not channel.can_send:
            there = ", ".join(name for name, each in self._channels.items() if each.can_send)
            raise NotAllowedError(
                f"cannot deliver to conversation '{conversation_id}': it is of no channel that "
                f"can send. Channels that can: {there or 'none'}"
            )
        await self._enqueue_answer(channel, Answer(conversation_id, None, turn, replies), key)

    async def deliver_turn(self, turn: Turn) -> None:
        """Send what was said in a turn that no user waits for; nothing if it is of no channel."""
        channel = self._find_channel(turn.conversation_id)
        if channel is None or not channel.can_send or not turn.messages:
            return
        answer = await self._recall_answer(_make_answer(turn))
        await self._enqueue_answer(channel, answer, f"turn/{turn.number}/{turn.message_id or ''}")

    def _find_channel(self, conversation_id: str) -> Channel | None:
        name, colon, _ = conversation_id.partition(":")
        return self._channels.get(name) if colon else None

    async def _take_message(self, channel: Channel, message: Incoming) -> Answer | None:
        """Have a message handled; its answer, if there is one in time for the request."""
        await self._limiter.count_request("subject", message.user_id)
        gate = self._talks.turns
        if not channel.answer_within or (channel.can_send and not gate.has_room):
            # Not every provider sends a message again that was refused.
            await self._require_short_queue()
            await self._enqueue_message(channel, message)
            return None
        gate.require_room()
        key = None
        if channel.can_send:
            delay = channel.answer_within + MARGIN_SECONDS
            key = await self._enqueue_message(channel, message, delay)
        answer = await self._wait_for_answer(channel, message, has_job=key is not None)
        if answer is not None and key is not None:
            # A worker that has the job already is about to send the answer.
            answer = answer if await self._runtime.store.jobs.cancel(key) else None
        return answer

    async def _require_short_queue(self) -> None:
        """Raise if too many messages are due already: the provider has to keep this one."""
        most = self._limits.waiting_turns
        # They come in the order of their times, so those that rest until another attempt are last.
        ahead = await self._runtime.store.jobs.list_jobs(
            kind=MESSAGE, state="waiting", limit=most + 1
        )
        if len(ahead) > most and ahead[most].due_at <= self._now():
            raise ApiProblem("busy", retry_after=BUSY_SECONDS)

    async def _wait_for_answer(
        self, channel: Channel, message: Incoming, *, has_job: bool
    ) -> Answer | None:
        task = asyncio.create_task(self._handle_message(message))
        self._waiting.add(task)
        task.add_done_callback(self._forget_task)
        done, _ = await asyncio.wait({task}, timeout=channel.answer_within)
        error = task.exception() if done else None
        if done and error is None:
            return task.result()
        if error is not None and not has_job:
            raise error
        if error is not None:
            _log.warning("channel_answer_is_late", channel=channel.name, error=type(error).__name__)
        return None

    def _forget_task(self, task: asyncio.Task[Answer]) -> None:
        self._waiting.discard(task)
        # The job will meet the same error; the request may be gone.
        if not task.cancelled():
            task.exception()

    async def _enqueue_message(self, channel: Channel, message: Incoming, delay: float = 0) -> str:
        return await self._runtime.enqueue(
            MESSAGE,
            {"channel": channel.name, "message": message.dump()},
            at=self._find_time(delay),
            key=f"{MESSAGE}/{message.conversation_id}/{message.delivery_id}",
            conversation_id=message.conversation_id,
        )

    async def _enqueue_answer(
        self, channel: Channel, answer: Answer, name: str, skip: int = 0, delay: float = 0
    ) -> None:
        await self._runtime.enqueue(
            REPLY,
            {"channel": channel.name, "answer": answer.dump(), "skip": skip},
            at=self._find_time(delay),
            key=f"{REPLY}/{answer.conversation_id}/{name}",
            conversation_id=answer.conversation_id,
        )

    def _find_time(self, delay: float) -> datetime | None:
        return datetime.fromtimestamp(self._now() + delay, UTC) if delay else None

    async def _run_message(self, host: Host, job: Job) -> None:
        """Handle a message that a channel has brought, and send the answer."""
        channel = self._get_job_channel(job)
        message = Incoming(**job.payload["message"])
        if job.attempts == 1:
            await self._acknowledge(channel, message, host)
        try:
            answer = await self._handle_message(message)
        except InvalidInputError as error:
            raise JobError("the message is not one that can be handled", permanent=True) from error
        except ApiProblem as problem:
            raise JobError(problem.detail, retry_after=BUSY_SECONDS) from problem
        # A new job about a message that is known: it was delivered again, and the job before has
        # seen to the answer. Where requests wait for answers, a job is there if none was in time.
        if answer.repeated and job.attempts == 1 and not channel.answer_within:
            return
        await self._send_answer(channel, answer, host)

    async def _run_reply(self, host: Host, job: Job) -> None:
        """Send what nobody waits for, or the rest of an answer."""
        await self._send_answer(
            self._get_job_channel(job), Answer(**job.payload["answer"]), host, job.payload["skip"]
        )

    def _get_job_channel(self, job: Job) -> Channel:
        name = str(job.payload["channel"])
        if name not in self._channels:
            there = ", ".join(self._channels)
            raise JobError(f"there is no channel '{name}' any more; channels: {there}")
        return self._channels[name]

    async def _acknowledge(self, channel: Channel, message: Incoming, host: Host) -> None:
        for request in channel.acknowledge(message):
            try:
                await self._sender.send(request, channel, host.assistant.invoker)
            except JobError as error:
                # The answer matters more, and is sent all the same.
                _log.warning("channel_not_acknowledged", channel=channel.name, reason=str(error))

    async def _send_answer(
        self, channel: Channel, answer: Answer, host: Host, skip: int = 0
    ) -> None:
        """Send an answer. What was sent before a failure is not sent again."""
        try:
            requests = channel.render(answer, self._now())
        except NotAllowedError as error:
            raise JobError(str(error), permanent=True) from error
        for number, request in enumerate(requests):
            if number < skip:
                continue
            try:
                await self._sender.send(request, channel, host.assistant.invoker)
            except JobError as error:
                if error.permanent or number == skip:
                    raise
                rest = await self._recall_answer(answer)
                name = f"rest/{answer.turn}/{_make_digest(str(answer.message_id))}/{number}"
                delay = self._retry.find_delay(1, error)
                await self._enqueue_answer(channel, rest, name, number, delay or 0)
                return

    async def _handle_message(self, message: Incoming) -> Answer:
        if message.text is None:
            return await self._press_button(message)
        text = message.text
        turn = await self._talks.run_turn(
            lambda: self._runtime.turn(
                text,
                message.user_id,
                message.conversation_id,
                message.delivery_id,
                message.language,
                message.context,
                commands=[Clarify()] if message.asks_help else None,
            )
        )
        answer = _make_answer(turn)
        if turn.repeated and turn.message_id != message.delivery_id:
            # It was read together with another message, which is answered for both.
            return replace(answer, replies=[])
        return answer

    async def _press_button(self, message: Incoming) -> Answer:
        """Press a button, or say that it belongs to an earlier question."""
        state = await self._runtime.get_state(message.conversation_id)
        label = find_pressed_label(message, state)

        def check(held: DialogueState) -> None:
            # Looked at once the conversation is held: a yes must not meet another question.
            if label is None or held["turn_count"] != state["turn_count"]:
                raise ButtonExpired("the button belongs to an earlier question")

        pressed = Message(
            text=label or message.label or "",
            user_id=message.user_id,
            conversation_id=message.conversation_id,
            message_id=message.delivery_id,
            language=message.language,
            session=dict(message.context),
            check=check,
            is_press=True,
        )
        try:
            turn = await self._talks.run_turn(lambda: self._runtime.handle(pressed))
            return _make_answer(turn)
        except ButtonExpired:
            said: Reply = {"text": self._render_expiry(message, state)}
            number, waiting = state["turn_count"], _describe_waiting(state)
            return Answer(message.conversation_id, message.delivery_id, number, [said], waiting)

    def _render_expiry(self, message: Incoming, state: DialogueState) -> str:
        assistant = self._runtime.assistant
        usual = state["metadata"].get("language") or assistant.config.settings.language
        voice = Voice(assistant, message.language or usual, message.delivery_id, message.context)
        return voice.render_response("button_expired")

    async def _recall_answer(self, answer: Answer) -> Answer:
        """The answer as the store has it, for a job: with secrets masked."""
        if answer.message_id is not None:
            inbox = self._runtime.store.inbox
            entry = await inbox.find_entry(answer.conversation_id, answer.message_id)
            return answer if entry is None else replace(answer, replies=read_replies(entry.data))
        state = await self._runtime.get_state(answer.conversation_id)
        is_last = state["turn_count"] == answer.turn
        return replace(answer, replies=state["replies"]) if is_last else answer


def _make_answer(turn: Turn) -> Answer:
    is_last = turn.number == turn.state["turn_count"]
    return Answer(
        turn.conversation_id,
        turn.message_id,
        turn.number,
        turn.replies,
        _describe_waiting(turn.state) if is_last else None,
        turn.repeated,
    )


def _describe_waiting(state: DialogueState) -> dict[str, Any] | None:
    waiting = describe_waiting(state)
    return None if waiting is None else waiting.model_dump(exclude_none=True)


def _make_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
