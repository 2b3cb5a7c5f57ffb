"""Slack: what it posts, and what it is sent."""

from __future__ import annotations

import json
import time
from typing import Any

from soni.server.channels.base import Answer
from soni.server.channels.slack import SlackChannel, SlackConfig
from tests.channel_desk import SIGNING, Desk, serving


def direct(event_id: str, text: str, **event: Any) -> dict[str, Any]:
    """A direct message, as Slack posts it."""
    return {
        "type": "event_callback",
        "team_id": "T1",
        "event_id": event_id,
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        "event": {
            "type": "message",
            "channel_type": "im",
            "channel": "D1",
            "user": "U1",
            "text": text,
            "ts": "1700000000.000100",
            **event,
        },
    }


def mention(event_id: str, text: str, **event: Any) -> dict[str, Any]:
    about = {"type": "app_mention", "channel_type": "channel", "channel": "C1", **event}
    return direct(event_id, text, **about)


def press(value: str, *, ts: str = "9.1", channel: str = "D1", **more: Any) -> dict[str, Any]:
    """A button that was pressed, as Slack posts it."""
    return {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U1", "team_id": "T1"},
        "channel": {"id": channel, "name": "directmessage"},
        "container": {"type": "message", "message_ts": "8.1", "channel_id": channel, **more},
        "actions": [{"type": "button", "action_id": "soni:0", "value": value, "action_ts": ts}],
    }


def buttons(desk: Desk) -> dict[str, str]:
    """The buttons of the last message by their labels."""
    blocks = desk.provider.sent[-1].json["blocks"]
    found = [each for block in blocks if block["type"] == "actions" for each in block["elements"]]
    return {each["text"]["text"]: each["value"] for each in found}


async def test_slack_asks_whether_the_address_is_right() -> None:
    async with serving() as desk:
        answer = await desk.slack({"type": "url_verification", "challenge": "3eZbrw1aB"})
        assert (answer.status_code, answer.text) == (200, "3eZbrw1aB")


async def test_a_message_is_taken_at_once_and_answered_later_with_buttons() -> None:
    async with serving() as desk:
        answer = await desk.slack(direct("Ev1", "order"))
        assert (answer.status_code, answer.text) == (200, "")
        assert desk.provider.sent == []
        await desk.work()
        (sent,) = desk.provider.sent
        assert sent.path == "/api/chat.postMessage"
        assert sent.headers["authorization"] == "Bearer xoxb-1"
        assert (sent.json["channel"], sent.json["text"]) == ("D1", "Which size?")
        assert "thread_ts" not in sent.json
        section, actions = sent.json["blocks"]
        assert section["text"] == {"type": "plain_text", "text": "Which size?", "emoji": False}
        assert [each["text"]["text"] for each in actions["elements"]] == ["small", "large"]


async def test_buttons_are_pressed_to_the_end() -> None:
    async with serving() as desk:
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        assert (await desk.slack(press(buttons(desk)["large"]), form=True)).status_code == 200
        await desk.work()
        await desk.slack(direct("Ev2", "2"))
        await desk.work()
        assert desk.texts[-1] == "2 of large?"
        await desk.slack(press(buttons(desk)["Yes"], ts="9.3"), form=True)
        await desk.work()
        assert desk.texts[-2:] == ["Ordered.", "Goodbye."]


async def test_a_yes_of_an_earlier_question_is_no_yes_to_a_newer_one() -> None:
    async with serving() as desk:
        for number, text in enumerate(("order", "large", "2")):
            await desk.slack(direct(f"Ev{number}", text))
            await desk.work()
        old = buttons(desk)["Yes"]
        await desk.slack(direct("Ev9", "change the count to 3"))
        await desk.work()
        assert desk.texts[-1] == "3 of large?"
        await desk.slack(press(old), form=True)
        await desk.work()
        assert desk.texts[-1] == "That button belongs to an earlier question."
        await desk.slack(press(buttons_of(desk, -2)["Yes"], ts="9.2"), form=True)
        await desk.work()
        assert desk.texts[-1] == "Goodbye."


def buttons_of(desk: Desk, number: int) -> dict[str, str]:
    blocks = desk.provider.sent[number].json["blocks"]
    return {each["text"]["text"]: each["value"] for each in blocks[-1]["elements"]}


async def test_what_slack_delivers_again_is_neither_handled_nor_answered_again() -> None:
    async with serving() as desk:
        await desk.slack(direct("Ev1", "order"))
        again = {"x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout"}
        await desk.slack(direct("Ev1", "order"), **again)  # while the first waits
        await desk.work()
        await desk.slack(direct("Ev1", "order"), **again)  # when it was answered
        await desk.work()
        assert desk.texts == ["Which size?"]
        assert (await desk.runtime.get_state("slack:T1:D1"))["turn_count"] == 1


async def test_a_press_that_is_delivered_again_is_not_pressed_again() -> None:
    async with serving() as desk:
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        pressed = press(buttons(desk)["small"])
        for _ in range(2):
            await desk.slack(pressed, form=True)
            await desk.work()
        assert desk.texts == ["Which size?", "How many?"]


async def test_a_mention_is_answered_in_its_thread_for_its_user_alone() -> None:
    async with serving() as desk:
        await desk.slack(mention("Ev1", "<@UBOT> order"))
        await desk.work()
        sent = desk.provider.sent[-1].json
        assert (sent["channel"], sent["thread_ts"]) == ("C1", "1700000000.000100")
        thread = {"thread_ts": "1700000000.000100"}
        small = buttons(desk)["small"]
        stranger = press(small, channel="C1", **thread)
        stranger["user"] = {"id": "U2", "team_id": "T1"}
        await desk.slack(stranger, form=True)
        await desk.work()
        assert desk.texts[-1] == "That button belongs to an earlier question."
        await desk.slack(mention("Ev2", "<@UBOT> large", ts="1700000009.1", **thread))
        await desk.work()
        assert desk.texts[-1] == "How many?"


async def test_bots_edits_and_the_assistants_own_messages_are_left_alone() -> None:
    async with serving() as desk:
        for number, about in enumerate(
            (
                {"bot_id": "B1"},
                {"subtype": "bot_message"},
                {"subtype": "message_changed", "hidden": True},
                {"user": "UBOT"},
                {"channel_type": "channel", "channel": "C1"},
                {"type": "reaction_added"},
                {"text": " "},
            )
        ):
            payload = direct(f"Ev{number}", "order")
            payload["event"].update(about)
            answer = await desk.slack(payload)
            assert answer.status_code == 200
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []


async def test_other_workspaces_are_left_alone() -> None:
    async with serving(slack={"teams": ["T2"]}) as desk:
        await desk.slack(direct("Ev1", "order"))
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []


async def test_a_wrong_signature_and_an_old_one_are_refused() -> None:
    async with serving() as desk:
        event = direct("Ev1", "order")
        wrong = await desk.slack(event, **{"x-slack-signature": "v0=00"})
        odd = await desk.slack(event, **{"x-slack-request-timestamp": "yesterday"})
        old = await desk.slack(event, **{"x-slack-request-timestamp": str(int(time.time()) - 400)})
        for answer, code in ((wrong, "bad_signature"), (odd, "bad_signature")):
            assert (answer.status_code, answer.json()["code"]) == (401, code)
        assert (old.status_code, old.json()["code"]) == (401, "request_too_old")
        assert SIGNING not in wrong.text + odd.text + old.text


async def test_a_body_that_cannot_be_read_is_refused() -> None:
    async with serving() as desk:
        for payload in (["a"], {"type": "block_actions", "actions": []}):
            answer = await desk.slack(payload, form=True)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_payload")


async def test_links_and_signs_are_read_as_they_were_typed() -> None:
    async with serving() as desk:
        typed = "a &lt;b&gt; &amp;amp; <mailto:ann@x.example|ann@x.example> <https://x.example>"
        await desk.slack(direct("Ev1", typed))
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        assert job.payload["message"]["text"] == "a <b> &amp; ann@x.example https://x.example"


def render(*replies: Any) -> list[dict[str, Any]]:
    config = SlackConfig.model_validate({"signing_secret": "s", "bot_token": "t"})
    answer = Answer("slack:T1:D1", "m", 3, replies)
    return [json.loads(each.body) for each in SlackChannel("slack", config).render(answer, 0)]


def test_a_text_can_mention_nobody() -> None:
    (sent,) = render({"text": "<!channel> *you* & <@U1>"})
    assert sent["text"] == "&lt;!channel&gt; *you* &amp; &lt;@U1&gt;"
    assert sent["mrkdwn"] is False


def test_long_texts_are_split_and_long_labels_cut() -> None:
    assert [len(each["text"]) for each in render({"text": "word " * 1000})] == [2999, 1999]
    options = [{"label": "x" * 90, "value": 1}]
    ui = {"type": "buttons", "options": options, "message": "Which?"}
    (sent,) = render({"text": "Which?\n1. x", "ui": ui})
    (button,) = sent["blocks"][1]["elements"]
    assert len(button["text"]["text"]) == 75


def test_many_options_stand_in_rows_and_too_many_in_the_text() -> None:
    def offer(count: int) -> dict[str, Any]:
        options = [{"label": str(n), "value": n} for n in range(count)]
        ui = {"type": "buttons", "options": options, "message": "Which?"}
        return {"text": "Which?\n1. 0", "ui": ui}

    (sent,) = render(offer(12))
    assert [len(block["elements"]) for block in sent["blocks"][1:]] == [5, 5, 2]
    (sent,) = render(offer(26))
    assert (sent["text"], "blocks" in sent) == ("Which?\n1. 0", False)


def test_pictures_and_cards_become_blocks() -> None:
    card = {"title": "Rome", "image": "https://x.example/r.png", "alt": "A square", "options": []}
    ui = {"type": "carousel", "options": [], "cards": [card], "message": "Trips"}
    (sent,) = render({"text": "Trips\nRome", "ui": ui})
    assert [block["type"] for block in sent["blocks"]] == ["section", "image", "section"]
    assert sent["blocks"][1]["alt_text"] == "A square"


async def test_a_busy_slack_is_asked_again_when_it_says() -> None:
    async with serving() as desk:
        desk.provider.will_answer(429, retry_after="1800")
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        (entry,) = await desk.runtime.store.journal.entries("slack:T1:D1")
        assert (job.state, job.error) == ("waiting", "slack: the provider answered 429")
        assert job.due_at - entry.at > 1700


async def test_a_channel_that_is_gone_is_not_tried_again() -> None:
    async with serving() as desk:
        desk.provider.will_answer(200, {"ok": False, "error": "channel_not_found"})
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        assert (job.state, job.error) == ("dead", "slack: Slack answered channel_not_found")
