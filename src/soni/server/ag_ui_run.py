"""AG-UI runs: a turn as the events of the Agent-User Interaction Protocol."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from typing import Any, Final, Literal

from ag_ui.core import (
    PROTOCOL_VERSION,
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    Interrupt,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TextPart,
    TokenUsage,
    UserMessage,
)
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from soni.core.types import DialogueState
from soni.runtime.turn import Event, Message, MessageEvent, PieceEvent, Turn, TurnEvent
from soni.server.conversations import Conversations, describe_waiting
from soni.server.models import MAX_TEXT, MessageRequest
from soni.server.named_conversations import derive_message_id, was_handled
from soni.server.problems import ApiProblem, explain_error
from soni.server.questions import ANSWER, Question, find_question
from soni.server.subjects import Subject

PREFIX: Final = "a"
UI_EVENT: Final = "soni.ui"
WAITING_EVENT: Final = "soni.waiting"


class RunOptions(BaseModel):
    """What `forwardedProps.soni` may hold."""

    model_config = ConfigDict(extra="forbid")

    language: str | None = Field(default=None, max_length=20)
    context: dict[str, Any] | None = None
    interrupts: Literal["none", "consent", "all"] = "consent"
    """Which questions end a run with an interrupt. The others are messages like any."""

    @classmethod
    def read(cls, wanted: RunAgentInput) -> "RunOptions":
        """Those of a run."""
        props = wanted.forwarded_props
        given = props.get("soni") if isinstance(props, dict) else None
        try:
            return cls.model_validate(given or {})
        except ValidationError as error:
            where = ", ".join(".".join(map(str, fault["loc"])) for fault in error.errors())
            raise ApiProblem(
                "invalid_request", f"forwardedProps.soni: {where or 'no object'}"
            ) from None


class AgUiRun:
    """One run in a conversation of the caller's."""

    def __init__(
        self, talks: Conversations, caller: Subject, conversation_id: str, wanted: RunAgentInput
    ) -> None:
        self._talks = talks
        self._caller = caller
        self._conversation_id = conversation_id
        self._wanted = wanted
        self._options = RunOptions.read(wanted)
        spoken = [each for each in wanted.messages if isinstance(each, UserMessage)]
        self._spoken = spoken[-1] if spoken else None
        self._text = _join_text_parts(self._spoken) if self._spoken else None
        self._said: list[str] = []
        """The ids of the messages that hold, in their order."""

        self._known = {
            each.id: each.content or ""
            for each in wanted.messages
            if isinstance(each, AssistantMessage)
        }
        """What the client has of the assistant's messages: it adds to them what comes again."""

        self._is_stale = False
        """What was answered is no longer asked: the run only tells what is asked now."""

    async def iter_events(self) -> AsyncIterator[BaseEvent]:
        """Everything from the beginning to the end of the run."""
        ids = {"thread_id": self._wanted.thread_id, "run_id": self._wanted.run_id}
        yield RunStartedEvent(**ids, protocol_version=PROTOCOL_VERSION)
        events = self._iter_turn()
        try:
            turn = None
            async for event in events:
                if isinstance(event, TurnEvent):
                    turn = event.turn
                else:
                    yield event
            state = turn.state if turn else await self._load_state()
            for event in self._describe_end(turn, state):
                yield event
            yield RunFinishedEvent(
                **ids,
                outcome=self._make_outcome(state),
                result=None if turn is None else {"turn": turn.number, "repeated": turn.repeated},
                usage=_list_usage(turn),
            )
        except Exception as error:
            problem = explain_error(error)
            yield RunErrorEvent(message=problem.sentence, code=problem.code)
        finally:
            await events.aclose()

    async def _iter_turn(self) -> AsyncGenerator[BaseEvent | TurnEvent, None]:
        answer = await self._find_answer()
        if answer is not None:
            turn = await self._talks.run_turn(lambda: self._talks.runtime.handle(answer))
            told = self._tell(answer.message_id or "")
            for text in turn.messages:
                for event in told(MessageEvent(text)):
                    yield event
            yield TurnEvent(turn)
        elif self._text is not None and self._spoken is not None and not self._is_stale:
            message_id = _make_message_id(self._spoken)
            sent = MessageRequest(
                text=self._text,
                message_id=message_id,
                language=self._options.language,
                context=self._options.context,
            )
            events = self._talks.stream_message(self._caller, self._conversation_id, sent)
            told = self._tell(message_id)
            try:
                async for spoken in events:
                    for event in told(spoken):
                        yield event
                    if isinstance(spoken, TurnEvent):
                        yield spoken
            finally:
                await events.aclose()

    async def _find_answer(self) -> Message | None:
        """The message that answers an interrupt, if the run resumes from one."""
        entry = next(iter(self._wanted.resume or ()), None)
        if entry is None:
            return None
        if entry.status == "cancelled" and await self._has_news():
            # Words in place of the button: they are read as any others.
            return None
        question = self._get_open_question(await self._load_state())
        if question is not None and question.id == entry.interrupt_id:
            if entry.status == "cancelled":
                return question.make_refusal_message(self._caller.id)
            return question.make_answer_message(self._caller.id, _read_payload(entry))
        if not await self._was_handled(entry.interrupt_id):
            self._is_stale = True
            return None
        # It was answered before; the journal knows what was said to it.
        return Message(None, self._caller.id, self._conversation_id, entry.interrupt_id)

    async def _has_news(self) -> bool:
        spoken = self._spoken
        return spoken is not None and not await self._was_handled(_make_message_id(spoken))

    async def _was_handled(self, message_id: str) -> bool:
        return await was_handled(self._talks, self._conversation_id, message_id)

    def _tell(self, message_id: str) -> Callable[[Event], Iterator[BaseEvent]]:
        """Turns events of a turn into those of messages, whose ids are the same each time."""
        pieces, number = "", 0

        def tell(event: Event) -> Iterator[BaseEvent]:
            nonlocal pieces, number
            name = f"{message_id}-{number}"
            match event:
                case PieceEvent(text) if text:
                    if not pieces:
                        yield TextMessageStartEvent(message_id=name, role="assistant")
                    pieces += text
                    yield TextMessageContentEvent(message_id=name, delta=text)
                case MessageEvent(text):
                    if pieces and not text.startswith(pieces):
                        # What was sent cannot be taken back: another message follows it.
                        yield TextMessageEndEvent(message_id=name)
                        pieces, number = "", number + 1
                        name = f"{message_id}-{number}"
                    yield from self._tell_rest(name, text, pieces)
                    self._said.append(name)
                    pieces, number = "", number + 1

        return tell

    def _tell_rest(self, name: str, text: str, pieces: str) -> Iterator[BaseEvent]:
        """The end of a message; nothing of one that the client has, as when a run is repeated."""
        known = "" if pieces else self._known.get(name, "")
        if known == text:
            return
        if not pieces:
            yield TextMessageStartEvent(message_id=name, role="assistant")
        begun = pieces or (known if text.startswith(known) else "")
        if rest := text[len(begun) :]:
            yield TextMessageContentEvent(message_id=name, delta=rest)
        yield TextMessageEndEvent(message_id=name)

    def _describe_end(self, turn: Turn | None, state: DialogueState) -> Iterator[BaseEvent]:
        for name, reply in zip(self._said, turn.replies if turn else (), strict=False):
            if reply.get("ui"):
                yield CustomEvent(name=UI_EVENT, value={"messageId": name, "ui": reply["ui"]})
        waiting = describe_waiting(state)
        if waiting is not None:
            yield CustomEvent(name=WAITING_EVENT, value=waiting.model_dump(exclude_none=True))
        shown = self._talks.describe_state(self._conversation_id, state)
        yield StateSnapshotEvent(snapshot=shown.model_dump(mode="json"))

    def _make_outcome(
        self, state: DialogueState
    ) -> RunFinishedSuccessOutcome | RunFinishedInterruptOutcome:
        question = self._get_open_question(state)
        wanted = self._options.interrupts
        # Clients of before 1.0 say no version, and would not know how to go on.
        if question is None or wanted == "none" or self._wanted.protocol_version is None:
            return RunFinishedSuccessOutcome()
        if wanted == "consent" and not question.is_consent:
            return RunFinishedSuccessOutcome()
        interrupt = Interrupt(
            id=question.id,
            reason=f"soni:{question.kind}",
            message=question.text,
            response_schema=question.form,
        )
        return RunFinishedInterruptOutcome(interrupts=[interrupt])

    def _get_open_question(self, state: DialogueState) -> Question | None:
        assistant = self._talks.runtime.assistant
        return find_question(assistant, self._conversation_id, state)

    async def _load_state(self) -> DialogueState:
        return await self._talks.runtime.get_state(self._conversation_id)


def _make_message_id(message: UserMessage) -> str:
    return derive_message_id(PREFIX, message.id)


def _join_text_parts(message: UserMessage) -> str:
    content = message.content
    parts = [content] if isinstance(content, str) else content
    texts = [part.text if isinstance(part, TextPart) else part for part in parts]
    text = "\n".join(each for each in texts if isinstance(each, str))
    if not text.strip():
        raise ApiProblem("invalid_request", "messages: the newest of role `user` has no text")
    if len(text) > MAX_TEXT:
        raise ApiProblem("invalid_request", f"messages: at most {MAX_TEXT:,} characters of text")
    return text


def _read_payload(entry: ResumeEntry) -> Any:
    """The answer as it is, or as the field of the form that the interrupt describes."""
    payload = entry.payload
    if isinstance(payload, dict):
        if payload.keys() - {ANSWER}:
            raise ApiProblem("invalid_request", f"resume: the payload takes `{ANSWER}` only")
        return payload.get(ANSWER)
    return payload


def _list_usage(turn: Turn | None) -> list[TokenUsage] | None:
    used: dict[str, Any] = {}
    if turn is not None and not turn.repeated:
        used = turn.state["turn"].get("usage") or {}
    if not used:
        return None
    prompt, completion = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    return [
        TokenUsage(
            model=used.get("model"),
            input_tokens=prompt,
            output_tokens=completion,
            total_tokens=prompt + completion,
            cached_input_tokens=used.get("cached_tokens"),
        )
    ]
