"""`soni chat --url`: a terminal that talks to a server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from soni.cli.chat import remote
from soni.cli.chat.partner import Utterance
from soni.cli.chat.remote import RemotePartner
from soni.cli.chat.server_client import ServerError
from soni.cli.chat.session import hold_remote_conversation
from soni.core.access_key import Role
from soni.core.errors import SoniError
from soni.server import ServerOptions
from tests.program import soni
from tests.server.serving import Running, serving, serving_beside

ANYBODY = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Running, str]]:
    with serving_beside(options=ANYBODY) as running:
        yield running


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "soni"


class Script:
    """Somebody who types these lines. A line that is a function is called instead."""

    is_watched = False

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        self._lines = list(lines)
        self.shown: list[str] = []
        self.errors: list[str] = []
        self.kept: list[str] = []
        self.options: tuple[str, ...] = ()
        self.drafts: list[str] = []

    def read(self, runner: asyncio.Runner) -> str | None:
        while self._lines:
            line = self._lines.pop(0)
            if isinstance(line, str):
                return line
            line()
        return None

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        self.options = tuple(options)

    def keep(self, line: str) -> None:
        self.kept.append(line)

    def draft(self, line: str) -> None:
        self.drafts.append(line)

    def fail(self, error: Exception) -> None:
        """It is raised anyway."""

    def bot(self, text: str) -> None:
        self.shown.append(text)

    note = bot

    def person(self, name: str, text: str) -> None:
        self.shown.append(f"{name}: {text}")

    def view(self, text: object) -> None:
        self.shown.append(str(text))

    def error(self, text: str) -> None:
        self.errors.append(text)


def talk(url: str, *lines: str | Callable[[], object], key: str | None = None) -> Script:
    script = Script(*lines)
    hold_remote_conversation(RemotePartner(url, "ann", key, keeps=True), script)
    return script


def test_a_conversation_goes_on_the_next_time_and_only_its_owner_can_read_where(
    server: tuple[Running, str], own_folder: Path
) -> None:
    first = talk(server[0].url, "what is my balance")
    assert first.shown[1:] == ["Which account?\n1. main\n2. savings"]
    assert first.options == ("main", "savings")
    assert (own_folder / "conversations.json").stat().st_mode & 0o777 == 0o600
    second = talk(server[0].url, "savings")
    assert second.shown[1:] == [
        "The conversation goes on from before; /reset begins anew.",
        "Which account?\n1. main\n2. savings",
        "There is 100 in savings.",
    ]


def test_a_secret_is_not_remembered(server: tuple[Running, str]) -> None:
    script = talk(server[0].url, "unlock", "4711", "doors")
    assert script.shown[1:3] == ["Your PIN?", "About what?"]
    assert script.kept == ["unlock", "doors"]


def test_who_is_no_author_is_told_which_role_is_missing(server: tuple[Running, str]) -> None:
    script = talk(server[0].url, "send money", "50", "/inspect", "/why")
    assert script.shown[-1].startswith("waiting for  slot recipient\ntransfer  active")
    assert "  amount  50\n" in script.shown[-1]
    for told in (script.shown[-1], *script.errors):
        assert "this needs the role `author`. Give a key of that role by --key" in told


def test_an_author_sees_where_values_come_from_and_why(server: tuple[Running, str]) -> None:
    url, key = server[0].url, server[1]
    script = talk(url, "send money", "50", "/inspect", "/why", key=key)
    assert '  amount  50  turn 2, "50"' in script.shown[-2]
    assert 'command    SetSlot slot_name="amount" value="50": accepted' in script.shown[-1]


def test_the_desk_can_be_played_with_its_role(server: tuple[Running, str]) -> None:
    url, key = server[0].url, server[1]
    lines = ("complain", "noise", "/desk This is Ann.", "/release")
    script = talk(url, *lines, key=key)
    assert script.shown[2] == "Somebody looks after noise."
    assert "A person has this conversation now" in script.shown[3]
    assert script.shown[4:6] == ["desk: This is Ann.", "Was that all?"]


def test_a_conversation_that_is_gone_begins_anew(
    server: tuple[Running, str], own_folder: Path
) -> None:
    talk(server[0].url, "send money")
    file = own_folder / "conversations.json"
    kept = file.read_text()
    file.write_text(kept.replace('"id": "c_', '"id": "c_x'))
    assert talk(server[0].url, "send money").shown[1:] == [
        "The conversation of before is not there any more; a new one begins.",
        "How much?",
    ]


class LostAnswer(httpx.AsyncBaseTransport):
    """The way to a server: the answer to one message is lost, and then the server is gone."""

    def __init__(self, client: httpx.AsyncClient, elsewhere: str) -> None:
        self._client = client
        self._way = client._transport
        self._elsewhere = elsewhere

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._way.handle_async_request(request)
        if request.method == "POST":
            await answer.aread()
            await answer.aclose()
            self._client._transport = self._way
            self._client.base_url = httpx.URL(self._elsewhere)
            raise httpx.ReadError("lost")
        return answer


def test_a_message_is_sent_again_with_its_id_when_the_server_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "DELAYS", (0.0, 0.0))
    with serving_beside(options=ANYBODY) as (server, _):
        broken, whole = server.url.replace("127.0.0.1", "127.0.0.2"), server.url
        partner = RemotePartner(whole, "ann", None, keeps=False)
        client = partner._client._client

        def lose_answer() -> None:
            client._transport = LostAnswer(client, broken)

        def come_back() -> None:
            client.base_url = httpx.URL(whole)

        script = Script("send money", lose_answer, "50", come_back, "50", "Bob")
        hold_remote_conversation(partner, script)
        assert script.drafts == ["50"]
        assert "nobody answers (connection refused). Start it with" in script.errors[0]
        assert script.shown.count(f"{whole}: nobody answers (connection refused). Trying again; "
                                  "Ctrl-C leaves.") == 1  # fmt: skip
        assert script.shown[-2:] == ["To whom?", "Send 50 to Bob?"]
        headers = {"authorization": f"Bearer {partner._client.credential}"}
        said = httpx.get(f"{whole}{partner._path}/messages", headers=headers).json()["messages"]
        assert [each["text"] for each in said if each["author"] == "user"] == [
            "send money", "50", "Bob",
        ]  # fmt: skip


async def test_what_is_said_before_the_stream_stands_is_heard() -> None:
    async with serving(options=ANYBODY) as server:
        partner = RemotePartner(server.url, "ann", None, keeps=False)
        await partner.open()
        await server.runtime.push(partner._path.rpartition("/")[2], "Your parcel has arrived.")
        async with asyncio.timeout(10), aclosing(partner.listen()) as heard:
            assert await anext(heard) == Utterance("Your parcel has arrived.", "application")
        await partner.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:1", "nobody answers (connection refused). Start it with `soni serve"),
        ("127.0.0.1:8000", "one is http://127.0.0.1:8000"),
        ("ftp://example.org", "one is http://127.0.0.1:8000"),
        ("http://ann:secret@127.0.0.1", "give a key by --key"),
    ],
)
def test_an_address_where_nobody_is_is_told_with_its_remedy(url: str, reason: str) -> None:
    with pytest.raises(SoniError) as told:
        talk(url, "hello")
    assert reason in str(told.value)
    assert "secret" not in str(told.value)


def test_a_wrong_key_and_a_wrong_path_are_told_with_their_remedy(
    server: tuple[Running, str],
) -> None:
    with pytest.raises(ServerError, match="soni keys add DIR"):
        talk(server[0].url, "hello", key="soni_wrong")
    with pytest.raises(ServerError, match=r"There is nothing here|no server of"):
        talk(f"{server[0].url}/elsewhere", "hello")


def test_a_port_that_is_taken_is_named_with_another_one(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text("flows: {hi: {steps: [{say: Hello}]}}\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = soni("serve", tmp_path, "--port", port)
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1, port {port}: another program has it." in refused.stderr
    assert "choose another: --port" in refused.stderr
