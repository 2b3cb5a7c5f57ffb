"""slack: direct messages and mentions of a Slack app, with buttons as blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote

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
    RequestRefused,
    clip_text,
    find_pressable,
    make_button_key,
    split_text,
)
from soni.server.channels.configuration import ChannelConfig, Secret, Url
from soni.server.channels.json_body import find_text, parse_object, read_object
from soni.server.channels.sender import find_http_failure
from soni.server.channels.signatures import check_secret, check_time, sign_slack
from soni.steps.ui import list_options

MAX_TEXT: Final = 3000
MAX_LABEL: Final = 75
MAX_ALT: Final = 2000
MAX_BUTTONS: Final = 25
ROW: Final = 5
"""More buttons in a row become hard to read."""

MAX_BLOCKS: Final = 50

_MARKUP: Final = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")
_TEMPORARY: Final = frozenset(
    (
        *("ratelimited", "rate_limited", "request_timeout", "service_unavailable"),
        *("internal_error", "fatal_error"),
    )
)


class SlackConfig(ChannelConfig):
    """Both secrets are on the pages of the Slack app."""

    signing_secret: Secret
    bot_token: Secret
    teams: frozenset[str] = frozenset()
    """The workspaces that may use it; none: all that have installed the app."""

    api_url: Url = "https://slack.com/api"


class SlackChannel:
    """A Slack app. In a channel each user of a thread has a conversation of their own."""

    CONFIG = SlackConfig
    can_send = True
    answer_within = 0.0  # Slack waits for three seconds

    def __init__(self, name: str, config: SlackConfig) -> None:
        self.name = name
        self._config = config

    def verify(self, request: ChannelRequest) -> None:
        """Check the signature of version 0, and its time."""
        header = "X-Slack-Request-Timestamp"
        timestamp = check_time(request.headers.get(header.lower()), request.now, header)
        secret = self._config.signing_secret.get_secret_value()
        expected = sign_slack(secret, timestamp, request.body)
        check_secret(request.headers.get("x-slack-signature"), expected, "X-Slack-Signature")

    def parse(self, request: ChannelRequest) -> Reception:
        """An event, a pressed button, or Slack's question whether this is the right address."""
        if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            form = parse_qs(request.body.decode("utf-8", "replace"))
            payload = parse_object(form.get("payload", [""])[0])
            return Reception(self._read_actions(payload))
        payload = read_object(request)
        if payload.get("type") == "url_verification":
            return Reception(answer=HttpAnswer(str(payload.get("challenge", ""))))
        return Reception(self._read_event(payload))

    def _read_event(self, payload: Mapping[str, Any]) -> list[Incoming]:
        event = payload.get("event")
        if payload.get("type") != "event_callback" or not isinstance(event, dict):
            return []
        kind = find_text(event, "type")
        is_direct = kind == "message" and event.get("channel_type") == "im"
        if not (is_direct or kind == "app_mention") or _is_from_bot(event, payload):
            return []
        text = _read_text(find_text(event, "text"), drop_mentions=not is_direct)
        delivery_id, team = find_text(payload, "event_id"), find_text(payload, "team_id")
        channel, user = find_text(event, "channel"), find_text(event, "user")
        if not all((text, delivery_id, team, channel, user)):
            return []
        thread = find_text(event, "thread_ts") or ("" if is_direct else find_text(event, "ts"))
        return self._make_message(team, channel, user, thread, delivery_id, text=text)

    def _read_actions(self, payload: Mapping[str, Any]) -> list[Incoming]:
        if payload.get("type") != "block_actions":
            return []
        # An app of a whole organisation has no team, but its users have.
        team = find_text(payload, "team", "id") or find_text(payload, "user", "team_id")
        channel, user = find_text(payload, "channel", "id"), find_text(payload, "user", "id")
        shown = find_text(payload, "container", "message_ts")
        button = find_text(payload, "actions", 0, "value")
        pressed_at = find_text(payload, "actions", 0, "action_ts")
        if not all((team, channel, user, shown, button, pressed_at)):
            raise RequestRefused(
                "bad_payload",
                "the payload of the press lacks something",
                "Send block_actions as Slack documents them",
            )
        # A press has no id of its own; no user presses the same message twice at one time.
        delivery_id = f"press:{channel}:{shown}:{user}:{pressed_at}"
        thread = find_text(payload, "container", "thread_ts")
        thread = thread or find_text(payload, "message", "thread_ts")
        return self._make_message(team, channel, user, thread, delivery_id, button=button)

    def _make_message(
        self, team: str, channel: str, user: str, thread: str, delivery_id: str, **said: Any
    ) -> list[Incoming]:
        if self._config.teams and team not in self._config.teams:
            return []
        # Others read a channel's thread too, and must not answer for somebody.
        own = [] if channel.startswith("D") else [user]
        parts = [team, channel, thread, *own]
        conversation_id = ":".join([self.name, *(quote(part, safe=".") for part in parts)])
        user_id = f"{self.name}:{team}:{user}"
        return [Incoming(conversation_id.rstrip(":"), user_id, delivery_id, **said)]

    def respond(self, answers: Sequence[Answer]) -> HttpAnswer:
        """Nothing: that is all that Slack wants."""
        return HttpAnswer()

    def acknowledge(self, message: Incoming) -> Sequence[Outgoing]:
        """Nothing: the answer to the request was enough."""
        return ()

    def render(self, answer: Answer, now: float) -> list[Outgoing]:
        """A `chat.postMessage` for each message."""
        parts = answer.conversation_id.split(":")
        channel, thread = unquote(parts[2]), unquote("".join(parts[3:4]))
        place = {"channel": channel, **({"thread_ts": thread} if thread else {})}
        pressable = find_pressable(answer.replies)
        bodies = [
            body
            for number, reply in enumerate(answer.replies)
            for body in _render_reply(reply, answer.turn, has_buttons=number == pressable)
        ]
        token = self._config.bot_token.get_secret_value()
        return [
            Outgoing(
                f"{self._config.api_url}/chat.postMessage",
                json.dumps({**place, "unfurl_links": False, **body}).encode(),
                "application/json; charset=utf-8",
                {"authorization": f"Bearer {token}"},
            )
            for body in bodies
        ]

    def find_failure(self, answer: ProviderAnswer) -> Failure | None:
        """Slack says most of what is wrong in the body of a 200."""
        failure = find_http_failure(answer)
        if failure is not None:
            return failure
        try:
            said = json.loads(answer.body)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            return Failure("Slack answered something else than JSON")
        if said.get("ok"):
            return None
        error = str(said.get("error"))
        known = error if re.fullmatch(r"[a-z_]{1,60}", error) else "an error"
        return Failure(f"Slack answered {known}", permanent=error not in _TEMPORARY)


def _is_from_bot(event: Mapping[str, Any], payload: Mapping[str, Any]) -> bool:
    """Whether a program wrote it, the assistant for one; or nobody: it was edited or deleted."""
    allowed = payload.get("authorizations")
    listed = allowed if isinstance(allowed, list) else []
    # A person may have authorized the app too, and is not the assistant.
    bots = [each for each in listed if isinstance(each, dict) and each.get("is_bot")]
    return bool(
        event.get("bot_id")
        or event.get("bot_profile")
        or event.get("subtype") not in (None, "thread_broadcast")
        or event.get("edited")
        or any(each.get("user_id") == event.get("user") for each in bots)
    )


def _read_text(text: str, *, drop_mentions: bool) -> str:
    """What the user typed: Slack writes links and names in its own markup."""

    def read_markup(found: re.Match[str]) -> str:
        target, label = found[1], found[2]
        if target.startswith("@") and drop_mentions:
            return ""
        return label or target.removeprefix("mailto:").removeprefix("tel:")

    plain = _MARKUP.sub(read_markup, text)
    for written, sign in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        plain = plain.replace(written, sign)
    return plain.strip()


def _escape(text: str) -> str:
    """A text in which Slack finds no mention and no link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _render_reply(reply: Reply, turn: int, *, has_buttons: bool) -> list[dict[str, Any]]:
    ui = reply.get("ui")
    if not ui or len(list_options(ui)) > MAX_BUTTONS:
        pieces = split_text(reply["text"], MAX_TEXT)
        return [{"text": _escape(piece), "mrkdwn": False} for piece in pieces]
    text = str(ui.get("message") or reply["text"])
    blocks = [*_make_sections(text), *_make_card(ui, turn, has_buttons=has_buttons)]
    for card in ui.get("cards", ()):
        blocks += _make_card(card, turn, has_buttons=has_buttons)
    # The text is what a notification shows.
    said = {"text": _escape(clip_text(text, MAX_TEXT)), "mrkdwn": False}
    return [
        {**said, "blocks": blocks[start : start + MAX_BLOCKS]}
        for start in range(0, len(blocks), MAX_BLOCKS)
    ]


def _make_sections(text: str) -> list[dict[str, Any]]:
    # Plain: what users have said stands in it, and would be read as markup.
    return [
        {"type": "section", "text": {"type": "plain_text", "text": piece, "emoji": False}}
        for piece in split_text(text, MAX_TEXT)
    ]


def _make_card(card: Mapping[str, Any], turn: int, *, has_buttons: bool) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if "image" in card:
        alt = clip_text(str(card.get("alt") or card.get("title") or "-"), MAX_ALT)
        blocks.append({"type": "image", "image_url": card["image"], "alt_text": alt})
    for name in ("title", "text"):
        blocks += _make_sections(str(card.get(name, "")))
    options = card["options"] if has_buttons else []
    buttons = [
        {
            "type": "button",
            "action_id": f"soni:{number}",
            "value": make_button_key(turn, str(option["label"])),
            "text": {
                "type": "plain_text",
                "text": clip_text(str(option["label"]) or "-", MAX_LABEL),
                "emoji": False,
            },
        }
        for number, option in enumerate(options)
    ]
    rows = range(0, len(buttons), ROW)
    return [*blocks, *({"type": "actions", "elements": buttons[n : n + ROW]} for n in rows)]


CHANNEL = SlackChannel
