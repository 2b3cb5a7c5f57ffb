"""AG-UI: each event is one of the protocol's own models, and a run can be repeated."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from ag_ui.core import (
    PROTOCOL_VERSION,
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    Event,
    EventType,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    UserMessage,
)
from pydantic import TypeAdapter

from tests.protocol_server import Poet, Served, serve_bank

EVENTS: TypeAdapter[BaseEvent] = TypeAdapter(Event)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_bank(tmp_path_factory.mktemp("bank")) as served:
        yield served


class Thread:
    """What an AG-UI client does: it sends all messages so far, and reads the events."""

    def __init__(self, bank: Served, name: str, **props: Any) -> None:
        self._bank = bank
        self._name = name
        self._props = {"soni": props} if props else None
        self._ids = count(1)
        self.messages: list[Any] = []
        self.version: str | None = PROTOCOL_VERSION

    def say(self, text: str, **more: Any) -> list[BaseEvent]:
        self.messages.append(UserMessage(id=f"m-{len(self.messages)}", content=text))
        return self.run(**more)

    def run(self, **more: Any) -> list[BaseEvent]:
        wanted = RunAgentInput(
            thread_id=self._name,
            run_id=f"r-{next(self._ids)}",
            messages=self.messages,
            protocol_version=self.version,
            forwarded_props=self._props,
            **more,
        )
        return read_events(send(self._bank, wanted.model_dump(by_alias=True, mode="json")))

    def resume(self, interrupt_id: str, status: str, payload: Any = None) -> list[BaseEvent]:
        entry = {"interruptId": interrupt_id, "status": status, "payload": payload}
        return self.run(resume=[entry])


def send(bank: Served, body: Any, key: str | None = None) -> httpx.Response:
    headers = {"authorization": f"Bearer {key or bank.ann}", "content-type": "application/json"}
    return httpx.post(f"{bank.url}/ag-ui", content=json.dumps(body), headers=headers, verify=False)


def read_events(answer: httpx.Response) -> list[BaseEvent]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = answer.text.removesuffix("\n\n").split("\n\n")
    events = [EVENTS.validate_json(block.removeprefix("data: ")) for block in blocks]
    assert events[0].type == EventType.RUN_STARTED
    return events


def list_types(events: list[BaseEvent]) -> list[str]:
    return [event.type.value for event in events]


def read_texts(events: list[BaseEvent]) -> list[str]:
    texts: dict[str, str] = {}
    for event in events:
        if isinstance(event, TextMessageStartEvent):
            texts[event.message_id] = ""
        if isinstance(event, TextMessageContentEvent):
            texts[event.message_id] += event.delta
    return list(texts.values())


def read_interrupt(events: list[BaseEvent]) -> Any:
    last = events[-1]
    assert isinstance(last, RunFinishedEvent)
    assert last.outcome is not None
    return last.outcome.interrupts[0] if last.outcome.type == "interrupt" else None


def reach_consent(thread: Thread) -> Any:
    for text in ("send 50 to Bob", "current"):
        assert read_interrupt(thread.say(text)) is None
    return read_interrupt(thread.say("no"))


def test_a_run_tells_what_is_said_shown_and_waited_for(bank: Served) -> None:
    events = Thread(bank, "one").say("send 50 to Bob")
    assert list_types(events) == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "CUSTOM",
        "CUSTOM",
        "STATE_SNAPSHOT",
        "RUN_FINISHED",
    ]
    assert read_texts(events) == ["From which account?\n1. current\n2. savings"]
    shown, waiting = (event for event in events if isinstance(event, CustomEvent))
    assert (shown.name, waiting.name) == ("soni.ui", "soni.waiting")
    assert shown.value["ui"]["type"] == "buttons"
    assert waiting.value == {
        "kind": "collect",
        "slot": "account",
        "options": ["current", "savings"],
    }
    [state] = (event for event in events if isinstance(event, StateSnapshotEvent))
    assert state.snapshot["tasks"][0]["slots"] == {"recipient": "Bob", "amount": 50}


def test_sensitive_values_are_masked_in_the_snapshot(bank: Served) -> None:
    thread = Thread(bank, "secret")
    thread.say("what do I have")
    events = thread.say("1234")
    assert read_texts(events) == ["You have 100."]
    assert "1234" not in json.dumps([event.model_dump(mode="json") for event in events])


def test_a_text_of_a_model_comes_in_pieces_of_one_message(bank: Served) -> None:
    events = Thread(bank, "poem").say("a poem")
    assert read_texts(events) == ["Listen.", "Coins shine."]
    deltas = [each.delta for each in events if isinstance(each, TextMessageContentEvent)]
    assert deltas == ["Listen.", "Coins ", "shine."]
    last = events[-1]
    assert isinstance(last, RunFinishedEvent)
    assert last.usage is not None
    assert (last.usage[0].model, last.usage[0].total_tokens) == ("poet", 10)


def test_a_text_that_a_model_left_unfinished_is_followed_by_another_message(tmp_path: Path) -> None:
    with serve_bank(tmp_path, Poet(fails=True)) as bank:
        assert read_texts(Thread(bank, "p").say("a poem")) == [
            "Listen.",
            "Coins ",
            "I have no words.",
        ]


def test_consent_is_an_interrupt_and_a_yes_resumes_it(bank: Served) -> None:
    thread = Thread(bank, "consent")
    before = len(bank.sent)
    interrupt = reach_consent(thread)
    assert interrupt.message == "Send 50 to Bob from your current account?"
    assert interrupt.reason == "soni:confirm"
    assert interrupt.response_schema["properties"]["answer"]["type"] == "boolean"
    assert len(bank.sent) == before
    done = thread.resume(interrupt.id, "resolved", {"answer": True})
    assert read_texts(done) == ["Done: T-1."]
    assert read_interrupt(done) is None
    again = thread.resume(interrupt.id, "resolved", {"answer": True})
    assert read_texts(again) == ["Done: T-1."]
    assert len(bank.sent) == before + 1


@pytest.mark.parametrize("payload", [False, {"answer": False}])
def test_a_no_resumes_without_doing_it(bank: Served, payload: Any) -> None:
    thread = Thread(bank, f"no-{payload}")
    before = len(bank.sent)
    thread.resume(reach_consent(thread).id, "resolved", payload)
    assert len(bank.sent) == before


@pytest.mark.parametrize("payload", [1, None, "true", {"answer": "ok then perhaps"}])
def test_only_an_explicit_yes_is_consent(bank: Served, payload: Any) -> None:
    thread = Thread(bank, f"vague-{payload}")
    before = len(bank.sent)
    thread.resume(reach_consent(thread).id, "resolved", payload)
    assert len(bank.sent) == before


def test_an_abandoned_interrupt_gives_the_task_up(bank: Served) -> None:
    thread = Thread(bank, "abandoned")
    events = thread.resume(reach_consent(thread).id, "cancelled")
    [state] = (event for event in events if isinstance(event, StateSnapshotEvent))
    assert state.snapshot["tasks"] == []


def test_words_in_place_of_the_button_are_read(bank: Served) -> None:
    thread = Thread(bank, "words")
    before = len(bank.sent)
    interrupt = reach_consent(thread)
    entry = {"interruptId": interrupt.id, "status": "cancelled"}
    assert read_texts(thread.say("yes", resume=[entry])) == ["Done: T-1."]
    assert len(bank.sent) == before + 1


def test_an_answer_to_what_is_no_longer_asked_does_nothing(bank: Served) -> None:
    thread = Thread(bank, "stale")
    before = len(bank.sent)
    interrupt = reach_consent(thread)
    newer = read_interrupt(thread.say("what do I have", resume=[]))
    assert newer is None
    for name in (interrupt.id, "nonsense", f"q_{'0' * 40}"):
        events = thread.resume(name, "resolved", True)
        assert list_types(events)[1:] == ["CUSTOM", "STATE_SNAPSHOT", "RUN_FINISHED"]
    assert len(bank.sent) == before


def test_a_payload_that_makes_no_sense_is_an_error_of_the_run(bank: Served) -> None:
    thread = Thread(bank, "senseless")
    events = thread.resume(reach_consent(thread).id, "resolved", {"approved": True})
    last = events[-1]
    assert isinstance(last, RunErrorEvent)
    assert last.code == "invalid_request"
    assert "`answer`" in last.message


def test_every_question_is_an_interrupt_for_those_who_want_it(bank: Served) -> None:
    thread = Thread(bank, "forms", interrupts="all")
    before = len(bank.sent)
    asked, answers = thread.say("send money"), ["Eve", 75, "savings", True, True]
    schemas = []
    for answer in answers:
        interrupt = read_interrupt(asked)
        schemas.append(interrupt.response_schema["properties"]["answer"])
        asked = thread.resume(interrupt.id, "resolved", {"answer": answer})
    assert [schema["type"] for schema in schemas] == [
        "string",
        "number",
        "string",
        "boolean",
        "boolean",
    ]
    assert schemas[2]["enum"] == ["current", "savings"]
    assert read_texts(asked) == ["Done: T-1."]
    assert bank.sent[before:] == ["Eve 75 savings True"]


def test_clients_of_before_interrupts_just_talk(bank: Served) -> None:
    thread = Thread(bank, "old")
    thread.version = None
    assert reach_consent(thread) is None
    assert read_texts(thread.say("yes")) == ["Done: T-1."]
    without = Thread(bank, "unwanted", interrupts="none")
    assert reach_consent(without) is None


def test_a_run_sent_again_says_the_same_and_does_nothing_twice(bank: Served) -> None:
    thread = Thread(bank, "twice", interrupts="none")
    before = len(bank.sent)
    reach_consent(thread)
    first, second = thread.say("yes"), thread.run()
    started = [e.message_id for e in first if isinstance(e, TextMessageStartEvent)]
    assert started == [e.message_id for e in second if isinstance(e, TextMessageStartEvent)]
    assert read_texts(second) == ["Done: T-1."]
    last = second[-1]
    assert isinstance(last, RunFinishedEvent)
    assert last.result["repeated"] is True
    assert len(bank.sent) == before + 1


@pytest.mark.parametrize(("seen", "rest"), [("To whom?", []), ("To w", ["hom?"])])
def test_a_repeated_run_sends_what_the_client_has_not_seen(
    bank: Served, seen: str, rest: list[str]
) -> None:
    thread = Thread(bank, f"seen-{seen}")
    [started] = (e for e in thread.say("send money") if isinstance(e, TextMessageStartEvent))
    thread.messages.append(AssistantMessage(id=started.message_id, content=seen))
    assert read_texts(thread.run()) == rest


def test_a_run_without_a_message_tells_where_the_thread_stands(bank: Served) -> None:
    assert list_types(Thread(bank, "fresh").run()) == [
        "RUN_STARTED",
        "STATE_SNAPSHOT",
        "RUN_FINISHED",
    ]


def test_the_same_thread_of_somebody_else_is_another_conversation(bank: Served) -> None:
    Thread(bank, "mine").say("send money")
    body = {
        "threadId": "mine",
        "runId": "r",
        "messages": [{"id": "x", "role": "user", "content": [{"type": "text", "text": "a poem"}]}],
    }
    events = read_events(send(bank, body, bank.bob))
    assert read_texts(events) == ["Listen.", "Coins shine."]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"messages": [{"id": "x", "role": "user", "content": " "}]}, "no text"),
        ({"messages": [{"id": "x", "role": "user", "content": "x" * 20_001}]}, "20,000"),
        ({"forwardedProps": {"soni": {"interrupts": "some"}}}, "forwardedProps.soni: interrupts"),
        ({"forwardedProps": {"soni": 3}}, "forwardedProps.soni"),
        ({"runId": None}, "runId"),
        ({"threadId": "\ud800"}, "threadId"),
        ({"runId": "\0"}, "runId"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(bank: Served, change: Any, said: str) -> None:
    body = {"threadId": "t", "runId": "r", "messages": [], **change}
    answer = send(bank, body)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]
    assert send(bank, body, "soni_nobody").status_code == 401
