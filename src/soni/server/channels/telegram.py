"""telegram: private chats with a Telegram bot, with buttons as inline keyboards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from soni.core.records import Reply
from soni.server.channels.base import (
    Answer,
    ChannelRequest,
    Failure,
    HttpAnswer,
    Incoming,
    Outgoing,
    ProviderAnswer,
    Reception,
    find_pressable,
    make_button_key,
    split_text,
)
from soni.server.channels.configuration import ChannelConfig, Secret, Url
from soni.server.channels.json_body import read_object
from soni.server.channels.sender import find_http_failure, read_seconds
from soni.server.channels.signatures import check_secret
from soni.steps.ui import list_options

HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
HELP_COMMANDS: Final = ("/start", "/help")
"""Telegram's own button sends the first of them."""

MAX_TEXT: Final = 4096
MAX_CAPTION: Final = 1024
MAX_BUTTONS: Final = 100
MAX_KEY_BYTES: Final = 64
"""What the `callback_data` of a button may hold."""


class TelegramConfig(ChannelConfig):
    """The token is what BotFather gave; the secret is what `setWebhook` was called with."""

    bot_token: Secret
    secret_token: Secret
    groups: bool = False
    """Whether members of groups may talk to it too, each in a conversation of their own."""

    api_url: Url = "https://api.telegram.org"


class TelegramChannel:
    """A Telegram bot."""

    CONFIG = TelegramConfig
    can_send = True
    answer_within = 0.0

    def __init__(self, name: str, config: TelegramConfig) -> None:
        self.name = name
        self._config = config

    def verify(self, request: ChannelRequest) -> None:
        """Compare the secret that Telegram repeats with each request."""
        expected = self._config.secret_token.get_secret_value()
        check_secret(request.headers.get(HEADER.lower()), expected, HEADER)

    def parse(self, request: ChannelRequest) -> Reception:
        """A message or a pressed button; edited messages and channels' posts are left out."""
        update = read_object(request)
        pressed, message = update.get("callback_query"), update.get("message")
        delivery_id = f"update:{update.get('update_id')}"
        if isinstance(pressed, dict):
            chat, button = pressed.get("message"), pressed.get("data")
            if isinstance(chat, dict) and isinstance(button, str):
                given = {"button": button, "receipt": str(pressed.get("id"))}
                return self._make_reception(chat, pressed.get("from"), delivery_id, given)
        elif isinstance(message, dict) and isinstance(message.get("text"), str):
            text = _read_text(message["text"])
            said = {"text": text, "asks_help": text.split(" ")[0] in HELP_COMMANDS}
            return self._make_reception(message, message.get("from"), delivery_id, said)
        return Reception()

    def _make_reception(
        self, message: Mapping[str, Any], sender: Any, delivery_id: str, said: Mapping[str, Any]
    ) -> Reception:
        chat = message.get("chat")
        if not isinstance(chat, dict) or not isinstance(sender, dict) or sender.get("is_bot"):
            return Reception()
        if not isinstance(chat.get("id"), int) or not isinstance(sender.get("id"), int):
            return Reception()
        is_private = chat.get("type") == "private"
        if not (is_private or self._config.groups):
            return Reception()
        # Others read a group too, and must not answer for somebody.
        topic = message.get("message_thread_id") if message.get("is_topic_message") else None
        place = [chat.get("id")] if is_private else [chat.get("id"), topic or 0, sender.get("id")]
        conversation_id = ":".join([self.name, *map(str, place)])
        user_id = f"{self.name}:{sender.get('id')}"
        return Reception([Incoming(conversation_id, user_id, delivery_id, **said)])

    def respond(self, answers: Sequence[Answer]) -> HttpAnswer:
        """Nothing: that is all that Telegram wants."""
        return HttpAnswer()

    def acknowledge(self, message: Incoming) -> list[Outgoing]:
        """Take a press, or its button would go on turning."""
        if message.receipt is None:
            return []
        return [self._call("answerCallbackQuery", {"callback_query_id": message.receipt})]

    def render(self, answer: Answer, now: float) -> list[Outgoing]:
        """A `sendMessage` for each message; pictures go before them."""
        _, chat, *rest = answer.conversation_id.split(":")
        place: dict[str, Any] = {"chat_id": int(chat)}
        if rest and rest[0] != "0":
            place["message_thread_id"] = int(rest[0])
        pressable = find_pressable(answer.replies)
        calls = [
            call
            for number, reply in enumerate(answer.replies)
            for call in _render_reply(reply, answer.turn, has_buttons=number == pressable)
        ]
        return [self._call(method, {**place, **body}) for method, body in calls]

    def find_failure(self, answer: ProviderAnswer) -> Failure | None:
        """The status, and how long to wait, which stands in the body."""
        failure = find_http_failure(answer)
        if failure is None or failure.retry_after is not None:
            return failure
        try:
            seconds = json.loads(answer.body)["parameters"]["retry_after"]
        except (ValueError, LookupError, TypeError):
            return failure
        return Failure(failure.reason, failure.permanent, read_seconds(seconds))

    def _call(self, method: str, body: Mapping[str, Any]) -> Outgoing:
        token = self._config.bot_token.get_secret_value()
        return Outgoing(f"{self._config.api_url}/bot{token}/{method}", json.dumps(body).encode())


def _read_text(text: str) -> str:
    """What was typed, without the name of the bot that a command of a group has."""
    command, blank, rest = text.partition(" ")
    if command.startswith("/"):
        command = command.partition("@")[0]
    return f"{command}{blank}{rest}"


def _render_reply(
    reply: Reply, turn: int, *, has_buttons: bool
) -> list[tuple[str, dict[str, Any]]]:
    ui = reply.get("ui") or {}
    options = list_options(ui)
    # Too many buttons: the text has them numbered.
    is_plain = not ui or len(options) > MAX_BUTTONS
    text = reply["text"] if is_plain else "\n".join([str(ui["message"]), *_list_card_texts(ui)])
    bodies: list[dict[str, Any]] = [{"text": part} for part in split_text(text, MAX_TEXT)]
    if options and has_buttons and bodies and not is_plain:
        bodies[-1]["reply_markup"] = {
            "inline_keyboard": [
                [{"text": o["label"], "callback_data": make_button_key(turn, str(o["label"]))}]
                for o in options
            ]
        }
    return [*_render_pictures(ui), *(("sendMessage", body) for body in bodies)]


def _render_pictures(ui: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    pictured = [card for card in (ui, *ui.get("cards", ())) if "image" in card]
    return [
        ("sendPhoto", {"photo": card["image"], **_make_caption(card.get("alt"))})
        for card in pictured
    ]


def _make_caption(alt: Any) -> dict[str, str]:
    return {"caption": split_text(str(alt), MAX_CAPTION)[0]} if alt else {}


def _list_card_texts(ui: Mapping[str, Any]) -> list[str]:
    cards = (ui, *ui.get("cards", ()))
    return [str(card[name]) for card in cards for name in ("title", "text") if name in card]


CHANNEL = TelegramChannel
