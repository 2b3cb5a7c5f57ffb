"""webhook: another system's own channel, signed both ways as Standard Webhooks say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Self
from urllib.parse import quote, unquote

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from soni.core.webhook_signature import check_webhook_secret, sign_webhook
from soni.server.channels.base import (
    Answer,
    ChannelRequest,
    Failure,
    HttpAnswer,
    Incoming,
    Outgoing,
    ProviderAnswer,
    Reception,
    RequestRefused,
)
from soni.server.channels.configuration import ChannelConfig, Secret, Url
from soni.server.channels.json_body import read_object
from soni.server.channels.sender import find_http_failure
from soni.server.channels.signatures import check_webhook

MAX_ID: Final = 128
MAX_QUOTED: Final = 300


class WebhookConfig(ChannelConfig):
    """Several secrets: all are accepted, and what goes out is signed with each of them."""

    secrets: Annotated[
        tuple[Annotated[Secret, AfterValidator(check_webhook_secret)], ...], Field(min_length=1)
    ]
    reply_url: Url | None = None
    """Where answers are posted that come late, and what nobody asked for."""

    answer_within: float = Field(default=25.0, ge=0, le=120)
    """Seconds for which a request waits for the answer; 0: all answers are posted."""

    @model_validator(mode="after")
    def _check_way(self) -> Self:
        if self.reply_url is None and not self.answer_within:
            raise ValueError("answers go nowhere: give a reply_url, or answer_within")
        return self


class WebhookMessage(BaseModel):
    """What is posted to the channel."""

    model_config = ConfigDict(extra="forbid", strict=True)

    conversation: str = Field(min_length=1, max_length=MAX_ID)
    user: str | None = Field(default=None, min_length=1, max_length=MAX_ID)
    """Who writes; not given, the conversation is one user's."""

    text: str | None = None
    press: str | None = None
    """The label of a button, in place of a text."""

    language: str | None = Field(default=None, min_length=2, max_length=35)
    context: dict[str, Any] = {}

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if (self.text is None) == (self.press is None):
            raise ValueError("give either a text or a press")
        return self


class WebhookChannel:
    """Another system that signs what it posts."""

    CONFIG = WebhookConfig

    def __init__(self, name: str, config: WebhookConfig) -> None:
        self.name = name
        self.answer_within = config.answer_within
        self.can_send = config.reply_url is not None
        self._config = config
        self._secrets = [each.get_secret_value() for each in config.secrets]

    def verify(self, request: ChannelRequest) -> None:
        """Check the signatures and the time."""
        check_webhook(request, self._secrets)

    def parse(self, request: ChannelRequest) -> Reception:
        """One message, or one press."""
        delivery_id = request.headers["webhook-id"]
        try:
            said = WebhookMessage.model_validate(read_object(request))
        except ValidationError as error:
            found = error.errors(include_input=False, include_context=False, include_url=False)
            where = [".".join(map(str, each["loc"])) or "the body" for each in found]
            reasons = "; ".join(f"{w}: {e['msg']}" for w, e in zip(where, found, strict=True))
            raise _refuse_message(f"the message cannot be read ({reasons})") from error
        place = quote(said.conversation, safe="-._~", errors="replace")
        user = said.user or said.conversation
        if max(len(place), len(quote(user, errors="replace"))) > MAX_QUOTED:
            raise _refuse_message("the conversation or the user has too long a name")
        if len(delivery_id) > MAX_ID:
            raise _refuse_message("the header webhook-id is too long")
        message = Incoming(
            f"{self.name}:{place}",
            f"{self.name}:{user}",
            delivery_id,
            text=said.text,
            label=said.press,
            language=said.language,
            context=said.context,
        )
        return Reception([message])

    def respond(self, answers: Sequence[Answer]) -> HttpAnswer:
        """The answer as JSON, or 202: it comes later."""
        if not answers:
            return HttpAnswer('{"accepted": true}', "application/json", 202)
        return HttpAnswer(json.dumps(self._describe_answer(answers[0])), "application/json")

    def acknowledge(self, message: Incoming) -> Sequence[Outgoing]:
        """Nothing: the answer to the request was enough."""
        return ()

    def render(self, answer: Answer, now: float) -> list[Outgoing]:
        """One post, whose `webhook-id` is the same whenever it is sent again."""
        if self._config.reply_url is None:
            return []
        data = self._describe_answer(answer)
        # What is sent again may have more masked in it, so its texts do not count.
        told = data if answer.message_id is None else answer.message_id
        seen = json.dumps([answer.conversation_id, answer.turn, told], sort_keys=True)
        delivery_id = f"reply_{hashlib.sha256(seen.encode()).hexdigest()[:32]}"
        timestamp = datetime.fromtimestamp(now, UTC).isoformat()
        body = json.dumps(
            {"type": "conversation.replied", "timestamp": timestamp, "data": data}
        ).encode()
        signed = [sign_webhook(each, delivery_id, int(now), body) for each in self._secrets]
        headers = {
            "webhook-id": delivery_id,
            "webhook-timestamp": str(int(now)),
            "webhook-signature": " ".join(signed),
        }
        return [Outgoing(self._config.reply_url, body, headers=headers)]

    def find_failure(self, answer: ProviderAnswer) -> Failure | None:
        """Only 410 ends it: a receiver that is being repaired may answer anything."""
        failure = find_http_failure(answer)
        if failure is None:
            return None
        return Failure(failure.reason, answer.status == 410, failure.retry_after)

    def _describe_answer(self, answer: Answer) -> dict[str, Any]:
        conversation = unquote(answer.conversation_id.partition(":")[2])
        return {**answer.dump(), "conversation": conversation}


def _refuse_message(reason: str) -> RequestRefused:
    remedy = "Send {conversation, text}, as docs/channels.md describes it"
    return RequestRefused("bad_payload", reason, remedy)


CHANNEL = WebhookChannel
