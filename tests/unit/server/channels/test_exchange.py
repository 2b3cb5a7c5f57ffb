"""What happens between a provider and the assistant: crashes, failures, pushes, hostile bodies."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soni.core.errors import NotAllowedError
from soni.core.jobs import JobError, Retry
from soni.core.storage import Store
from soni.persistence import open_store
from tests.channel_desk import SHOP, serving
from tests.unit.server.channels.test_slack import buttons, direct, press

NAMES = """
settings: {outgoing: {allow: [127.0.0.1]}}
slots:
  name: {type: string, prompt: Your name?}
flows:
  enter:
    trigger: {examples: [enter]}
    steps: [{collect: name}, {say: "One."}, {say: "Two."}, {say: "Three, {name}."}]
"""


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "postgres":
        return open_store("postgres", request.getfixturevalue("postgres_url"))
    return open_store(request.param, str(tmp_path / "talk.db"))


async def test_every_store_keeps_what_was_taken_and_answers_it_once(store: Store) -> None:
    async with serving(store=store) as desk:
        for _ in range(2):
            await desk.slack(direct("Ev1", "order"))
        await desk.work()
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        assert desk.texts == ["Which size?"]
        await desk.slack(press(buttons(desk)["large"]), form=True)
        await desk.work()
        assert desk.texts == ["Which size?", "How many?"]


async def test_messages_that_are_read_together_are_answered_once() -> None:
    joining = NAMES.replace("settings: {", "settings: {conversation: {while_busy: join}, ")
    async with serving(joining) as desk:
        await desk.twilio("SM1", "enter")
        (one,) = await desk.runtime.store.directory.list_conversations()
        async with desk.runtime.store.conversation(one.conversation_id):
            list_waiting = desk.runtime.store.inbox.list_waiting
            both = asyncio.gather(desk.twilio("SM2", "Ann"), desk.twilio("SM3", "Smith"))
            async with asyncio.timeout(30):
                while len(await list_waiting(one.conversation_id)) < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        texts = [answer.text.count("<Message>") for answer in await both]
        assert sorted(texts) == [0, 1]


async def test_what_was_taken_before_a_crash_is_answered_afterwards(tmp_path: Path) -> None:
    path = str(tmp_path / "talk.db")
    async with serving(store=open_store("sqlite", path)) as desk:
        await desk.slack(direct("Ev1", "order"))
        assert desk.provider.sent == []
    async with serving(store=open_store("sqlite", path)) as desk:
        await desk.work()
        assert desk.texts == ["Which size?"]


async def test_an_answer_that_did_not_get_through_is_sent_again(store: Store) -> None:
    async with serving(store=store) as desk:
        desk.provider.will_answer(500)
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        assert desk.texts == ["Which size?", "Which size?"]
        # The same buttons as the first time.
        assert list(buttons(desk)) == ["small", "large"]
        assert (await desk.runtime.get_state("slack:T1:D1"))["turn_count"] == 1


async def test_a_worker_answers_without_being_called() -> None:
    async with serving() as desk, desk.runtime.background():
        await desk.slack(direct("Ev1", "order"))
        async with asyncio.timeout(30):
            while not desk.provider.sent:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert desk.texts == ["Which size?"]


async def test_of_several_messages_only_the_rest_is_sent_again() -> None:
    async with serving(NAMES) as desk:
        await desk.slack(direct("Ev1", "enter"))
        await desk.work()
        desk.provider.will_answer(200, {"ok": True})
        desk.provider.will_answer(503)
        await desk.slack(direct("Ev2", "Ann"))
        await desk.work()
        assert desk.texts == ["Your name?", "One.", "Two.", "Two.", "Three, Ann."]
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_reply") == []


async def test_a_push_goes_to_the_channel_of_its_conversation() -> None:
    async with serving() as desk:
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        await desk.runtime.push("slack:T1:D1", "We close at five.")
        await desk.work()
        assert desk.texts == ["Which size?", "We close at five.", "Which size?"]
        await desk.slack(press(buttons(desk)["small"]), form=True)  # the newest ones
        await desk.work()
        assert desk.texts[-1] == "How many?"


async def test_a_reminder_goes_to_the_channel_of_its_conversation() -> None:
    async with serving() as desk:
        await desk.telegram(
            {
                "update_id": 1,
                "message": {
                    "text": "order",
                    "chat": {"id": 7, "type": "private"},
                    "from": {"id": 7},
                },
            }
        )
        await desk.work()
        await desk.runtime.remind("telegram:7", "We close at five.", at=datetime.now(UTC))
        await desk.work()
        assert desk.texts == ["Which size?", "We close at five.", "Which size?"]


async def test_a_push_to_another_conversation_goes_nowhere() -> None:
    async with serving() as desk:
        await desk.runtime.push("ann", "We close at five.")
        await desk.runtime.push("fax:ann", "We close at five.")
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_reply") == []
        with pytest.raises(NotAllowedError, match="slack, telegram, twilio, webhook"):
            await desk.exchange.deliver("ann", [{"text": "Hello"}], key="1")


async def test_the_application_delivers_what_it_likes() -> None:
    async with serving() as desk:
        for _ in range(2):
            await desk.exchange.deliver("slack:T1:D1", [{"text": "Hello"}], key="1")
        await desk.work()
        assert desk.texts == ["Hello"]


async def test_private_addresses_are_not_sent_to() -> None:
    async with serving(SHOP.replace("allow: [127.0.0.1]", "allow: []")) as desk:
        await desk.slack(direct("Ev1", "order"))
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        assert job.state == "dead"
        assert "settings.outgoing.allow" in str(job.error)
        assert desk.provider.sent == []


async def test_a_provider_that_is_not_there_is_tried_again() -> None:
    late = Retry(first_delay=60)
    async with serving(retry=late, telegram={"api_url": "http://127.0.0.1:9"}) as desk:
        update = {"text": "order", "chat": {"id": 7, "type": "private"}, "from": {"id": 7}}
        await desk.telegram({"update_id": 1, "message": update})
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        assert (job.state, job.error) == (
            "waiting",
            "127.0.0.1 was not reached: ConnectionRefusedError",
        )


async def test_unknown_channels_and_long_bodies_are_refused() -> None:
    async with serving() as desk:
        unknown = await desk.post("fax", b"{}", {})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "no_such_channel")
        long = await desk.post("slack", b"x" * 1_000_001, {})
        assert (long.status_code, long.json()["code"]) == (413, "body_too_long")
        assert unknown.headers["content-type"] == "application/problem+json"


def with_limits(**limits: int) -> str:
    return SHOP.replace("settings: {", f"settings: {{server: {{limits: {json.dumps(limits)}}}, ")


def say_in_telegram(number: int, text: str = "order", user: int = 7) -> dict[str, Any]:
    chat = {"id": user, "type": "private"}
    return {"update_id": number, "message": {"text": text, "chat": chat, "from": {"id": user}}}


async def test_messages_that_wait_in_the_store_are_bounded_too(store: Store) -> None:
    async with serving(with_limits(waiting_turns=2), store=store) as desk:
        people = range(1, 5)
        answers = [await desk.telegram(say_in_telegram(n, user=n)) for n in people]
        assert [each.status_code for each in answers] == [200, 200, 200, 503]
        assert answers[-1].json()["code"] == "busy"
        assert int(answers[-1].headers["retry-after"]) >= 1
        await desk.work()
        for number in people:  # whoever got no answer sends it again, and so may others
            assert (await desk.telegram(say_in_telegram(number, user=number))).status_code == 200
            await desk.work()
        assert desk.texts == ["Which size?"] * 4


async def test_what_finds_the_queue_of_turns_full_is_kept_and_answered_later(store: Store) -> None:
    async with serving(with_limits(concurrent_turns=1, waiting_turns=0), store=store) as desk:
        async with desk.talks.turns.enter():
            kept = await desk.twilio("SM1", "order", From="+491701")
            # Twilio does not send again what is refused. What is kept has a limit all the same.
            assert (kept.status_code, "<Message>" in kept.text) == (200, False)
            for refused in (
                await desk.twilio("SM2", "order", From="+491702"),
                await desk.telegram(say_in_telegram(1)),
            ):
                assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        await desk.work()
        (sent,) = desk.provider.sent
        assert sent.form["To"] == "+491701"
        assert sent.form["Body"].startswith("Which size?")


async def test_who_can_only_be_answered_at_once_is_refused_while_the_queue_is_full() -> None:
    limits = with_limits(concurrent_turns=1, waiting_turns=0)
    async with serving(limits, webhook={"reply_url": None}) as desk:
        async with desk.talks.turns.enter():
            refused = await desk.webhook("m1", {"conversation": "ann", "text": "order"})
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        again = await desk.webhook("m1", {"conversation": "ann", "text": "order"})
        assert (again.status_code, again.json()["repeated"]) == (200, False)


async def test_messages_that_rest_until_another_attempt_keep_nobody_out() -> None:
    late = Retry(attempts=3, first_delay=60)
    async with serving(with_limits(waiting_turns=1), retry=late) as desk:
        for number in range(1, 5):
            desk.provider.will_answer(500, {})
            taken = await desk.telegram(say_in_telegram(number, user=number))
            assert taken.status_code == 200
            await desk.work()
        assert len(await desk.runtime.store.jobs.list_jobs(kind="channel_message")) == 4


async def test_guessed_signatures_are_counted_by_address() -> None:
    async with serving(with_limits(requests_per_minute_by_address=5)) as desk:
        answers = [await desk.telegram(say_in_telegram(1), f"guess {n}") for n in range(20)]
        codes = [each.json()["code"] for each in answers]
        # A minute may end meanwhile: then it is counted anew, once.
        assert codes[:5] == ["bad_signature"] * 5
        assert codes.count("bad_signature") <= 10
        assert {each.status_code for each in answers} == {401, 429}
        assert desk.texts == []


async def test_a_user_who_floods_a_channel_keeps_out_nobody_else() -> None:
    async with serving(with_limits(requests_per_minute=3)) as desk:
        flood = [await desk.telegram(say_in_telegram(n)) for n in range(1, 15)]
        assert {each.status_code for each in flood} == {200, 429}
        refused = next(each for each in flood if each.status_code == 429)
        assert refused.json()["code"] == "too_many_requests"
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert (await desk.telegram(say_in_telegram(99, user=8))).status_code == 200


async def test_nothing_secret_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    async with serving() as desk:
        desk.provider.will_answer(400, {"ok": False, "description": "12:ab"})
        update = {"text": "order", "chat": {"id": 7, "type": "private"}, "from": {"id": 7}}
        await desk.telegram({"update_id": 1, "message": update})
        await desk.work()
        (job,) = await desk.runtime.store.jobs.list_jobs(kind="channel_message")
        printed = "".join(capsys.readouterr())
        for secret in ("12:ab", "s3cret", "xoxb-1"):
            assert secret not in f"{printed} {job}"


async def test_kinds_of_jobs_are_added_before_work_begins() -> None:
    async with serving() as desk, desk.runtime.background():
        with pytest.raises(NotAllowedError, match="before `start_background`"):
            desk.runtime.add_job_kinds({})


def test_a_provider_that_says_when_is_believed() -> None:
    retry = Retry(attempts=3, first_delay=2, longest_delay=60)
    assert retry.find_delay(1, JobError("busy", retry_after=30)) == 30
    assert retry.find_delay(1, JobError("busy", retry_after=0.5)) == 2
    assert retry.find_delay(1, JobError("busy", retry_after=999)) == 60
