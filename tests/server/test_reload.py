"""Loading an assistant again while it talks."""

import asyncio
from pathlib import Path

import pytest

from soni.core.access_key import Role
from soni.server import ServerOptions, services
from tests.server.serving import (
    ACTIONS,
    SHOP,
    check_problem,
    open_talk,
    read_texts,
    say,
    serving,
    wait_for,
)
from tests.server.test_events import listening


async def test_an_open_question_survives_a_reload_and_a_mistake_changes_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / "actions.py").write_text(ACTIONS)
    (tmp_path / "soni.yaml").write_text(SHOP)
    async with serving(tmp_path) as server:
        client, admin = await server.enter(), await server.enter(Role.ADMIN)
        talk = await open_talk(client)
        await say(client, talk, "send money")
        (tmp_path / "soni.yaml").write_text(SHOP.replace("To whom?", "Who gets it?"))
        assert (await admin.post("/api/reload")).status_code == 204
        assert read_texts(await say(client, talk, "50")) == ["Who gets it?"]
        for broken in ("flows: [", SHOP.replace("collect: amount", "colect: amount")):
            (tmp_path / "soni.yaml").write_text(broken)
            answer = await admin.post("/api/reload")
            assert "soni check" in check_problem(answer, 409, "invalid_assistant")["remedy"]
        assert read_texts(await say(client, talk, "Bob")) == ["Send 50 to Bob?"]


async def test_an_assistant_that_came_from_no_folder_cannot_be_reloaded() -> None:
    async with serving() as server:
        admin = await server.enter(Role.ADMIN)
        check_problem(await admin.post("/api/reload"), 409, "not_allowed")


async def test_a_reload_elsewhere_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "FOLLOW_SECONDS", 0.1)
    (tmp_path / "actions.py").write_text(ACTIONS)
    (tmp_path / "soni.yaml").write_text(SHOP)
    marks = [ServerOptions(reload_mark=tmp_path / "mark") for _ in range(2)]
    (tmp_path / "mark").touch()
    async with (
        serving(tmp_path, options=marks[0]) as first,
        serving(tmp_path, options=marks[1]) as second,
    ):
        admin = await first.enter(Role.ADMIN)
        client = second.make_client(admin.headers["authorization"].removeprefix("Bearer "))
        (tmp_path / "soni.yaml").write_text(SHOP.replace("How much?", "How many?"))
        assert (await admin.post("/api/reload")).status_code == 204
        async with asyncio.timeout(20):
            while True:
                said = read_texts(await say(client, await open_talk(client), "send money"))
                if said == ["How many?"]:
                    return
                await asyncio.sleep(0.1)


async def test_machines_that_share_a_database_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    monkeypatch.setattr(services, "FOLLOW_SECONDS", 0.1)
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__BACKEND", "postgres")
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__URL", postgres_url)
    monkeypatch.setenv("SONI_SETTINGS__SERVER__LIMITS__REQUESTS_PER_MINUTE", "60")
    (tmp_path / "actions.py").write_text(ACTIONS)
    (tmp_path / "soni.yaml").write_text(SHOP)
    async with serving(tmp_path) as first, serving(tmp_path) as second:
        key = await first.add_key(Role.ADMIN)
        here, there = first.make_client(key), second.make_client(key)
        talk = await open_talk(here)
        async with listening(there, talk) as events:
            await say(here, talk, "send money")
            assert (await events.next())["data"]["text"] == "send money"
        (tmp_path / "soni.yaml").write_text(SHOP.replace("To whom?", "Who gets it?"))
        assert (await here.post("/api/reload")).status_code == 204
        await wait_for(lambda: "Who gets it?" in str(second.runtime.assistant.config.slots), 20)
        assert read_texts(await say(there, talk, "50")) == ["Who gets it?"]
        # A minute may end meanwhile: then it is counted anew, once.
        statuses = []
        for _ in range(65):
            statuses += [(await each.get("/api/flows")).status_code for each in (here, there)]
        assert statuses.count(200) <= 120
        assert 429 in statuses
