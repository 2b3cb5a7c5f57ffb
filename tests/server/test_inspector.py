"""What authors see of a conversation, and what they can do from there."""

from __future__ import annotations

import asyncio
import hashlib
import math
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from soni import RuntimeLoop, SoniConfig
from soni.audit.report.comparison import find_deployments
from soni.audit.report.summary import Period, summarize_journal
from soni.audit.source import add_default_store
from soni.commands import CorrectSlot
from soni.core.access_key import Role
from soni.du.context import NLUOutput
from soni.server import ServerOptions
from tests.program import soni
from tests.server.serving import (
    ACTIONS,
    SHOP,
    PlainNLU,
    Running,
    check_problem,
    open_talk,
    read_texts,
    say,
    serving,
)


class InspectedNLU(PlainNLU):
    """Corrects an amount as well."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        if user_message.startswith("make it "):
            value = user_message.removeprefix("make it ")
            return NLUOutput(commands=[CorrectSlot("amount", value)])
        if user_message in self.flows:
            return await super().understand(
                user_message, history, context.model_copy(update={"waiting_for_slot": None})
            )
        return await super().understand(user_message, history, context)


@asynccontextmanager
async def developing(folder: Path, **options: Any) -> AsyncIterator[tuple[Running, Any]]:
    """An assistant in a folder, served as with `--inspect`, and its author."""
    (folder / "actions.py").write_text(ACTIONS)
    (folder / "soni.yaml").write_text(SHOP)
    given = ServerOptions(is_local=True, is_development=True, **options)
    config = add_default_store(SoniConfig.load(folder))
    runtime = RuntimeLoop(config, nlu=InspectedNLU())
    async with serving(folder, options=given, runtime=runtime) as server:
        yield server, await server.enter(Role.AUTHOR)


async def inspect(client: httpx.AsyncClient, talk: str) -> list[dict[str, Any]]:
    answer = await client.get(f"/api/conversations/{talk}/inspection")
    assert answer.status_code == 200, answer.text
    turns: list[dict[str, Any]] = answer.json()["turns"]
    return turns


def find_slot(turn: dict[str, Any], name: str) -> dict[str, Any]:
    (slot,) = (each for each in turn["slots"] if each["name"] == name)
    found: dict[str, Any] = slot
    return found


async def test_each_past_turn_has_its_stack_slots_and_evidence(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        talk = await open_talk(author)
        for text in ("send money", "50", "what is my balance", "savings", "make it 60", "Bob"):
            await say(author, talk, text)
        turns = await inspect(author, talk)
    tasks = [[(each["flow"], each["step"], each["paused"]) for each in t["stack"]] for t in turns]
    assert tasks[1] == [("transfer", "collect_recipient", False)]
    assert tasks[2] == [
        ("transfer", "collect_recipient", True),
        ("balance", "collect_account", False),
    ]
    assert tasks[3] == [("transfer", "collect_recipient", False)]
    assert tasks[5] == [("transfer", "sure", False)]
    asked, corrected = find_slot(turns[1], "amount"), find_slot(turns[4], "amount")
    assert (asked["value"], asked["turn"]) == (50, 2)
    assert asked["evidence"] == {"by": "user", "how": "words", "span": [0, 2], "words": "50"}
    assert (corrected["value"], corrected["was"], corrected["turn"]) == (60, 50, 5)
    assert corrected["evidence"]["span"] == [8, 10]
    assert corrected["evidence"]["correction"] is True
    # What was said before is still known after the other task.
    assert find_slot(turns[5], "amount")["turn"] == 5
    assert find_slot(turns[5], "recipient")["evidence"]["words"] == "Bob"


async def test_a_button_the_application_and_an_author_are_told_apart(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        talk = await open_talk(author)
        path = f"/api/conversations/{talk}"
        await say(author, talk, "what is my balance")
        assert (await author.post(f"{path}/messages", json={"press": "main"})).status_code == 200
        started = await author.post(f"{path}/flows/transfer", json={"inputs": {"amount": 7}})
        assert started.status_code == 200, started.text
        typed = await author.post(f"{path}/commands", json={"commands": "SetSlot recipient Ann"})
        assert read_texts(typed.json()) == ["Send 7 to Ann?"]
        turns = await inspect(author, talk)
        body = {"commands": "AffirmConfirmation; SetSlot pin 1234"}
        done = await author.post(f"{path}/commands", json=body)
        assert read_texts(done.json()) == ["Sent 7 to Ann."]
        last = (await inspect(author, talk))[-1]
    assert [turn["by"] for turn in turns] == ["user", "button", "start_flow", "author"]
    assert find_slot(turns[2], "amount")["evidence"] == {"by": "application"}
    assert find_slot(turns[3], "recipient")["evidence"] == {"by": "author"}
    # Commands by hand pass the same policy as any other.
    judged = {each["command"]: each["decision"] for each in last["commands"]}
    assert judged == {"AffirmConfirmation": "accepted", "SetSlot": "rejected"}
    assert "1234" not in str(last)


async def test_an_actions_output_names_the_action_and_how_it_went(tmp_path: Path) -> None:
    async with developing(tmp_path) as (server, author):
        talk = await open_talk(author)
        for text in ("send money", "50", "Bob", "yes"):
            await say(author, talk, text)
        (call,) = (await inspect(author, talk))[-1]["actions"]
        assert server.get_global("SENT") == [(50, "Bob")]
    assert (call["action"], call["inputs"]) == ("send", {"amount": 50, "recipient": "Bob"})
    assert call["seconds"] >= 0


async def test_a_fork_stands_where_the_turn_ended_and_nothing_is_done_again(tmp_path: Path) -> None:
    async with developing(tmp_path) as (server, author):
        talk = await open_talk(author)
        for text in ("send money", "50", "Bob", "yes"):
            await say(author, talk, text)
        turns = await inspect(author, talk)
        path = f"/api/conversations/{talk}/fork"
        forked = await author.post(path, json={"seq": turns[2]["seq"]})
        assert forked.status_code == 201, forked.text
        body = forked.json()
        assert (body["turns"], body["differences"], body["placeholders"]) == (3, 0, False)
        after = await author.post(path, json={"seq": turns[3]["seq"]})
        assert server.get_global("SENT") == [(50, "Bob")]
        assert read_texts(await say(author, body["id"], "make it 60")) == [
            "amount is now 60.",
            "Send 60 to Bob?",
        ]
        assert read_texts(await say(author, body["id"], "yes")) == ["Sent 60 to Bob."]
        assert (await inspect(author, after.json()["id"]))[-1]["stack"] == []
        check_problem(await author.post(path, json={"seq": 99}), 404, "not_found")
        # The conversation that was forked is as it was.
        assert await inspect(author, talk) == turns


async def test_a_secret_stays_masked_and_a_fork_has_a_placeholder(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        talk = await open_talk(author)
        for text in ("unlock", "4711"):
            await say(author, talk, text)
        turns = await inspect(author, talk)
        assert "4711" not in str(turns)
        assert find_slot(turns[1], "pin")["evidence"] == {"by": "user", "how": "words"}
        forked = await author.post(f"/api/conversations/{talk}/fork", json={"seq": turns[1]["seq"]})
        assert forked.json()["placeholders"] is True
        await say(author, forked.json()["id"], "noise")
        assert (await inspect(author, forked.json()["id"]))[-1]["ended"] == [
            {"flow_name": "secret", "result": "completed"}
        ]


async def fork_at_end(author: httpx.AsyncClient, talk: str) -> str:
    """A fork of a whole conversation; its id."""
    last = (await inspect(author, talk))[-1]["seq"]
    answer = await author.post(f"/api/conversations/{talk}/fork", json={"seq": last})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_erasing_a_person_takes_the_forks_of_their_conversations_along(
    tmp_path: Path,
) -> None:
    async with developing(tmp_path) as (server, author):
        client, other = await server.enter(), await server.enter()
        admin = await server.enter(Role.ADMIN)
        talk, stays = await open_talk(client), await open_talk(other)
        for text in ("send money", "50", "Zebedee"):
            await say(client, talk, text)
        await say(other, stays, "send money")
        fork = await fork_at_end(author, talk)
        await say(author, fork, "make it 60")
        again, kept = await fork_at_end(author, fork), await fork_at_end(author, stays)
        owner = (await server.runtime.store.directory.find(talk)).user_id
        told = (await server.runtime.export(owner))["conversations"]
        assert {each["conversation_id"] for each in told} == {talk, fork, again}
        erased = await admin.post(f"/api/conversations/{talk}/erase")
        assert erased.json()["conversations"] == 3
        journal = server.runtime.store.journal
        for name in await journal.conversations():
            assert "Zebedee" not in str(await journal.entries(name))
        for gone in (fork, again):
            check_problem(await author.get(f"/api/conversations/{gone}"), 404, "not_found")
        assert read_texts(await say(author, kept, "50")) == ["To whom?"]


async def test_a_fork_is_nobody_at_the_desk_and_in_no_figure(tmp_path: Path) -> None:
    async with developing(tmp_path) as (server, author):
        client, agent = await server.enter(), await server.enter(Role.AGENT)
        talk = await open_talk(client)
        for text in ("unlock", "4711", "noise", "complain", "noise"):
            await say(client, talk, text)
        store = server.runtime.store
        everything = Period(-math.inf, math.inf, 1800)

        async def count() -> tuple[object, ...]:
            figures = await summarize_journal(store.journal, everything)
            tasks = figures.tasks.total_started
            waiting = await agent.get("/api/handoffs")
            return (
                (figures.conversations, figures.turns, tasks, figures.failed_turns),
                await find_deployments(store.journal),
                [each["conversation_id"] for each in waiting.json()],
                await server.services.desk.count(),
            )

        before = await count()
        assert before[0] == (1, 5, 2, 0)
        assert before[2:] == ([talk], (1, 0))
        fork = await fork_at_end(author, talk)
        await say(author, fork, "is anybody there")
        assert await count() == before
        check_problem(await agent.get(f"/api/conversations/{fork}/messages"), 404, "not_found")
        # What is begun anew in it is a conversation as any other.
        await author.delete(f"/api/conversations/{fork}")
        await say(author, fork, "complain")
        assert (await count())[0] == (2, 6, 3, 0)


async def test_a_conversation_saved_as_a_test_passes(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        talk = await open_talk(author)
        path = f"/api/conversations/{talk}/test"
        check_problem(await author.get(path), 409, "not_allowed")
        for text in ("send money", "50", "make it 60", "Bob", "yes"):
            await say(author, talk, text)
        shown = (await author.get(path)).json()
        assert (shown["passed"], shown["file"]) == (True, None)
        assert not (tmp_path / "tests").exists()
        saved = (await author.post(path)).json()
        assert saved["text"] == shown["text"] == (tmp_path / saved["file"]).read_text()
    assert soni("test", tmp_path).returncode == 0


async def test_a_changed_flow_is_checked_saved_loaded_and_compared(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        talk = await open_talk(author)
        for text in ("send money", "50"):
            await say(author, talk, text)
        assert (await author.get("/api/sources")).json() == ["soni.yaml"]
        read = (await author.get("/api/sources/file?file=soni.yaml")).json()
        assert read["text"] == SHOP
        replay = f"/api/conversations/{talk}/replay"
        assert all(turn["same"] for turn in (await author.post(replay)).json())
        wrong = SHOP.replace("- collect: recipient", "- colect: recipient")
        draft = {"file": "soni.yaml", "text": wrong}
        found = (await author.post("/api/sources/check", json=draft)).json()
        line = 1 + wrong[: wrong.index("colect")].count("\n")
        assert found["ok"] is False
        assert [(each["file"], each["line"]) for each in found["problems"]] == [("soni.yaml", line)]
        assert found["problems"][0]["remedy"]
        refused = await author.post("/api/sources/file", json={**draft, "digest": read["digest"]})
        check_problem(refused, 409, "invalid_assistant")
        assert (tmp_path / "soni.yaml").read_text() == SHOP
        better = SHOP.replace("To whom?", "Who gets it?")
        change = {"file": "soni.yaml", "text": better, "digest": read["digest"]}
        saved = await author.post("/api/sources/file", json=change)
        assert saved.status_code == 200, saved.text
        assert (tmp_path / "soni.yaml").read_text() == better
        check_problem(await author.post("/api/sources/file", json=change), 409, "stale_file")
        turns = (await author.post(replay)).json()
        assert [turn["same"] for turn in turns] == [True, False]
        assert turns[1]["differences"] == [
            {"what": "replies", "then": ["To whom?"], "now": ["Who gets it?"]}
        ]


async def read_file(author: httpx.AsyncClient, name: str = "soni.yaml") -> dict[str, Any]:
    answer = await author.get("/api/sources/file", params={"file": name})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def save_file(
    author: httpx.AsyncClient, text: str, digest: str, name: str = "soni.yaml"
) -> httpx.Response:
    change = {"file": name, "text": text, "digest": digest}
    return await author.post("/api/sources/file", json=change)


@pytest.mark.parametrize(
    ("python", "more", "code"),
    [
        (ACTIONS, "settings: {persistence: {backend: sqlite, retention: 30d}}\n", "not_allowed"),
        ("this is no Python(", "# more\n", "invalid_assistant"),
    ],
)
async def test_what_could_not_be_loaded_is_taken_back(
    python: str, more: str, code: str, tmp_path: Path
) -> None:
    async with developing(tmp_path) as (_, author):
        read = await read_file(author)
        (tmp_path / "actions.py").write_text(python)
        refused = await save_file(author, SHOP + more, read["digest"])
        check_problem(refused, 409, code)
        assert (tmp_path / "soni.yaml").read_text() == SHOP
        assert await read_file(author) == read
        (tmp_path / "actions.py").write_text(ACTIONS)
        better = SHOP.replace("To whom?", "Who gets it?")
        assert (await save_file(author, better, read["digest"])).status_code == 200


async def test_of_those_who_save_at_once_one_comes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, copymode = threading.Barrier(2), shutil.copymode

    def wait_for_another(source: Path, target: str) -> None:
        # Between the look at the digest and the write there is time for somebody else.
        with suppress(threading.BrokenBarrierError):
            together.wait(0.5)
        copymode(source, target)

    monkeypatch.setattr(shutil, "copymode", wait_for_another)
    async with developing(tmp_path) as (_, author):
        digest = (await read_file(author))["digest"]
        texts = [SHOP.replace("To whom?", f"To whom {number}?") for number in range(2)]
        answers = await asyncio.gather(*(save_file(author, text, digest) for text in texts))
        (won,) = [n for n, answer in enumerate(answers) if answer.status_code == 200]
        check_problem(answers[1 - won], 409, "stale_file")
        assert (tmp_path / "soni.yaml").read_text() == texts[won]


async def test_large_files_are_checked_and_saved_up_to_the_largest(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        read = await read_file(author)
        large = SHOP + '# "large"\n' * 10_000
        saved = await save_file(author, large, read["digest"])
        assert saved.status_code == 200, saved.text
        assert (await read_file(author))["text"] == large
        draft = {"file": "soni.yaml", "text": large * 10}
        found = await author.post("/api/sources/check", json=draft)
        check_problem(found, 422, "invalid_request")
        # Elsewhere the limit is what it was.
        long = await author.post("/api/conversations", content=b" " * 70_000)
        check_problem(long, 413, "body_too_large")


async def test_a_file_keeps_its_line_ends_and_a_link_stays_a_link(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        (tmp_path / "shared").mkdir()
        real, link = tmp_path / "shared" / "more.txt", tmp_path / "more.yaml"
        real.write_bytes(b"\xef\xbb\xbfflows:\r\n  bye: {steps: [{say: Bye}]}\r\n")
        link.symlink_to(real)
        read = await read_file(author, "more.yaml")
        assert read["text"] == "flows:\n  bye: {steps: [{say: Bye}]}\n"
        better = read["text"].replace("say: Bye", "say: Goodbye")
        saved = await save_file(author, better, read["digest"], "more.yaml")
        assert saved.status_code == 200, saved.text
        assert link.is_symlink()
        assert real.read_bytes() == (b"\xef\xbb\xbfflows:\r\n  bye: {steps: [{say: Goodbye}]}\r\n")
        assert saved.json()["digest"] == (await read_file(author, "more.yaml"))["digest"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("actions.py", "not_found"),
        ("../soni.yaml", "not_found"),
        ("/etc/passwd", "not_found"),
        ("./soni.yaml", "not_found"),
        ("", "not_found"),
        ("secret.yaml", "not_allowed"),
    ],
)
async def test_no_other_file_can_be_read_or_written(name: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    outside = tmp_path / "elsewhere" / "secret.yaml"
    outside.write_text("flows: {}")
    home = tmp_path / "home"
    home.mkdir()
    async with developing(home) as (_, author):
        (home / "secret.yaml").symlink_to(outside)
        read = await author.get("/api/sources/file", params={"file": name})
        # Who knows what is in it has its digest: that alone must not open it.
        digest = hashlib.sha256(outside.read_bytes()).hexdigest()
        written = await save_file(author, "flows: {}\n", digest, name)
    assert (read.status_code in (404, 409), read.json()["code"]) == (True, code)
    assert (written.status_code in (404, 409), written.json()["code"]) == (True, code)
    assert outside.read_text() == "flows: {}"


async def test_files_and_commands_are_for_development_alone(tmp_path: Path) -> None:
    async with serving() as server:
        author = await server.enter(Role.AUTHOR)
        talk = await open_talk(author)
        body = {"commands": "StartFlow transfer"}
        for answer in (
            await author.get("/api/sources"),
            await author.post(f"/api/conversations/{talk}/commands", json=body),
            await author.post(f"/api/conversations/{talk}/test"),
        ):
            check_problem(answer, 409, "development_only")


async def test_what_is_no_command_is_explained(tmp_path: Path) -> None:
    async with developing(tmp_path) as (_, author):
        path = f"/api/conversations/{await open_talk(author)}/commands"
        unknown = await author.post(path, json={"commands": "Begin transfer"})
        assert "StartFlow" in check_problem(unknown, 422, "invalid_request")["detail"]
        short = await author.post(path, json={"commands": "SetSlot amount"})
        assert "slot_name, value" in check_problem(short, 422, "invalid_request")["detail"]


COUNTING = """
import threading
from contextlib import suppress

from soni.du.context import NLUOutput

OPEN, MOST = [], [0]
TOGETHER = threading.Barrier(2)

class Counting:
    def __init__(self):
        OPEN.append(self)
        with suppress(threading.BrokenBarrierError):
            TOGETHER.wait(0.3)
        MOST[0] = max(MOST[0], len(OPEN))

    async def understand(self, user_message, history, context):
        return NLUOutput()

    async def aclose(self):
        OPEN.remove(self)

def PROVIDER(config):
    return Counting()
"""


async def test_messages_are_understood_anew_by_one_provider_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "site" / "counting-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[soni.providers]\ncounting = counting\n")
    (tmp_path / "site" / "counting.py").write_text(COUNTING)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setenv("SONI_SETTINGS__NLU__PROVIDER", "counting")
    home = tmp_path / "home"
    home.mkdir()
    async with developing(home) as (_, author):
        talk = await open_talk(author)
        await say(author, talk, "send money")
        path = f"/api/conversations/{talk}/replay?understanding=true"
        answers = await asyncio.gather(*(author.post(path) for _ in range(4)))
        assert [answer.status_code for answer in answers] == [200] * 4
    counting = import_module("counting")
    assert (counting.OPEN, counting.MOST) == ([], [1])


async def test_a_flow_is_laid_out_by_the_server() -> None:
    async with serving() as server:
        author = await server.enter(Role.AUTHOR)
        drawing = (await author.get("/api/flows/transfer/drawing")).json()
        check_problem(await author.get("/api/flows/none/drawing"), 404, "not_found")
    steps = [box["node"] for box in drawing["boxes"] if box["node"]]
    assert {"flow:transfer", "collect_amount", "sure", "action_send", "end"} <= set(steps)
    ways = {(path["from"], path["to"]) for path in drawing["paths"]}
    assert ("collect_amount", "collect_recipient") in ways
    assert all(path["line"].startswith("M") for path in drawing["paths"])
