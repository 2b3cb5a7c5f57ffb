"""The assistant as an MCP server, as the package's own client sees it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    CallToolResult,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

from tests.protocol_server import Served, serve_bank

MODES = ["legacy", "2026-07-28"]
EVERYTHING = {"recipient": "Bob", "amount": 50, "account": "current", "urgent": False}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_bank(tmp_path_factory.mktemp("bank")) as served:
        yield served


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Served]:
    with serve_bank(tmp_path, keeps_sessions=False) as served:
        yield served


class Person:
    """Somebody who fills in forms."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []
        self.forms: list[dict[str, Any]] = []

    async def answer(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        self.forms.append(params.model_dump(by_alias=True)["requestedSchema"])
        given = self._answers.pop(0)
        if given in ("decline", "cancel"):
            return ElicitResult(action=given)
        return ElicitResult(action="accept", content=None if given is None else {"answer": given})


@asynccontextmanager
async def connect(
    bank: Served, mode: str, person: Person | None = None, key: str | None = None, **headers: str
) -> AsyncIterator[Client]:
    given = {"authorization": f"Bearer {key or bank.ann}", **headers}
    async with httpx2.AsyncClient(headers=given, verify=False) as http:
        transport = streamable_http_client(f"{bank.url}/mcp", http_client=http)
        callback = person.answer if person else None
        async with Client(transport, mode=mode, elicitation_callback=callback) as client:
            yield client


def read_conversation(bank: Served, name: str) -> Any:
    headers = {"authorization": f"Bearer {bank.ann}"}
    return httpx.get(f"{bank.url}/api/conversations/{name}", headers=headers).json()


def read_text(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


@pytest.mark.parametrize("mode", MODES)
async def test_each_flow_that_users_can_start_is_a_tool(bank: Served, mode: str) -> None:
    async with connect(bank, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == ["send_money", "check_balance", "not_for_guests", "write_poem", "reply"]
    send = tools["send_money"]
    assert (send.description or "").startswith("Send money to somebody. Nothing that needs consent")
    assert "required" not in send.input_schema
    properties = send.input_schema["properties"]
    assert properties["amount"] == {"type": "number", "description": "How much?"}
    assert properties["account"]["enum"] == ["current", "savings"]
    assert properties["urgent"]["type"] == "boolean"
    assert send.annotations is not None
    assert send.annotations.destructive_hint
    assert list(tools["check_balance"].input_schema["properties"]) == ["conversation_id"]


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_missing_and_consent_are_asked_of_the_person(bank: Served, mode: str) -> None:
    before, ann = len(bank.sent), Person("Bob", "savings", True, True)
    async with connect(bank, mode, ann) as client:
        result = await client.call_tool("send_money", {"amount": 50})
    assert ann.asked == [
        "To whom?",
        "From which account?\n1. current\n2. savings",
        "Is it urgent?",
        "Send 50 to Bob from your savings account?",
    ]
    kinds = [form["properties"]["answer"]["type"] for form in ann.forms]
    assert kinds == ["string", "string", "boolean", "boolean"]
    assert ann.forms[1]["properties"]["answer"]["enum"] == ["current", "savings"]
    assert all(form["required"] == ["answer"] for form in ann.forms)
    assert not result.is_error
    told = result.structured_content
    assert told["outputs"] == {"reference": "T-1"}
    assert told["waiting"] is None
    assert told["replies"][-1] == {"text": "Done: T-1."}
    assert told["state"] == "idle"
    assert bank.sent[before:] == ["Bob 50 savings True"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", [False, "decline", "cancel", None, "yes"])
async def test_without_an_explicit_yes_nothing_is_done(
    bank: Served, mode: str, answer: Any
) -> None:
    before, ann = len(bank.sent), Person(answer, "decline")
    async with connect(bank, mode, ann) as client:
        result = await client.call_tool("send_money", EVERYTHING)
    assert ann.asked[0] == "Send 50 to Bob from your current account?"
    assert result.structured_content["outputs"] == {}
    assert len(bank.sent) == before


@pytest.mark.parametrize("mode", MODES)
async def test_who_declines_gives_the_task_up(bank: Served, mode: str) -> None:
    async with connect(bank, mode, Person("decline")) as client:
        result = await client.call_tool("send_money", {})
    assert result.structured_content["waiting"] is None
    told = read_conversation(bank, result.structured_content["conversation_id"])
    assert told["tasks"] == []


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_cannot_ask_is_told_what_is_missing(bank: Served, mode: str) -> None:
    before = len(bank.sent)
    async with connect(bank, mode) as client:
        first = await client.call_tool("send_money", {"recipient": "Bob", "amount": 50})
        told = first.structured_content
        assert read_text(first).startswith("From which account?")
        assert "waits for `account`" in read_text(first)
        assert told["waiting"]["slot"] == "account"
        assert told["waiting"]["answer"]["enum"] == ["current", "savings"]
        same = {"conversation_id": told["conversation_id"]}
        second = await client.call_tool(
            "send_money", {"account": "current", "urgent": False, **same}
        )
        assert second.structured_content["waiting"]["needs_consent"]
        assert "needs the user's consent" in read_text(second)
        assert len(bank.sent) == before
        third = await client.call_tool("reply", {"text": "yes", **same})
    assert third.structured_content["outputs"] == {"reference": "T-1"}
    assert bank.sent[before:] == ["Bob 50 current False"]


async def test_a_session_is_one_conversation(bank: Served) -> None:
    async with connect(bank, "legacy") as client:
        first = await client.call_tool("send_money", {})
        second = await client.call_tool("reply", {"text": "Bob"})
    assert read_text(second).startswith("How much?")
    assert (
        first.structured_content["conversation_id"]
        == (second.structured_content["conversation_id"])
    )


async def test_without_a_session_a_reply_names_its_conversation(bank: Served) -> None:
    async with connect(bank, "2026-07-28") as client:
        lost = await client.call_tool("reply", {"text": "Bob"})
        assert lost.is_error
        assert "conversation_id" in read_text(lost)
        first = await client.call_tool("send_money", {})
        second = await client.call_tool("send_money", {})
    told = [each.structured_content["conversation_id"] for each in (first, second)]
    assert len(set(told)) == 2


async def test_a_secret_is_asked_for_in_no_form(bank: Served) -> None:
    ann = Person()
    async with connect(bank, "legacy", ann) as client:
        result = await client.call_tool("check_balance", {})
    assert ann.asked == []
    assert "`pin` is a secret" in read_text(result)
    assert result.structured_content["waiting"]["slot"] == "pin"


@pytest.mark.parametrize("mode", MODES)
async def test_a_refused_value_is_asked_for_again_with_the_reason(bank: Served, mode: str) -> None:
    ann = Person(75, "decline")
    async with connect(bank, mode, ann) as client:
        await client.call_tool("send_money", {"recipient": "Bob", "amount": "a lot"})
    assert ann.asked[0].endswith("How much?")
    assert len(ann.asked[0]) > len("How much?")


@pytest.mark.parametrize("mode", MODES)
async def test_a_task_below_is_not_asked_about_by_another_tool(bank: Served, mode: str) -> None:
    async with connect(bank, mode) as client:
        first = await client.call_tool("send_money", {})
    named = {"conversation_id": first.structured_content["conversation_id"]}
    ann = Person()
    async with connect(bank, mode, ann) as client:
        poem = await client.call_tool("write_poem", named)
    assert ann.asked == []
    assert [each["text"] for each in poem.structured_content["replies"]][:2] == [
        "Listen.",
        "Coins shine.",
    ]
    assert poem.structured_content["waiting"]["slot"] == "recipient"


@pytest.mark.parametrize("mode", MODES)
async def test_the_conditions_of_a_flow_hold_for_tools(bank: Served, mode: str) -> None:
    async with connect(bank, mode) as client:
        result = await client.call_tool("not_for_guests", {})
        hidden = await client.call_tool("inner", {})
    assert "Welcome, member." not in read_text(result)
    assert hidden.is_error
    assert "available: send_money" in read_text(hidden)


@pytest.mark.parametrize("mode", MODES)
async def test_wrong_arguments_are_named(bank: Served, mode: str) -> None:
    async with connect(bank, mode) as client:
        for name, arguments, said in (
            ("send_money", {"pin": "1"}, "send_money takes no pin; it takes recipient, amount"),
            ("send_money", {"conversation_id": "m_unknown"}, "no such conversation"),
            ("send_money", {"conversation_id": 3}, "no such conversation"),
            ("reply", {"text": " ", "conversation_id": "\0"}, "no such conversation"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert said in read_text(result)


async def test_an_empty_reply_is_refused(bank: Served) -> None:
    async with connect(bank, "legacy") as client:
        result = await client.call_tool("reply", {"text": " "})
    assert result.is_error
    assert "1 to 20,000 characters" in read_text(result)


@pytest.mark.parametrize("mode", MODES)
async def test_a_conversation_of_somebody_else_does_not_exist(bank: Served, mode: str) -> None:
    async with connect(bank, mode) as ann:
        first = await ann.call_tool("send_money", {})
    named = first.structured_content["conversation_id"]
    async with connect(bank, mode, key=bank.bob) as bob:
        result = await bob.call_tool("reply", {"text": "Eve", "conversation_id": named})
    assert result.is_error
    assert "no such conversation" in read_text(result)


def test_a_session_is_of_use_only_to_who_opened_it(bank: Served) -> None:
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    headers = {"accept": "application/json, text/event-stream"}
    url, ann = f"{bank.url}/mcp", {"authorization": f"Bearer {bank.ann}"}
    opened = httpx.post(url, json=opening, headers={**headers, **ann})
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    bob = {"authorization": f"Bearer {bank.bob}"}
    assert httpx.post(url, json=listing, headers={**headers, **session, **bob}).status_code == 404
    assert httpx.post(url, json=listing, headers={**headers, **session, **ann}).status_code == 200
    assert httpx.delete(url, headers={**headers, **session, **ann}).status_code == 200


def test_nobody_else_gets_in(bank: Served) -> None:
    url = f"{bank.url}/mcp"
    for method in ("GET", "POST", "DELETE"):
        answer = httpx.request(method, url)
        assert answer.status_code == 401
        assert answer.json()["code"] == "unauthenticated"
    key = {"authorization": f"Bearer {bank.ann}", "content-type": "application/json"}
    assert httpx.post(url, headers={**key, "host": "evil.example"}).status_code == 421
    assert httpx.post(url, headers={**key, "origin": "http://evil.example"}).status_code == 403


async def test_a_client_with_a_wrong_key_is_not_connected(bank: Served) -> None:
    with pytest.raises((MCPError, httpx2.HTTPError, ExceptionGroup)):
        async with connect(bank, "legacy", key="soni_nobody"):
            pass


async def test_a_changed_request_state_agrees_to_nothing(bank: Served) -> None:
    before = len(bank.sent)
    async with connect(bank, "2026-07-28") as client:
        first = await client.call_tool("send_money", EVERYTHING)
    named = first.structured_content["conversation_id"]
    person = Person()
    async with connect(bank, "2026-07-28", person) as client:
        for state in (
            "nonsense",
            '{"conversation_id": "c_other", "question_id": "q"}',
            f'{{"conversation_id": "{named}", "question_id": "q_other"}}',
        ):
            result = await client.session.call_tool(
                "send_money",
                EVERYTHING,
                input_responses={"answer": ElicitResult(action="accept", content={"answer": True})},
                request_state=state,
                allow_input_required=True,
            )
            assert getattr(result, "is_error", False) or result.result_type == "input_required"
    assert len(bank.sent) == before
    assert read_conversation(bank, named)["waiting"]["kind"] == "confirm"


async def test_a_yes_to_what_was_changed_meanwhile_is_no_consent(bank: Served) -> None:
    before = len(bank.sent)
    async with connect(bank, "legacy") as client:
        first = await client.call_tool("send_money", EVERYTHING)
    named = first.structured_content["conversation_id"]

    class Slow(Person):
        """Somebody who says no elsewhere before they answer."""

        async def answer(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
            if not self.asked:
                async with httpx.AsyncClient() as other:
                    await other.post(
                        f"{bank.url}/api/conversations/{named}/messages",
                        headers={"authorization": f"Bearer {bank.ann}"},
                        json={"text": "no"},
                    )
            return await super().answer(context, params)

    ann = Slow(True, "decline")
    async with connect(bank, "legacy", ann) as client:
        await client.call_tool("send_money", {"conversation_id": named})
    assert ann.asked[0] == "Send 50 to Bob from your current account?"
    assert len(bank.sent) == before


async def test_a_client_that_fails_to_ask_is_told_what_is_missing(bank: Served) -> None:
    class Broken(Person):
        """A client that says it can ask, and cannot."""

        async def answer(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
            raise MCPError(-32603, "no window")

    async with connect(bank, "legacy", Broken()) as client:
        result = await client.call_tool("send_money", {})
    assert result.structured_content["waiting"]["slot"] == "recipient"


async def test_a_call_made_again_with_the_same_answer_is_done_once(bank: Served) -> None:
    before = len(bank.sent)
    async with connect(bank, "2026-07-28", Person()) as client:
        asked = await client.session.call_tool("send_money", EVERYTHING, allow_input_required=True)
        assert isinstance(asked, InputRequiredResult)
        for _ in range(2):
            done = await client.session.call_tool(
                "send_money",
                EVERYTHING,
                input_responses={"answer": ElicitResult(action="accept", content={"answer": True})},
                request_state=asked.request_state,
            )
            assert read_text(done) == "Done: T-1."
    assert len(bank.sent) == before + 1


async def test_several_processes_need_no_session(workers: Served) -> None:
    ann = Person(True)
    async with connect(workers, "legacy", ann) as client:
        result = await client.call_tool("send_money", EVERYTHING)
        assert ann.asked == []
        assert result.structured_content["waiting"]["needs_consent"]
    assert workers.sent == []
    async with connect(workers, "2026-07-28", ann) as client:
        result = await client.call_tool("send_money", EVERYTHING)
    assert workers.sent == ["Bob 50 current False"]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Served]:
    with serve_bank(tmp_path, mounted_at="/assistant") as served:
        yield served


async def test_it_works_inside_of_another_app(mounted: Served) -> None:
    async with connect(mounted, "legacy", Person(True)) as client:
        result = await client.call_tool("send_money", EVERYTHING)
    assert result.structured_content["outputs"] == {"reference": "T-1"}


def test_without_the_extra_the_server_starts_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.server.mcp.endpoint.find_spec", lambda name: None)
    with serve_bank(tmp_path) as bank:
        answer = httpx.post(f"{bank.url}/mcp", headers={"authorization": f"Bearer {bank.ann}"})
    assert answer.status_code == 501
    assert answer.json()["code"] == "extra_missing"
