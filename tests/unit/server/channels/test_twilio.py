"""Twilio: SMS and WhatsApp, answered in time as TwiML and otherwise through its API."""

from __future__ import annotations

import asyncio
import base64
from urllib.parse import urlencode

import pytest

from soni.core.errors import NotAllowedError
from soni.server.channels.base import Answer
from soni.server.channels.twilio import TwilioChannel, TwilioConfig
from tests.channel_desk import serving

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
EMPTY = f"{HEAD}<Response></Response>"


def twiml(*texts: str) -> str:
    return f"{HEAD}<Response>{''.join(f'<Message>{t}</Message>' for t in texts)}</Response>"


async def test_a_message_is_answered_as_twiml_with_numbers() -> None:
    async with serving() as desk:
        answer = await desk.twilio("SM1", "order")
        assert answer.headers["content-type"].startswith("application/xml")
        assert answer.text == twiml("Which size?\n1. small\n2. large")
        assert (await desk.twilio("SM2", "2")).text == twiml("How many?")
        assert (await desk.twilio("SM3", "3")).text == twiml("3 of large?\n1. Yes\n2. No")
        assert (await desk.twilio("SM4", "1")).text == twiml("Ordered.\nGoodbye.")
        # Nothing is left that would say it a second time.
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []


async def test_a_message_that_comes_again_gets_the_same_answer() -> None:
    async with serving() as desk:
        first = await desk.twilio("SM1", "order")
        again = await desk.twilio("SM1", "order")
        assert first.text == again.text
        (one,) = await desk.runtime.store.directory.list_conversations()
        assert (await desk.runtime.get_state(one.conversation_id))["turn_count"] == 1


async def test_an_answer_that_is_late_is_sent_through_the_api() -> None:
    async with serving(twilio={"answer_within": 0.01}) as desk:
        await desk.runtime.turn("order", "twilio:+4917012345", conversation_id())
        async with desk.runtime.store.conversation(conversation_id()):
            answer = await desk.twilio("SM2", "large")
            assert answer.text == EMPTY
        async with asyncio.timeout(20):
            while not desk.provider.sent:
                await desk.work()
                await asyncio.sleep(0.05)
        (sent,) = desk.provider.sent
        assert sent.path == "/2010-04-01/Accounts/AC1/Messages.json"
        assert sent.headers["authorization"] == f"Basic {base64.b64encode(b'AC1:tok-en').decode()}"
        assert sent.form == {"To": "+4917012345", "From": "+15550001", "Body": "How many?"}
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []


def conversation_id(**changed: str) -> str:
    given = {"account_sid": "AC1", "auth_token": "tok-en", **changed}
    channel = TwilioChannel("twilio", TwilioConfig.model_validate(given))
    return f"twilio:{channel._seal('+4917012345 +15550001')}"


async def test_whatsapp_and_sms_are_two_conversations_of_one_user() -> None:
    async with serving() as desk:
        await desk.twilio("SM1", "order")
        number = {"From": "whatsapp:+4917012345", "To": "whatsapp:+15550001"}
        await desk.twilio("SM2", "order", **number)
        found = await desk.runtime.store.directory.list_conversations(user_id="twilio:+4917012345")
        assert len(found) == 2
        await desk.runtime.push(found[0].conversation_id, "A reminder.")
        await desk.runtime.push(found[1].conversation_id, "A reminder.")
        await desk.work()
        assert sorted(sent.form["To"] for sent in desk.provider.sent) == [
            "+4917012345",
            "whatsapp:+4917012345",
        ]


async def test_no_id_shows_a_number() -> None:
    async with serving() as desk:
        await desk.twilio("SM1", "order")
        (one,) = await desk.runtime.store.directory.list_conversations()
        assert "17012345" not in one.conversation_id
        assert one.conversation_id == conversation_id()


def test_another_secret_cannot_find_the_number() -> None:
    given = {"account_sid": "AC1", "auth_token": "new", "address_secret": "other"}
    channel = TwilioChannel("twilio", TwilioConfig.model_validate(given))
    with pytest.raises(NotAllowedError, match=r"channels\.twilio\.address_secret"):
        channel.render(Answer(conversation_id(), None, 1, [{"text": "Hello"}]), 0)
    kept = TwilioConfig.model_validate({**given, "address_secret": "tok-en"})
    (sent,) = TwilioChannel("twilio", kept).render(
        Answer(conversation_id(), None, 1, [{"text": "Hello"}]), 0
    )
    assert b"4917012345" in sent.body


async def test_news_of_sent_messages_and_stop_words_are_left_alone() -> None:
    async with serving() as desk:
        assert (await desk.twilio("SM1", "", MessageStatus="delivered")).text == EMPTY
        assert (await desk.twilio("SM2", "STOP", OptOutType="STOP")).text == EMPTY
        assert (await desk.twilio("SM3", "order", AccountSid="AC2")).text == EMPTY
        assert await desk.runtime.store.directory.list_conversations() == []


async def test_a_wrong_signature_is_refused() -> None:
    async with serving() as desk:
        body = urlencode({"Body": "order", "From": "+1", "To": "+2", "MessageSid": "SM1"}).encode()
        for headers in ({}, {"x-twilio-signature": "bm8="}, {"x-twilio-signature": "ñ"}):
            sent = {name: value.encode() for name, value in headers.items()}
            answer = await desk.client.post("/channels/twilio", content=body, headers=sent)
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
        answer = await desk.post("twilio", b"\xff=1", {})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_payload")


def test_texts_are_escaped_and_split() -> None:
    channel = TwilioChannel(
        "twilio", TwilioConfig.model_validate({"account_sid": "AC1", "auth_token": "t"})
    )
    said = Answer("twilio:x", "m", 1, [{"text": "a < b & c\x00"}])
    assert channel.respond([said]).body == twiml("a &lt; b &amp; c")
    long = Answer(conversation_id(auth_token="t"), "m", 1, [{"text": "word " * 400}])
    assert [len(each.body) < 2500 for each in channel.render(long, 0)] == [True, True]
