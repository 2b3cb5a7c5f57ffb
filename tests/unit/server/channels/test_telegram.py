"""Telegram: what it posts, and what it is sent."""

from __future__ import annotations

import json
from typing import Any

from soni.server.channels.base import Answer
from soni.server.channels.telegram import MAX_KEY_BYTES, TelegramChannel, TelegramConfig
from tests.channel_desk import Desk, serving

PRIVATE = {"id": 77, "type": "private"}
GROUP = {"id": -100500, "type": "supergroup"}
ANN = {"id": 77, "is_bot": False, "language_code": "en"}


def message(update_id: int, text: str, **about: Any) -> dict[str, Any]:
    """An update with a message, as Telegram posts it."""
    said = {"message_id": 5, "date": 1, "chat": PRIVATE, "from": ANN, "text": text, **about}
    return {"update_id": update_id, "message": said}


def press(update_id: int, data: str, **about: Any) -> dict[str, Any]:
    """An update with a pressed button, as Telegram posts it."""
    shown = {"message_id": 6, "chat": PRIVATE, "from": {"id": 1, "is_bot": True}, **about}
    pressed = {"id": "q1", "from": ANN, "message": shown, "data": data}
    return {"update_id": update_id, "callback_query": pressed}


def buttons(desk: Desk) -> dict[str, str]:
    rows = desk.provider.sent[-1].json["reply_markup"]["inline_keyboard"]
    return {button["text"]: button["callback_data"] for row in rows for button in row}


async def test_a_message_is_answered_with_an_inline_keyboard() -> None:
    async with serving() as desk:
        answer = await desk.telegram(message(1, "order"))
        assert (answer.status_code, answer.text) == (200, "")
        await desk.work()
        (sent,) = desk.provider.sent
        assert sent.path == "/bot12:ab/sendMessage"
        assert (sent.json["chat_id"], sent.json["text"]) == (77, "Which size?")
        assert list(buttons(desk)) == ["small", "large"]
        assert all(len(data.encode()) <= MAX_KEY_BYTES for data in buttons(desk).values())


async def test_a_pressed_button_is_taken_and_answered() -> None:
    async with serving() as desk:
        await desk.telegram(message(1, "order"))
        await desk.work()
        await desk.telegram(press(2, buttons(desk)["large"]))
        await desk.work()
        taken, asked = desk.provider.sent[1:]
        assert (taken.path, taken.json) == (
            "/bot12:ab/answerCallbackQuery",
            {"callback_query_id": "q1"},
        )
        assert asked.json["text"] == "How many?"


async def test_the_button_that_begins_a_chat_says_what_can_be_done() -> None:
    async with serving() as desk:
        await desk.telegram(message(1, "/start"))
        await desk.work()
        await desk.telegram(message(2, "/help@shop_bot"))
        await desk.work()
        assert desk.texts == ["I can help with: order (Order something)."] * 2


async def test_an_update_that_comes_again_is_neither_handled_nor_answered_again() -> None:
    async with serving() as desk:
        for _ in range(2):
            await desk.telegram(message(1, "order"))
            await desk.work()
        assert desk.texts == ["Which size?"]


async def test_a_wrong_secret_and_none_are_refused() -> None:
    async with serving() as desk:
        for secret in ("other", ""):
            answer = await desk.telegram(message(1, "order"), secret)
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
            assert "s3cret" not in answer.text
        bare = await desk.post("telegram", b"{}", {})
        assert bare.status_code == 401


async def test_only_texts_in_private_chats_are_read() -> None:
    edited = {"update_id": 2, "edited_message": message(2, "order")["message"]}
    picture = message(3, "order")
    del picture["message"]["text"]
    async with serving() as desk:
        for update in (
            message(1, "order", chat=GROUP),
            edited,
            picture,
            message(4, "order", **{"from": {**ANN, "is_bot": True}}),
            {"update_id": 5},
        ):
            assert (await desk.telegram(update)).status_code == 200
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []


async def test_in_a_group_each_member_has_a_conversation() -> None:
    bob = {"id": 78, "is_bot": False}
    topic = {"chat": GROUP, "message_thread_id": 9, "is_topic_message": True}
    async with serving(telegram={"groups": True}) as desk:
        await desk.telegram(message(1, "order", **topic))
        await desk.work()
        await desk.telegram(message(2, "order", **topic, **{"from": bob}))
        await desk.work()
        assert desk.texts == ["Which size?", "Which size?"]
        sent = desk.provider.sent[-1].json
        assert (sent["chat_id"], sent["message_thread_id"]) == (-100500, 9)


async def test_a_busy_telegram_says_when_to_try_again() -> None:
    async with serving() as desk:
        desk.provider.will_answer(429, {"ok": False, "parameters": {"retry_after": 3000}})
        await desk.telegram(message(1, "order"))
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        (entry,) = await desk.runtime.store.journal.entries("telegram:77")
        assert job.due_at - entry.at > 2900


def render(*replies: Any) -> list[tuple[str, dict[str, Any]]]:
    config = TelegramConfig.model_validate({"bot_token": "12:ab", "secret_token": "s"})
    sent = TelegramChannel("telegram", config).render(Answer("telegram:77", "m", 3, replies), 0)
    return [(each.url.rpartition("/")[2], json.loads(each.body)) for each in sent]


def test_long_texts_are_split_by_the_units_that_telegram_counts() -> None:
    parts = [body["text"] for _, body in render({"text": "🙂" * 3000})]
    assert [len(part) for part in parts] == [2048, 952]


def test_no_text_is_read_as_markup() -> None:
    ((_, body),) = render({"text": "*a* _b_ <b>c</b>"})
    assert body == {"chat_id": 77, "text": "*a* _b_ <b>c</b>"}


def test_pictures_are_sent_before_the_text() -> None:
    card = {"title": "Rome", "image": "https://x.example/r.png", "alt": "A square", "options": []}
    ui = {"type": "carousel", "options": [], "cards": [card], "message": "Trips"}
    photo, text = render({"text": "Trips\nRome", "ui": ui})
    assert photo == (
        "sendPhoto",
        {"chat_id": 77, "photo": "https://x.example/r.png", "caption": "A square"},
    )
    assert text == ("sendMessage", {"chat_id": 77, "text": "Trips\nRome"})
