"""The generic webhook: signed both ways."""

from __future__ import annotations

from typing import Any

import pytest

from soni.server.channels.base import ChannelRequest
from soni.server.channels.signatures import check_webhook
from tests.channel_desk import SHOP, WHSEC, serving

NEWER = "whsec_bmV3ZXIgYW5kIGxvbmcgZW5vdWdoIHNlY3JldA=="
ORDER = {"conversation": "ann", "text": "order"}


async def test_the_answer_is_in_the_response() -> None:
    async with serving() as desk:
        answer = await desk.webhook("msg_1", ORDER)
        assert answer.status_code == 200
        told = answer.json()
        assert (told["conversation"], told["turn"], told["repeated"]) == ("ann", 1, False)
        assert told["replies"][0]["ui"]["message"] == "Which size?"
        options = {"kind": "collect", "slot": "size", "options": ["small", "large"]}
        assert told["waiting"] == options
        assert desk.provider.sent == []


async def test_a_button_is_pressed_by_its_label() -> None:
    async with serving() as desk:
        await desk.webhook("msg_1", ORDER)
        pressed = await desk.webhook("msg_2", {"conversation": "ann", "press": "Large"})
        assert pressed.json()["replies"] == [{"text": "How many?"}]
        again = await desk.webhook("msg_2", {"conversation": "ann", "press": "Large"})
        assert again.json()["repeated"] is True
        assert again.json()["replies"] == [{"text": "How many?"}]
        late = await desk.webhook("msg_3", {"conversation": "ann", "press": "Large"})
        assert late.json()["replies"] == [{"text": "That button belongs to an earlier question."}]


async def test_a_yes_can_be_pressed_where_the_question_shows_no_buttons() -> None:
    async with serving(SHOP.replace(", ui: {type: buttons}}", "}")) as desk:
        for number, text in enumerate(("order", "small", "2")):
            asked = await desk.webhook(f"msg_{number}", {"conversation": "ann", "text": text})
        assert asked.json()["waiting"] == {"kind": "confirm", "options": ["Yes", "No"]}
        pressed = await desk.webhook("msg_yes", {"conversation": "ann", "press": "Yes"})
        assert pressed.json()["replies"] == [{"text": "Ordered."}, {"text": "Goodbye."}]
        late = await desk.webhook("msg_late", {"conversation": "ann", "press": "Yes"})
        assert late.json()["replies"] == [{"text": "That button belongs to an earlier question."}]


async def test_a_message_that_comes_again_gets_the_same_answer() -> None:
    async with serving() as desk:
        first = (await desk.webhook("msg_1", ORDER)).json()
        again = (await desk.webhook("msg_1", ORDER)).json()
        assert {**first, "repeated": True} == again


async def test_an_answer_is_posted_and_signed() -> None:
    async with serving(webhook={"answer_within": 0, "secrets": [WHSEC, NEWER]}) as desk:
        answer = await desk.webhook("msg_1", ORDER)
        assert (answer.status_code, answer.json()) == (202, {"accepted": True})
        await desk.work()
        (sent,) = desk.provider.sent
        assert sent.path == "/replies"
        assert sent.json["type"] == "conversation.replied"
        assert sent.json["data"]["replies"][0]["text"].startswith("Which size?")
        at = int(sent.headers["webhook-timestamp"])
        for secret in (WHSEC, NEWER):  # whichever of the two the receiver has
            check_webhook(ChannelRequest(sent.headers, sent.body, "", at), [secret])


async def test_what_is_posted_again_has_the_same_id() -> None:
    async with serving(webhook={"answer_within": 0}) as desk:
        desk.provider.will_answer(500)
        await desk.webhook("msg_1", ORDER)
        await desk.work()
        first, second = desk.provider.sent
        assert first.headers["webhook-id"] == second.headers["webhook-id"]


async def test_the_language_and_the_context_are_the_senders() -> None:
    async with serving() as desk:
        await desk.webhook(
            "msg_1", {**ORDER, "user": "u1", "language": "es", "context": {"vip": 1}}
        )
        (entry,) = await desk.runtime.store.journal.entries("webhook:ann")
        about = entry.data
        assert (about["user_id"], about["language"], about["context"]) == (
            "webhook:u1",
            "es",
            {"vip": 1},
        )


async def test_names_of_conversations_cannot_run_into_each_other() -> None:
    async with serving() as desk:
        await desk.webhook("msg_1", {"conversation": "a:b/ñ", "text": "order"})
        (one,) = await desk.runtime.store.directory.list_conversations()
        assert one.conversation_id == "webhook:a%3Ab%2F%C3%B1"


async def test_signatures_that_do_not_hold_are_refused() -> None:
    async with serving() as desk:
        wrong = await desk.webhook("msg_1", ORDER, secret=NEWER)
        old = await desk.webhook("msg_1", ORDER, age=301)
        ahead = await desk.webhook("msg_1", ORDER, age=-301)
        nothing = await desk.post("webhook", b"{}", {})
        codes = [each.json()["code"] for each in (wrong, old, ahead, nothing)]
        assert codes == ["bad_signature", "request_too_old", "request_too_old", "bad_signature"]
        assert {each.status_code for each in (wrong, old, ahead, nothing)} == {401}


@pytest.mark.parametrize(
    "payload",
    [
        [],
        {},
        {"conversation": "ann"},
        {"conversation": "ann", "text": "a", "press": "b"},
        {"conversation": "", "text": "a"},
        {"conversation": "ann", "text": 5},
        {"conversation": "ann", "text": "a", "tex": "typo"},
        {"conversation": "🙂" * 128, "text": "a"},
    ],
)
async def test_messages_that_cannot_be_read_are_refused(payload: Any) -> None:
    async with serving() as desk:
        answer = await desk.webhook("msg_1", payload)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_payload")


async def test_without_an_address_for_replies_nothing_is_kept_for_later() -> None:
    async with serving(webhook={"reply_url": None}) as desk:
        assert (await desk.webhook("msg_1", ORDER)).status_code == 200
        await desk.runtime.push("webhook:ann", "A reminder.")
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_reply") == []
