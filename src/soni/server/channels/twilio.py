"""twilio: SMS and WhatsApp through Twilio. Options are numbered."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.sax.saxutils import escape

from pydantic import Field

from soni.core.errors import NotAllowedError
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
    split_text,
)
from soni.server.channels.configuration import ChannelConfig, Secret, Url
from soni.server.channels.sender import find_http_failure
from soni.server.channels.signatures import check_secret, sign_twilio

HEADER: Final = "X-Twilio-Signature"
MAX_TEXT: Final = 1600
WHATSAPP: Final = "whatsapp:"

# XML has no place for these, however they are written.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TwilioConfig(ChannelConfig):
    """The account's id and token are on the first page of Twilio's console."""

    account_sid: str
    auth_token: Secret
    public_url: Url | None = None
    """The address as it stands in Twilio's console; needed behind a proxy, which changes it."""

    address_secret: Secret | None = None
    """Hides numbers in the ids of conversations; none given, the token does. With another secret
    everybody begins a new conversation."""

    answer_within: float = Field(default=8.0, ge=0, le=14)
    """Seconds for which Twilio's request waits for the assistant. Twilio itself waits for 15."""

    api_url: Url = "https://api.twilio.com"


class TwilioChannel:
    """Numbers of a Twilio account.

    A conversation's id is its two numbers, encrypted: the same numbers always give the same id,
    logs show no number, and a push finds its way.
    """

    CONFIG = TwilioConfig
    can_send = True

    def __init__(self, name: str, config: TwilioConfig) -> None:
        self.name = name
        self.answer_within = config.answer_within
        self._config = config

    def verify(self, request: ChannelRequest) -> None:
        """Check the signature of the address and the form."""
        url = request.url
        if self._config.public_url is not None:
            query = urlsplit(request.url).query
            url = f"{self._config.public_url}?{query}" if query else self._config.public_url
        token = self._config.auth_token.get_secret_value()
        expected = sign_twilio(token, url, _read_form(request))
        check_secret(request.headers.get(HEADER.lower()), expected, HEADER)

    def parse(self, request: ChannelRequest) -> Reception:
        """A message; news of messages that were sent, and words that Twilio handles, are left."""
        form = {name: values[0] for name, values in _read_form(request).items()}
        text = form.get("Body", "").strip()
        needed = ("MessageSid", "From", "To")
        is_own = form.get("AccountSid") == self._config.account_sid
        if not is_own or not text or "OptOutType" in form or not all(map(form.get, needed)):
            return Reception()
        sender, own = form["From"], form["To"]
        user_id = f"{self.name}:{sender.removeprefix(WHATSAPP)}"
        conversation_id = f"{self.name}:{self._seal(f'{sender} {own}')}"
        return Reception([Incoming(conversation_id, user_id, form["MessageSid"], text=text)])

    def respond(self, answers: Sequence[Answer]) -> HttpAnswer:
        """The messages as TwiML."""
        said = "".join(
            f"<Message>{escape(_NO_XML.sub('', part))}</Message>"
            for answer in answers
            for part in _list_texts(answer)
        )
        body = f'<?xml version="1.0" encoding="UTF-8"?><Response>{said}</Response>'
        return HttpAnswer(body, "application/xml")

    def acknowledge(self, message: Incoming) -> Sequence[Outgoing]:
        """Nothing: the answer to the request was enough."""
        return ()

    def render(self, answer: Answer, now: float) -> list[Outgoing]:
        """A message resource for each text."""
        sender, own = self._unseal(answer.conversation_id)
        account, token = self._config.account_sid, self._config.auth_token.get_secret_value()
        user = base64.b64encode(f"{account}:{token}".encode()).decode()
        return [
            Outgoing(
                f"{self._config.api_url}/2010-04-01/Accounts/{account}/Messages.json",
                urlencode({"To": sender, "From": own, "Body": part}).encode(),
                "application/x-www-form-urlencoded",
                {"authorization": f"Basic {user}"},
            )
            for part in _list_texts(answer)
        ]

    def find_failure(self, answer: ProviderAnswer) -> Failure | None:
        """The status says it."""
        return find_http_failure(answer)

    def _seal(self, numbers: str) -> str:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        sealed = AESSIV(self._derive_key()).encrypt(numbers.encode(), None)
        return base64.urlsafe_b64encode(sealed).decode().rstrip("=")

    def _unseal(self, conversation_id: str) -> tuple[str, str]:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        sealed = conversation_id.partition(":")[2]
        try:
            padded = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
            numbers = AESSIV(self._derive_key()).decrypt(padded, None).decode()
        except (InvalidTag, ValueError) as error:
            raise NotAllowedError(
                f"cannot send to conversation '{conversation_id}': its id was made with another "
                f"secret. Give settings.server.channels.{self.name}.address_secret the old one"
            ) from error
        sender, _, own = numbers.partition(" ")
        return sender, own

    def _derive_key(self) -> bytes:
        secret = self._config.address_secret or self._config.auth_token
        return hmac.digest(secret.get_secret_value().encode(), b"soni channel address", "sha512")


def _read_form(request: ChannelRequest) -> dict[str, list[str]]:
    try:
        return parse_qs(
            request.body.decode("utf-8"),
            keep_blank_values=True,
            max_num_fields=200,
            errors="strict",
        )
    except ValueError as error:  # of wrong UTF-8 too
        raise RequestRefused("bad_payload", "the body is no form", "Send one, in UTF-8") from error


def _list_texts(answer: Answer) -> list[str]:
    # One text: of two messages the second may arrive first.
    return split_text("\n".join(reply["text"] for reply in answer.replies), MAX_TEXT)


CHANNEL = TwilioChannel
