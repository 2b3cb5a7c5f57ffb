"""OpenAI's form, as the official client sees it."""

import json
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import httpx
import openai
import pytest
from openai import OpenAI

from soni.core.storage_errors import BusyError
from soni.runtime.turn import Event, MessageEvent
from soni.server.chat_completion import CompletionWriter
from tests.protocol_server import Poet, Served, serve_bank

QUESTION = "From which account?\n1. current\n2. savings"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_bank(tmp_path_factory.mktemp("bank")) as served:
        yield served


@pytest.fixture
def ann(bank: Served) -> Iterator[OpenAI]:
    with make_client(bank, bank.ann) as client:
        yield client


def make_client(bank: Served, key: str) -> OpenAI:
    return OpenAI(base_url=f"{bank.url}/v1", api_key=key, max_retries=0)


def say(client: OpenAI, text: str, user: str) -> str:
    answer = client.chat.completions.create(
        model="soni", messages=[{"role": "user", "content": text}], user=user
    )
    [choice] = answer.choices
    assert choice.finish_reason == "stop"
    return choice.message.content or ""


def test_the_assistant_is_a_model(ann: OpenAI) -> None:
    [model] = ann.models.list().data
    assert (model.id, model.owned_by) == ("soni", "soni")
    assert ann.models.retrieve("soni").object == "model"
    with pytest.raises(openai.NotFoundError, match="available: soni"):
        ann.models.retrieve("gpt-5")


def test_a_whole_conversation_goes_on_under_the_name_that_the_client_gave(
    ann: OpenAI, bank: Served
) -> None:
    before = len(bank.sent)
    assert say(ann, "send 50 to Bob", "whole") == QUESTION
    assert say(ann, "current", "whole") == "Is it urgent?"
    assert say(ann, "no", "whole") == "Send 50 to Bob from your current account?"
    assert say(ann, "yes", "whole") == "Done: T-1."
    assert bank.sent[before:] == ["Bob 50 current False"]


def test_only_the_newest_message_of_the_user_counts(ann: OpenAI) -> None:
    answer = ann.chat.completions.create(
        model="whatever",
        messages=[
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": "what do I have"},
            {"role": "assistant", "content": "Your PIN?"},
            {"role": "user", "content": [{"type": "text", "text": "send money"}]},
        ],
        user="newest",
        temperature=0.3,
        n=3,
        tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}],
        response_format={"type": "json_object"},
    )
    assert [choice.message.content for choice in answer.choices] == ["To whom?"]
    assert answer.model == "whatever"
    assert answer.usage is not None
    assert answer.usage.total_tokens == 0


def test_the_same_name_of_two_keys_is_two_conversations(ann: OpenAI, bank: Served) -> None:
    assert say(ann, "send money", "shared") == "To whom?"
    with make_client(bank, bank.bob) as bob:
        assert say(bob, "what do I have", "shared") == "Your PIN?"
    assert say(ann, "Bob", "shared") == "How much?"


def test_the_header_names_the_conversation_as_well(ann: OpenAI, bank: Served) -> None:
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "user", "content": "send money"}
    ]
    first = ann.chat.completions.with_raw_response.create(model="soni", messages=messages)
    given = first.headers["x-conversation-id"]
    second = ann.chat.completions.create(
        model="soni",
        messages=[
            *messages,
            {"role": "assistant", "content": "To whom?"},
            {"role": "user", "content": "Bob"},
        ],
        extra_headers={"X-Conversation-Id": given},
    )
    assert second.choices[0].message.content == "How much?"
    told = httpx.get(
        f"{bank.url}/api/conversations/{given}", headers={"authorization": f"Bearer {bank.ann}"}
    ).json()
    assert told["tasks"][0]["slots"] == {"recipient": "Bob"}


def test_somebody_elses_conversation_is_no_name_that_opens_it(ann: OpenAI, bank: Served) -> None:
    first = ann.chat.completions.with_raw_response.create(
        model="soni", messages=[{"role": "user", "content": "send money"}]
    )
    with make_client(bank, bank.bob) as bob:
        answer = bob.chat.completions.with_raw_response.create(
            model="soni",
            messages=[{"role": "user", "content": "what do I have"}],
            extra_headers={"X-Conversation-Id": first.headers["x-conversation-id"]},
        )
    assert answer.headers["x-conversation-id"] != first.headers["x-conversation-id"]
    assert answer.parse().choices[0].message.content == "Your PIN?"


def test_a_chat_that_goes_on_without_a_name_is_told_how_to_give_one(ann: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="x-conversation-id") as refused:
        ann.chat.completions.create(
            model="soni",
            messages=[
                {"role": "user", "content": "send money"},
                {"role": "assistant", "content": "To whom?"},
                {"role": "user", "content": "Bob"},
            ],
        )
    assert refused.value.code == "invalid_request"
    assert refused.value.type == "invalid_request_error"


def test_a_wrong_key_is_an_authentication_error(bank: Served) -> None:
    with make_client(bank, "soni_nobody") as nobody:
        with pytest.raises(openai.AuthenticationError) as refused:
            nobody.models.list()
        with pytest.raises(openai.AuthenticationError):
            say(nobody, "send money", "x")
    assert refused.value.code == "unauthenticated"
    assert isinstance(refused.value.body, dict)
    assert refused.value.body["type"] == "authentication_error"


def test_what_has_no_text_is_a_bad_request(ann: OpenAI) -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    for content in ("  ", [image], "x" * 20_001):
        with pytest.raises(openai.BadRequestError, match="messages"):
            ann.chat.completions.create(
                model="soni",
                messages=[{"role": "user", "content": content}],  # type: ignore[list-item]
                user="bad",
            )
    with pytest.raises(openai.BadRequestError, match="messages"):
        ann.chat.completions.create(model="soni", messages=[], user="bad")


def test_a_body_that_is_no_json_has_an_error_of_that_form_too(bank: Served) -> None:
    headers = {"authorization": f"Bearer {bank.ann}", "content-type": "application/json"}
    lone = b'{"model": "\\ud800", "messages": [{"role": "user", "content": "hi"}]}'
    for body in (b"{", b"\xff\xfe", lone):
        answer = httpx.post(f"{bank.url}/v1/chat/completions", content=body, headers=headers)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] in ("malformed_body", "invalid_request")


def test_a_long_chat_fits_although_other_bodies_may_not_be_so_long(ann: OpenAI) -> None:
    history: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "assistant", "content": "x" * 1000} for _ in range(200)
    ]
    answer = ann.chat.completions.create(
        model="soni", messages=[*history, {"role": "user", "content": "send money"}], user="long"
    )
    assert answer.choices[0].message.content == "To whom?"
    with pytest.raises(openai.APIStatusError) as refused:
        ann.chat.completions.create(
            model="soni", messages=[{"role": "user", "content": "x" * 1_100_000}], user="long"
        )
    assert refused.value.status_code == 413


def test_a_request_sent_again_with_its_key_is_done_once(ann: OpenAI, bank: Served) -> None:
    before = len(bank.sent)
    for text in ("send 50 to Bob", "current", "no"):
        say(ann, text, "again")
    for _ in range(2):
        answer = ann.chat.completions.create(
            model="soni",
            messages=[{"role": "user", "content": "yes"}],
            user="again",
            extra_headers={"Idempotency-Key": "m-4"},
        )
        assert answer.choices[0].message.content == "Done: T-1."
    assert len(bank.sent) == before + 1


def test_a_stream_brings_pieces_as_a_model_writes_them(ann: OpenAI) -> None:
    stream = ann.chat.completions.create(
        model="soni",
        messages=[{"role": "user", "content": "a poem"}],
        user="poem",
        stream=True,
        stream_options={"include_usage": True},
    )
    *chunks, last = list(stream)
    texts = [chunk.choices[0].delta.content for chunk in chunks]
    assert texts == ["", "Listen.", "\nCoins ", "shine.", None]
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks][-2:] == [None, "stop"]
    assert last.choices == []
    assert last.usage is not None
    assert (last.usage.prompt_tokens, last.usage.completion_tokens) == (7, 3)
    assert len({chunk.id for chunk in chunks}) == 1


def test_the_stream_is_what_openai_sends(bank: Served) -> None:
    answer = httpx.post(
        f"{bank.url}/v1/chat/completions",
        headers={"authorization": f"Bearer {bank.ann}"},
        json={
            "messages": [{"role": "user", "content": "send money"}],
            "user": "lines",
            "stream": True,
        },
    )
    assert answer.headers["content-type"].startswith("text/event-stream")
    *data, done, rest = answer.text.split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    chunks = [json.loads(line.removeprefix("data: ")) for line in data]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert not any("usage" in chunk for chunk in chunks)


def test_a_text_that_a_model_left_unfinished_is_followed_by_the_one_that_holds(
    tmp_path: Path,
) -> None:
    with serve_bank(tmp_path, Poet(fails=True)) as bank, make_client(bank, bank.ann) as ann:
        stream = ann.chat.completions.create(
            model="soni", messages=[{"role": "user", "content": "a poem"}], user="p", stream=True
        )
        texts = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert "".join(texts) == "Listen.\nCoins \nI have no words."


def test_an_error_at_once_is_an_error_of_the_streamed_request(bank: Served) -> None:
    with make_client(bank, "soni_nobody") as nobody, pytest.raises(openai.AuthenticationError):
        nobody.chat.completions.create(
            model="soni", messages=[{"role": "user", "content": "hi"}], user="s", stream=True
        )


def test_a_turn_that_takes_too_long_is_not_sent_again_by_the_client_itself(tmp_path: Path) -> None:
    with serve_bank(tmp_path, Poet(seconds=0.5), "{ turn_seconds: 0.1 }") as bank:
        client = OpenAI(base_url=f"{bank.url}/v1", api_key=bank.ann, max_retries=2)
        with client, pytest.raises(openai.InternalServerError) as failed:
            say(client, "a poem", "slow")
    assert failed.value.status_code == 504
    assert failed.value.code == "turn_timeout"
    assert failed.value.response.headers["x-should-retry"] == "false"


async def test_an_error_amid_a_stream_ends_it() -> None:
    async def fail() -> AsyncGenerator[Event, None]:
        yield MessageEvent("Listen.")
        raise BusyError("somebody else has it")

    events = fail()
    lines = [
        line
        async for line in CompletionWriter("c", 0, "m").stream_chunks(await anext(events), events)
    ]
    assert json.loads(lines[-1].removeprefix("data: "))["error"]["code"] == "conversation_busy"
    assert "[DONE]" not in "".join(lines)


async def test_the_asynchronous_client_talks_as_well(bank: Served) -> None:
    async with openai.AsyncOpenAI(base_url=f"{bank.url}/v1", api_key=bank.ann) as client:
        stream = await client.chat.completions.create(
            model="soni",
            messages=[{"role": "user", "content": "send money"}],
            user="async",
            stream=True,
        )
        texts = [chunk.choices[0].delta.content or "" async for chunk in stream]
    assert "".join(texts) == "To whom?"
