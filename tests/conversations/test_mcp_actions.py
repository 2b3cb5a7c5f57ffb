"""Actions that are tools of a real MCP server, started as a process and over HTTP."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from soni import RuntimeLoop
from soni.core.errors import ConfigError
from tests.shop import Shop, lock_tools, make_http_settings, make_stdio_settings, serve_shop


@pytest.fixture(scope="module")
def lock(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `soni mcp sync` writes for the shop."""
    folder = tmp_path_factory.mktemp("lock")
    shop = Shop(folder, make_stdio_settings(folder))
    asyncio.run(lock_tools(shop))
    return (folder / "mcp.lock.json").read_text("utf-8")


@pytest.fixture
def started(tmp_path: Path, lock: str) -> Shop:
    """A shop that is a process."""
    (tmp_path / "mcp.lock.json").write_text(lock, encoding="utf-8")
    return Shop(tmp_path, make_stdio_settings(tmp_path))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_shop() as url:
        yield url


@pytest.fixture
def reached(tmp_path: Path, lock: str, address: str, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop that is reached by HTTP."""
    (tmp_path / "mcp.lock.json").write_text(lock, encoding="utf-8")
    monkeypatch.setenv("SHOP_LOG", str(tmp_path / "shop.log"))
    return Shop(tmp_path, make_http_settings(address))


@pytest.fixture(params=["started", "reached"])
def shop(request: pytest.FixtureRequest) -> Shop:
    found: Shop = request.getfixturevalue(request.param)
    return found


async def ask(runtime: RuntimeLoop, *said: str, user: str = "ann") -> list[str]:
    """The bot's last messages."""
    for text in said:
        turn = await runtime.turn(text, user)
    return turn.messages


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_tool_is_an_action_without_python(shop: Shop) -> None:
    async with RuntimeLoop(shop.load()) as runtime:
        # What the tool needs is asked for, and what it returns is in the slots.
        assert await ask(runtime, "price") == ["Which product?"]
        assert await ask(runtime, "tea") == ["2.5 EUR"]
        assert await ask(runtime, "offers") == ["tea and {secret}"]
        # What a tool says is data: nothing in it is filled in.
        assert await ask(runtime, "describe", "milk") == ["milk {product} {{ 1 + 1 }}"]
        said = await ask(runtime, "rare", "gold")
        assert said == ["tool_error: Error executing tool sold_out: gold is sold out"]
        assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
    assert shop.asked == ["price tea 1", "price bread 1"]


async def test_a_repeated_message_does_not_call_the_tool_again(reached: Shop) -> None:
    async with RuntimeLoop(reached.load()) as runtime:
        await runtime.turn("buy", "ann")
        first = await runtime.turn("tea", "ann", message_id="m-1")
        again = await runtime.turn("tea", "ann", message_id="m-1")
        assert first.messages == again.messages == ["O-1"]
    (asked,) = reached.asked
    # The tool gets the effect's key, by which a server knows a repetition.
    assert asked.startswith("order tea ann/")


async def test_a_tool_that_takes_too_long_is_left_behind(reached: Shop) -> None:
    async with RuntimeLoop(reached.load()) as runtime:
        assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
        assert await ask(runtime, "wait", "tea") == ["timeout"]
        assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
        unknown = await runtime.store.ledger.list_unknown(begun_before=0)
        assert [effect.action for effect in unknown] == ["wait_for_it"]


async def test_a_reply_has_the_size_of_any_output(reached: Shop) -> None:
    async with RuntimeLoop(reached.load()) as runtime:
        said = await ask(runtime, "fill")
        assert said == ["bad_output: it is larger than 250,000 characters"]


async def test_a_server_that_dies_leaves_the_outcome_unknown_and_is_started_again(
    started: Shop,
) -> None:
    async with RuntimeLoop(started.load()) as runtime:
        said = await ask(runtime, "crash", "tea")
        assert said == ["connection_lost: whether it was done is not known: Connection closed"]
        unknown = await runtime.store.ledger.list_unknown(begun_before=0)
        assert [effect.action for effect in unknown] == ["break_it"]
        assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
    assert started.asked == ["crash tea", "price bread 1"]
    assert len(started.processes) == 2
    assert not any(is_alive(process) for process in started.processes)


async def test_a_server_that_died_between_two_calls_is_started_again(started: Shop) -> None:
    async with RuntimeLoop(started.load()) as runtime:
        assert await ask(runtime, "price", "tea") == ["2.5 EUR"]
        os.kill(started.processes[0], 9)
        async with asyncio.timeout(10):
            while is_alive(started.processes[0]):  # noqa: ASYNC110 - another process ends
                await asyncio.sleep(0.01)
        assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
    assert started.asked == ["price tea 1", "price bread 1"]


async def test_two_assistants_in_one_process_have_servers_of_their_own(
    started: Shop, tmp_path: Path
) -> None:
    config = started.load()
    async with RuntimeLoop(config) as one, RuntimeLoop(config) as two:
        said = await asyncio.gather(ask(one, "price", "tea"), ask(two, "price", "tea"))
        assert said == [["2.5 EUR"]] * 2
        await one.close()
        assert await ask(two, "price", "milk", user="bob") == ["2.5 EUR"]
        first, second = (is_alive(process) for process in started.processes)
        assert first != second
        # A changed assistant has servers of its own, too; those before it are stopped.
        await two.reload(started.load())
        assert not any(is_alive(process) for process in started.processes)
    assert not any(is_alive(process) for process in started.processes)


async def test_many_conversations_share_one_session(reached: Shop, address: str) -> None:
    reached.write(make_http_settings(address, max_calls=2))
    async with RuntimeLoop(reached.load()) as runtime:
        users = [f"user-{number}" for number in range(8)]
        said = await asyncio.gather(*(ask(runtime, "price", "tea", user=user) for user in users))
        assert said == [["2.5 EUR"]] * 8


async def test_a_server_sees_only_the_variables_that_it_is_given(
    started: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "of another")
    async with RuntimeLoop(started.load()) as runtime:
        assert await ask(runtime, "who") == ["nobody"]


async def test_a_program_that_is_not_there_is_told(started: Shop) -> None:
    started.write({"mcp": {"servers": {"shop": {"command": "no-such-program"}}}})
    async with RuntimeLoop(started.load()) as runtime:
        said = await ask(runtime, "price", "tea")
        assert said == [
            "unreachable: MCP server 'shop' cannot be used: there is no program 'no-such-program'"
        ]
        # Nothing was called, so nothing is unknown.
        assert await runtime.store.ledger.list_unknown(begun_before=0) == []


async def test_a_program_that_speaks_no_mcp_is_told(started: Shop) -> None:
    silent = {"command": "cat", "connect_timeout": 0.5}
    started.write({"mcp": {"servers": {"shop": silent}}})
    async with RuntimeLoop(started.load()) as runtime:
        (said,) = await ask(runtime, "price", "tea")
        assert said.startswith("unreachable: MCP server 'shop' cannot be used: ")


async def test_a_header_comes_from_the_environment(
    reached: Shop, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = {"Authorization": {"env": "TOKEN_OF_ANN", "prefix": "Bearer "}}
    reached.write(make_http_settings(address, headers=token))
    with capture_logs() as logs:
        async with RuntimeLoop(reached.load()) as runtime:
            (said,) = await ask(runtime, "price", "tea")
            assert "environment variable TOKEN_OF_ANN is not set" in said
            monkeypatch.setenv("TOKEN_OF_ANN", "s3cret")
            assert await ask(runtime, "who") == ["Bearer s3cret"]
    assert "s3cret" not in str(logs)


async def test_a_private_address_is_not_called_unless_it_is_allowed(
    reached: Shop, address: str
) -> None:
    settings = make_http_settings(address)
    for strict in ({}, {"allow": ["10.0.0.0/8"]}):
        reached.write({**settings, "outgoing": strict})
        async with RuntimeLoop(reached.load()) as runtime:
            (said,) = await ask(runtime, "price", "tea")
            assert said.startswith("unreachable: ")
            assert "'127.0.0.1' is a private address" in said
    assert reached.asked == []


async def test_a_server_that_is_away_is_told_and_used_when_it_is_back(reached: Shop) -> None:
    with serve_shop() as url:
        port = int(url.split(":")[2].split("/")[0])
    reached.write(make_http_settings(url))
    async with RuntimeLoop(reached.load()) as runtime:
        (said,) = await ask(runtime, "price", "tea")
        assert said.startswith("unreachable: ")
        with serve_shop(port):
            assert await ask(runtime, "price", "bread") == ["2.5 EUR"]
        (said,) = await ask(runtime, "price", "tea")
        assert said.startswith("unreachable: ")
        with serve_shop(port):
            assert await ask(runtime, "price", "milk") == ["2.5 EUR"]
        assert await runtime.store.ledger.list_unknown(begun_before=0) == []
    assert reached.asked == ["price bread 1", "price milk 1"]


async def test_a_tool_that_has_changed_is_told_and_not_called(reached: Shop) -> None:
    with serve_shop(extra_input=True) as url:
        reached.write(make_http_settings(url))
        with capture_logs() as logs:
            async with RuntimeLoop(reached.load()) as runtime:
                (said,) = await ask(runtime, "price", "tea")
                assert said.startswith(
                    "tool_changed: tool 'price' of server 'shop' has changed and needs 'country'"
                )
                assert "soni mcp sync" in said
                # Another tool of the same server goes on.
                assert await ask(runtime, "buy", "tea") == ["O-1"]
        changed = [log for log in logs if log["event"] == "mcp_tool_changed"]
        assert [(log["server"], log["tool"]) for log in changed] == [("shop", "price")]
        # After asking anew the check says what the assistant lacks.
        await lock_tools(reached)
        with pytest.raises(ConfigError, match="'country'"):
            reached.load()


@pytest.mark.parametrize("broken", ["status", "garbage", "gzip", "large", "closed"])
async def test_a_server_that_misbehaves_is_told(reached: Shop, broken: str) -> None:
    async with misbehaving(broken) as url:
        reached.write(make_http_settings(url))
        async with RuntimeLoop(reached.load()) as runtime:
            (said,) = await ask(runtime, "price", "tea")
            assert said.startswith("unreachable: MCP server 'shop' cannot be used: ")


def misbehaving(how: str) -> Any:
    from contextlib import asynccontextmanager

    answers = {
        "status": b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
        "garbage": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        b"content-length: 3\r\n\r\n{x}",
        "gzip": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        b"content-encoding: gzip\r\ncontent-length: 2\r\n\r\nxx",
        "large": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        b"content-length: 9000000\r\n\r\n" + b"x" * 9_000_000,
        "closed": b"",
    }

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers[how])
        try:
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            return

    @asynccontextmanager
    async def serve() -> Any:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"

    return serve()
