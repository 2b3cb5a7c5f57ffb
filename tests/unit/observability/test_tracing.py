"""What a trace of a conversation shows, and what it never shows."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from soni import RuntimeLoop, SoniConfig, TurnError, action
from soni.commands import SetSlot, StartFlow
from soni.config.settings import Observability
from soni.du import NLUOutput
from soni.du.context import Usage
from soni.du.scripted import ScriptError
from soni.observability.tracing import Tracing, find_endpoint, join_trace
from soni.observability.watcher import WatchedTelemetry
from tests.program import python
from tests.unit.observability.conftest import assert_no_values


class Watched:
    """A telemetry whose spans stay in memory."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.telemetry = WatchedTelemetry([Tracing(provider)])

    def take(self) -> tuple[ReadableSpan, ...]:
        spans = self.exporter.get_finished_spans()
        self.exporter.clear()
        return spans


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def parent(span: ReadableSpan, spans: tuple[ReadableSpan, ...]) -> str | None:
    by_id = {each.context.span_id: each.name for each in spans if each.context}
    return by_id.get(span.parent.span_id) if span.parent else None


async def tell(runtime: RuntimeLoop) -> None:
    await runtime.turn("send money", "ann")
    await runtime.turn("Zebulon", "ann")
    await runtime.turn("4321.5", "ann")


async def test_a_turn_holds_understanding_command_step_action_and_store(bank: SoniConfig) -> None:
    watched = Watched()
    async with RuntimeLoop(bank, telemetry=watched.telemetry) as runtime:
        await tell(runtime)
        watched.take()
        await runtime.turn("S3cr3t", "ann", message_id="m-4")
    spans = watched.take()
    tree = {(span.name, parent(span, spans)) for span in spans}
    assert tree == {
        ("invoke_agent bank", None),
        ("store receive", "invoke_agent bank"),
        ("store hold", "invoke_agent bank"),
        ("store find_entry", "invoke_agent bank"),
        ("store load", "invoke_agent bank"),
        ("understand", "invoke_agent bank"),
        ("command SetSlot", "invoke_agent bank"),
        ("step pay", "invoke_agent bank"),
        ("execute_tool transfer", "step pay"),
        ("store begin_effect", "execute_tool transfer"),
        ("store finish_effect", "execute_tool transfer"),
        ("step say_sent_amount_to_payee_reference", "invoke_agent bank"),
        ("store commit", "invoke_agent bank"),
    }
    turn = next(span for span in spans if span.name == "invoke_agent bank")
    assert attributes(turn) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "bank",
        "gen_ai.conversation.id": "ann",
        "soni.turn.input": "message",
        "soni.turn.number": 4,
        "soni.turn.replies": 1,
        "soni.turn.tasks": 0,
        "soni.turn.waiting": "nothing",
        "soni.outcome": "answered",
    }
    action = next(span for span in spans if span.name == "execute_tool transfer")
    assert attributes(action) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "transfer",
        "gen_ai.tool.type": "function",
        "soni.outcome": "ok",
    }
    assert len({span.context.trace_id for span in spans if span.context}) == 1


async def test_no_span_has_a_value_or_the_text_of_an_error(bank: SoniConfig) -> None:
    watched = Watched()
    async with RuntimeLoop(bank, telemetry=watched.telemetry) as runtime:
        for said in ("send money", "Mallory", "4321.5", "S3cr3t"):
            await runtime.turn(said, "ann")
        await runtime.turn("send money", "ann", commands=[StartFlow("send_money")])
        await runtime.turn(
            "Zebulon", "ann", commands=[SetSlot("nowhere", "Zebulon"), {"type": "Zebulon"}]
        )
    spans = watched.take()
    failed = next(span for span in spans if span.name == "execute_tool transfer")
    assert attributes(failed)["error.type"] == "other"
    assert not failed.status.is_ok
    assert failed.status.description is None
    assert not failed.events
    rejected = {
        span.name: attributes(span)["soni.command.decision"]
        for span in spans
        if span.name.startswith("command")
    }
    assert rejected["command unknown"] == "rejected"
    # The name of a step comes from its text in the YAML, not from what was said.
    told = [
        (span.name, attributes(span), span.events, span.status.description)
        for span in spans
        if not span.name.startswith("step say")
    ]
    assert_no_values(told)


async def test_a_trace_that_a_request_began_goes_on(bank: SoniConfig) -> None:
    watched = Watched()
    header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with RuntimeLoop(bank, telemetry=watched.telemetry) as runtime:
        with join_trace({"traceparent": header}):
            await runtime.turn("send money", "ann")
        await runtime.turn("Zebulon", "ann")
    first, second = [span for span in watched.take() if span.name == "invoke_agent bank"]
    assert first.context and first.parent and second.context
    assert f"{first.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
    assert f"{first.parent.span_id:016x}" == "b7ad6b7169203331"
    assert second.parent is None


async def test_what_an_action_traces_itself_is_inside_its_span(bank: SoniConfig) -> None:
    watched = Watched()
    seen = []

    async def transfer(payee: str, amount: float, pin: str) -> dict[str, str]:
        seen.append(trace.get_current_span().get_span_context().span_id)
        return {"reference": "R"}

    own = bank.with_functions([action(transfer)])
    async with RuntimeLoop(own, telemetry=watched.telemetry) as runtime:
        await tell(runtime)
        await runtime.turn("S3cr3t", "ann")
    made = next(span for span in watched.take() if span.name == "execute_tool transfer")
    assert made.context
    assert seen == [made.context.span_id]


class Model:
    """An understanding that says what its model took."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        if user_message == "boom":
            raise RuntimeError("Zebulon")
        used = Usage(model="openai/gpt-5-mini", calls=2, prompt_tokens=810, completion_tokens=31)
        return NLUOutput(commands=(StartFlow("send_money"),), source="llm", usage=used)


async def test_understanding_by_a_model_has_the_names_of_the_conventions(bank: SoniConfig) -> None:
    watched = Watched()
    async with RuntimeLoop(bank, nlu=Model(), telemetry=watched.telemetry) as runtime:
        await runtime.turn("send money", "ann")
        await runtime.turn("boom", "bob")
    good, bad = [span for span in watched.take() if span.name == "understand"]
    told = attributes(good)
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.request.model"] == "openai/gpt-5-mini"
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (810, 31)
    assert told["soni.model.calls"] == 2
    assert attributes(bad)["soni.outcome"] == "failed"
    assert_no_values(attributes(bad))


async def test_a_failed_turn_names_the_kind_of_its_error(bank: SoniConfig) -> None:
    watched = Watched()

    class Broken:
        def get_available_flows(self, state: Any, context: Any) -> list[str]:
            return []

        async def build(self, state: Any, context: Any) -> Any:
            raise ScriptError("Zebulon")

    async with RuntimeLoop(bank, scope=Broken(), telemetry=watched.telemetry) as runtime:
        with pytest.raises(TurnError):
            await runtime.turn("send money", "ann")
    turn = watched.take()[-1]
    told = attributes(turn)
    assert (told["soni.outcome"], told["error.type"]) == ("failed", "ScriptError")
    assert_no_values((told, turn.events, turn.status.description))


class Receiver:
    """A collector of OTLP on this machine."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, ExportTraceServiceRequest]] = []
        received = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((self.path, ExportTraceServiceRequest.FromString(body)))
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    thread = Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def observe(config: SoniConfig, **changes: Any) -> SoniConfig:
    watched = config.settings.observability.model_copy(update=changes)
    settings = config.settings.model_copy(update={"observability": watched})
    return config.model_copy(update={"settings": settings})


async def test_the_settings_alone_send_spans_to_a_collector(
    bank: SoniConfig, receiver: Receiver
) -> None:
    config = observe(bank, tracing="otlp", endpoint=receiver.url)
    async with RuntimeLoop(config) as runtime:
        await runtime.turn("send money", "ann")
    # Closing the runtime has sent what was left.
    path, sent = receiver.requests[-1]
    assert path == "/v1/traces"
    resource = {
        each.key: each.value.string_value for each in sent.resource_spans[0].resource.attributes
    }
    assert resource["service.name"] == "bank"
    names = [span.name for span in sent.resource_spans[0].scope_spans[0].spans]
    assert "invoke_agent bank" in names
    assert "step ask_payee" in names


async def test_the_environment_of_opentelemetry_takes_precedence(
    bank: SoniConfig, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "elsewhere")
    config = observe(bank, tracing="otlp", endpoint="http://127.0.0.1:9", sample_ratio=0)
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_on")
    async with RuntimeLoop(config) as runtime:
        await runtime.turn("send money", "ann")
    resource = receiver.requests[-1][1].resource_spans[0].resource
    assert "elsewhere" in {each.value.string_value for each in resource.attributes}


async def test_a_share_of_zero_sends_nothing(bank: SoniConfig, receiver: Receiver) -> None:
    config = observe(bank, tracing="otlp", endpoint=receiver.url, sample_ratio=0.0)
    async with RuntimeLoop(config) as runtime:
        await runtime.turn("send money", "ann")
    assert receiver.requests == []


@pytest.mark.parametrize(
    ("endpoint", "variables", "found"),
    [
        ("http://c:4318", {}, "http://c:4318/v1/traces"),
        ("http://c:4318/", {}, "http://c:4318/v1/traces"),
        ("http://c/otlp/v1/traces", {}, "http://c/otlp/v1/traces"),
        ("http://c", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://e"}, "http://e/v1/traces"),
        ("http://c", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/in"}, "http://t/in"),
    ],
)
def test_where_spans_go(
    endpoint: str, variables: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_endpoint(Observability(endpoint=endpoint)) == found


def test_an_application_that_traces_already_gets_the_spans(tmp_path: Path) -> None:
    # In a process of its own: the provider of an application is set once and for all.
    done = python(APPLICATION, tmp_path)
    assert done.stderr == ""
    assert done.stdout.split() == ["turn", "True"]


APPLICATION = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from soni.config.settings import Observability
from soni.core.telemetry import SpanKind
from soni.observability import open_telemetry

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
telemetry = open_telemetry(Observability(tracing="otlp", endpoint="http://127.0.0.1:9"))
with telemetry.start(SpanKind.TURN, "bank"):
    print("turn")
telemetry.close()
with telemetry.start(SpanKind.STEP, "after"):
    pass
print(len(exporter.get_finished_spans()) == 2)  # the application's provider is not shut down
"""
