"""Watching costs nothing when it is off, and never hurts a conversation when it is on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from soni import RuntimeLoop, SoniConfig
from soni.config.settings import Observability
from soni.config.version import compute_fingerprint
from soni.core.telemetry import NO_TELEMETRY, SpanKind
from soni.observability import open_telemetry
from soni.observability.watcher import WatchedSpan, WatchedTelemetry
from tests.program import python
from tests.talking import assistant
from tests.unit.observability.conftest import ACTIONS, YAML

OFF = """
import asyncio, sys
from soni import RuntimeLoop, SoniConfig

async def talk():
    async with RuntimeLoop(SoniConfig.load(".")) as runtime:
        print(await runtime.process_message("send money"))

asyncio.run(talk())
# Not `opentelemetry` itself: LangSmith, which LangGraph brings, imports it where it is installed.
kept = ("opentelemetry.exporter", "prometheus_client", "soni.observability.")
left = ("soni.observability.watcher",)
print([name for name in sys.modules if name.startswith(kept) and name not in left])
"""


def test_a_conversation_loads_nothing_that_watches_it(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "actions.py").write_text(ACTIONS, encoding="utf-8")
    done = python(OFF, tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["Who gets it?", "[]"]


def test_off_is_one_object_that_does_nothing() -> None:
    assert open_telemetry(Observability()) is NO_TELEMETRY
    first = NO_TELEMETRY.start(SpanKind.TURN, "bank")
    assert first is NO_TELEMETRY.start(SpanKind.STORE, "load", backend="sqlite")
    with first as span:
        span.note(outcome="answered")
    NO_TELEMETRY.close()


class Spoiler:
    """A watcher that breaks wherever it can."""

    def begin(self, span: WatchedSpan) -> Any:
        raise RuntimeError("secret")

    def end(self, span: WatchedSpan, begun: Any) -> None:
        raise AssertionError("what was never begun does not end")

    def close(self) -> None:
        pass


class Listing:
    """A watcher of one's own."""

    def __init__(self) -> None:
        self.ended: list[tuple[str, str, float]] = []

    def begin(self, span: WatchedSpan) -> None:
        pass

    def end(self, span: WatchedSpan, begun: None) -> None:
        self.ended.append((span.name, span.outcome, span.seconds))

    def close(self) -> None:
        self.ended.clear()


async def test_a_watcher_that_fails_breaks_no_turn(bank: SoniConfig) -> None:
    listing = Listing()
    telemetry = WatchedTelemetry([Spoiler(), listing])
    with capture_logs() as logged:
        async with RuntimeLoop(bank, telemetry=telemetry) as runtime:
            assert await runtime.process_message("send money") == "Who gets it?"
    assert ("bank", "answered") in {ended[:2] for ended in listing.ended}
    assert {(line["event"], line["watcher"], line["error"]) for line in logged} == {
        ("watcher_failed", "Spoiler", "RuntimeError")
    }


def test_a_part_says_how_it_ended_and_how_long_it_took() -> None:
    listing, times = Listing(), iter([1.0, 1.5, 2.0, 2.25, 3.0, 4.0])
    telemetry = WatchedTelemetry([listing], seconds=lambda: next(times))
    with telemetry.start(SpanKind.STEP, "good"):
        pass
    with pytest.raises(KeyError), telemetry.start(SpanKind.STEP, "bad"):
        raise KeyError("secret")
    with pytest.raises(asyncio.CancelledError), telemetry.start(SpanKind.STEP, "gone"):
        raise asyncio.CancelledError
    assert listing.ended == [("good", "ok", 0.5), ("bad", "failed", 0.25), ("gone", "cancelled", 1)]
    telemetry.close()
    assert listing.ended == []


def test_off_is_a_word_in_yaml_and_settings_come_from_the_environment_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flow = "flows: {hi: {trigger: {examples: [hi]}, steps: [{say: Hi.}]}}"
    written = assistant(f"settings: {{observability: {{tracing: off, logs: json}}}}\n{flow}")
    assert written.settings.observability.tracing == "off"
    monkeypatch.setenv("SONI_SETTINGS__OBSERVABILITY__TRACING", "otlp")
    changed = assistant(f"settings: {{observability: {{tracing: off, logs: json}}}}\n{flow}")
    assert changed.settings.observability.tracing == "otlp"
    assert changed.settings.observability.logs == "json"


def test_watching_does_not_make_another_version_of_an_assistant(bank: SoniConfig) -> None:
    settings = bank.settings.model_copy(update={"observability": Observability(tracing="otlp")})
    watched = bank.model_copy(update={"settings": settings})
    assert compute_fingerprint(watched) == compute_fingerprint(bank)
