"""Calls of tools: a flow is started, and goes on until it is done or waits for somebody."""

from dataclasses import dataclass, field
from typing import Any, Final

from mcp.server import ServerRequestContext
from mcp_types import CallToolRequestParams, CallToolResult, ElicitResult, TextContent

from soni.commands import StartFlow
from soni.core.errors import NotAllowedError
from soni.core.masking import mask_slots
from soni.core.types import DialogueState
from soni.flow.stack import tasks_of
from soni.runtime.turn import Message, Turn
from soni.server.conversations import Conversations
from soni.server.mcp.elicitation import CallState, Elicitor, read_elicited
from soni.server.mcp.tools import CONVERSATION, REPLY, TEXT, list_arguments, map_flows
from soni.server.models import MAX_TEXT, ReplyBody
from soni.server.named_conversations import open_named, was_handled
from soni.server.problems import ApiProblem, explain_error
from soni.server.questions import ANSWER, Question, find_question
from soni.server.subjects import Subject

PREFIX: Final = "m"
MAX_QUESTIONS: Final = 50
"""Of one call. A client that answers by itself, and always wrong, must come to an end."""


class ToolCalls:
    """Carries out the calls of tools."""

    def __init__(self, talks: Conversations) -> None:
        self._talks = talks

    async def call(
        self,
        context: ServerRequestContext[Any, Any],
        params: CallToolRequestParams,
        caller: Subject,
        session: str | None,
    ) -> Any:
        """The result of a call; what fails is told as one too, so that a model can go on."""
        try:
            call = await self._open(params, caller, session)
            return await call.run(Elicitor(context), params)
        except Exception as error:
            problem = explain_error(error)
            return CallToolResult(content=[TextContent(text=problem.sentence)], is_error=True)

    async def _open(
        self, params: CallToolRequestParams, caller: Subject, session: str | None
    ) -> "_Call":
        talks, arguments = self._talks, dict(params.arguments or {})
        assistant, given = talks.runtime.assistant, CallState.read(params)
        flow = map_flows(assistant).get(params.name)
        if flow is None and params.name != REPLY:
            known = ", ".join([*map_flows(assistant), REPLY])
            raise ApiProblem("invalid_request", f"no such tool; available: {known}")
        named = arguments.pop(CONVERSATION, None)
        takes = [TEXT] if flow is None else list_arguments(assistant, flow)
        if unknown := sorted(arguments.keys() - takes):
            raise ApiProblem(
                "invalid_request",
                f"{params.name} takes no {', '.join(unknown)}; it takes "
                f"{', '.join([*takes, CONVERSATION])}",
            )
        named = given.conversation_id if given else named
        if named is not None:
            await talks.require(caller, _require_name(named))
            conversation_id = str(named)
        elif session is not None:
            conversation_id = await open_named(talks, caller, PREFIX, session)
        elif flow is None:
            raise ApiProblem("invalid_request", f"give the {CONVERSATION} of an earlier result")
        else:
            conversation_id = await talks.open(caller)
        state = await talks.runtime.get_state(conversation_id)
        earlier = given.earlier if given else _list_other_tasks(state, flow)
        return _Call(talks, caller, conversation_id, flow, arguments, state, earlier, given)


def _require_name(named: Any) -> str:
    if not isinstance(named, str) or not named.isprintable() or len(named) > 200:
        raise ApiProblem("not_found", "no such conversation")
    return named


def _list_other_tasks(state: DialogueState, flow: str | None) -> list[str]:
    """The instances that are open and no part of what the call is about."""
    others = [task for task in tasks_of(state["flow_stack"]) if task[0]["flow_name"] != flow]
    return [each["flow_id"] for task in others for each in task] if flow is not None else []


@dataclass
class _Call:
    """One call, or the rest of one that was answered."""

    talks: Conversations
    caller: Subject
    conversation_id: str
    flow: str | None
    arguments: dict[str, Any]
    state: DialogueState
    earlier: list[str]
    given: CallState | None
    replies: list[dict[str, Any]] = field(default_factory=list)
    outputs: dict[str, Any] = field(default_factory=dict)

    async def run(self, elicitor: Elicitor, params: CallToolRequestParams) -> Any:
        """Go on until it is done, or somebody must be waited for."""
        goes_on, message = await self._begin(params), self._read_last()
        for _ in range(MAX_QUESTIONS):
            question = self._get_open_question()
            if question is None or not goes_on or not self._may_elicit(question, elicitor):
                break
            if elicitor.asks_by_result:
                state = CallState(
                    conversation_id=self.conversation_id,
                    question_id=question.id,
                    earlier=self.earlier,
                )
                return elicitor.make_result(question, message or question.text, state)
            answer = await elicitor.elicit(question, message or question.text)
            if answer is None:
                break
            goes_on = await self._answer(question, answer)
            message = self._read_last()
        return self._make_result()

    async def _begin(self, params: CallToolRequestParams) -> bool:
        """The first turn; False: the user wants no more questions."""
        if self.given is not None:
            question, answer = self._get_open_question(), read_elicited(params)
            if question is not None and question.id == self.given.question_id:
                return True if answer is None else await self._answer(question, answer)
            # Something else is asked by now, so nothing was agreed to. If the question was
            # answered, and only the result was lost, the journal has it.
            if await was_handled(self.talks, self.conversation_id, self.given.question_id):
                known = (None, self.caller.id, self.conversation_id, self.given.question_id)
                await self._handle(Message(*known))
            return True
        if self.flow is None:
            text = self.arguments.get(TEXT)
            if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
                raise ApiProblem("invalid_request", f"{TEXT}: 1 to {MAX_TEXT:,} characters")
            await self._handle(Message(text, self.caller.id, self.conversation_id))
            return True
        slots = {name: value for name, value in self.arguments.items() if value is not None}
        # As a button would: conditions of the flow hold, and values are checked as those of users.
        start = [StartFlow(self.flow, slots)]
        await self._handle(Message(None, self.caller.id, self.conversation_id, commands=start))
        return True

    async def _answer(self, question: Question, answer: ElicitResult) -> bool:
        if answer.action != "accept":
            await self._abandon_task(question)
            return False
        value = (answer.content or {}).get(ANSWER)
        if question.is_consent and not isinstance(value, bool):
            # Only an explicit yes is consent.
            return False
        await self._handle(question.make_answer_message(self.caller.id, value))
        return True

    async def _abandon_task(self, question: Question) -> None:
        await self._handle(question.make_refusal_message(self.caller.id))
        asked = self._get_open_question()
        if asked is not None and asked.kind == "cancel":
            await self._handle(asked.make_refusal_message(self.caller.id))

    async def _handle(self, message: Message) -> None:
        before = {each["flow_id"] for each in _list_completed(self.state)}
        try:
            turn: Turn = await self.talks.run_turn(lambda: self.talks.runtime.handle(message))
        except NotAllowedError:
            # The conversation went on by another way: what is asked now is told.
            self.state = await self.talks.runtime.get_state(self.conversation_id)
            return
        self.state = turn.state
        self.replies += [dict(reply) for reply in turn.replies]
        is_sensitive = self.talks.runtime.assistant.is_sensitive
        for ended in _list_completed(turn.state):
            if ended["flow_id"] not in before and ended["called_by"] is None:
                self.outputs |= mask_slots(ended["outputs"], is_sensitive)

    def _may_elicit(self, question: Question, elicitor: Elicitor) -> bool:
        # A form is no place for secrets, says the protocol.
        return (
            elicitor.is_possible
            and not question.is_sensitive
            and question.flow_id not in self.earlier
        )

    def _get_open_question(self) -> Question | None:
        return find_question(self.talks.runtime.assistant, self.conversation_id, self.state)

    def _read_last(self) -> str:
        """What was said in the last turn: the question, and what led to it."""
        return "\n".join(reply["text"] for reply in self.state["replies"])

    def _make_result(self) -> CallToolResult:
        question = self._get_open_question()
        said = [reply["text"] for reply in self.replies]
        if question is not None and not said:
            said.append(question.text)
        shown = [ReplyBody.model_validate(reply) for reply in self.replies]
        structured = {
            CONVERSATION: self.conversation_id,
            "replies": [reply.model_dump(mode="json", exclude_none=True) for reply in shown],
            "state": self.state["conversation_state"],
            "waiting": None if question is None else _describe_question(question),
            "outputs": self.outputs,
        }
        texts = ["\n".join(said)] if said else []
        if question is not None:
            texts.append(_explain_question(question))
        return CallToolResult(
            content=[TextContent(text=text) for text in texts], structured_content=structured
        )


def _list_completed(state: DialogueState) -> list[Any]:
    archived = state["metadata"].get("completed_flows", [])
    return [each for each in archived if each["flow_state"] == "completed"]


def _describe_question(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind,
        "question": question.text,
        "slot": question.slot,
        "needs_consent": question.is_consent,
        "answer": question.schema,
    }


def _explain_question(question: Question) -> str:
    """What a model is told to do about an open question."""
    if question.is_consent:
        return (
            "This is not done yet: it needs the user's consent. Ask the user, and pass on the "
            f"user's own words with the tool `{REPLY}`."
        )
    if question.is_sensitive:
        return (
            f"`{question.slot}` is a secret: the user gives it to the application itself, in the "
            "same conversation. Do not ask for it here."
        )
    wanted = f"`{question.slot}`" if question.slot else "an answer"
    return f"This is not done yet: it waits for {wanted}. Ask the user, then use `{REPLY}`."
