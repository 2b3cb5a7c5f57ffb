"""Elicitation: asking the person who uses a client, through the client.

From the revision of 2026-07-28 on a call ends with what is to be asked, and is made again with
the answer. Before it the server asks while the call goes on.
"""

from dataclasses import dataclass
from typing import Any, Final

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from soni.server.models import Name
from soni.server.problems import ApiProblem
from soni.server.questions import ANSWER, Question

MAX_TASKS: Final = 100


class CallState(BaseModel):
    """What a client hands back when it makes a call again.

    It may have been changed on the way. It can only name a conversation of the caller's own, and
    an answer is taken only to the question that is open there.
    """

    model_config = ConfigDict(extra="forbid")

    conversation_id: Name
    question_id: Name
    earlier: list[Name] = Field(default_factory=list, max_length=MAX_TASKS)
    """The instances that were open before the call: their questions are not asked by it."""

    @classmethod
    def read(cls, params: CallToolRequestParams) -> "CallState | None":
        """That of a call; None: it is made for the first time."""
        if params.request_state is None:
            return None
        try:
            return cls.model_validate_json(params.request_state)
        except ValidationError:
            raise ApiProblem("invalid_request", "requestState: not what was sent") from None


@dataclass(frozen=True)
class Elicitor:
    """Asks the client of one call."""

    context: ServerRequestContext[Any, Any]

    @property
    def is_possible(self) -> bool:
        """Whether the client can ask the user for a form."""
        known = self.context.session.client_capabilities
        wanted = known.elicitation if known else None
        if wanted is None:
            return False
        # Before there were forms and pages, forms were meant.
        return wanted.form is not None or wanted.url is None

    @property
    def asks_by_result(self) -> bool:
        """Whether the answer comes with another call."""
        return self.context.protocol_version in MODERN_PROTOCOL_VERSIONS

    def make_result(self, question: Question, message: str, state: CallState) -> Any:
        """What tells the client to ask, and to make the call again."""
        form = ElicitRequestFormParams(message=message, requested_schema=question.form)
        return InputRequiredResult(
            input_requests={ANSWER: ElicitRequest(params=form)},
            request_state=state.model_dump_json(),
        )

    async def elicit(self, question: Question, message: str) -> ElicitResult | None:
        """Ask now; None: the client could not."""
        session, request_id = self.context.session, self.context.request_id
        if not session.can_send_request:
            return None
        try:
            return await session.elicit_form(message, question.form, related_request_id=request_id)
        except (MCPError, ValidationError):
            return None


def read_elicited(params: CallToolRequestParams) -> ElicitResult | None:
    """The answer that a call brings along."""
    answer = (params.input_responses or {}).get(ANSWER)
    return answer if isinstance(answer, ElicitResult) else None
