"""What Prometheus is told of conversations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open
from prometheus_client.parser import text_string_to_metric_families as parse

from soni import RuntimeLoop, SoniConfig
from soni.commands import StartFlow
from soni.core.errors import NotAllowedError
from soni.core.telemetry import SpanKind
from soni.observability.metrics import Metrics
from soni.observability.watcher import WatchedTelemetry
from tests.program import python
from tests.unit.observability.conftest import assert_no_values


def read(metrics: Metrics) -> dict[tuple[str, ...], float]:
    """The samples by name and labels."""
    body, _ = metrics.expose()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in parse(body.decode())
        for sample in family.samples
    }


async def test_turns_commands_actions_and_the_store_are_counted(bank: SoniConfig) -> None:
    metrics = Metrics()
    async with RuntimeLoop(bank, telemetry=WatchedTelemetry([metrics])) as runtime:
        for said in ("send money", "Zebulon", "4321.5"):
            await runtime.turn(said, "ann")
        await runtime.turn("S3cr3t", "ann", message_id="m-4")
        await runtime.turn("S3cr3t", "ann", message_id="m-4")
        await runtime.turn(
            "send money", "bob", commands=[StartFlow("send_money"), {"type": "Zebulon"}]
        )
        for said in ("Mallory", "4321.5", "S3cr3t"):
            await runtime.turn(said, "bob")
        with pytest.raises(NotAllowedError):
            await runtime.release("ann")
    found = read(metrics)
    assert found["soni_turns_total", "answered"] == 8
    assert found["soni_turns_total", "repeated"] == 1
    assert found["soni_turns_total", "refused"] == 1
    assert found["soni_turn_seconds_count",] == 10
    assert found["soni_turns_in_progress", "running"] == 0
    assert found["soni_turns_in_progress", "waiting"] == 0
    assert found["soni_understandings_total", "ok"] == 7
    assert found["soni_commands_total", "StartFlow", "success"] == 2
    assert found["soni_commands_total", "unknown", "rejected"] == 1
    assert found["soni_actions_total", "transfer", "ok"] == 1
    assert found["soni_actions_total", "transfer", "failed"] == 1
    assert found["soni_errors_total", "action"] == 1
    assert found["soni_store_seconds_count", "commit"] == 8
    assert found["soni_steps_total", "waiting", "collect"] >= 6
    assert_no_values(found)
    assert not any("ann" in key or "bob" in key for key in found)


async def test_a_turn_under_way_is_counted_as_such(bank: SoniConfig) -> None:
    metrics = Metrics()
    seen: list[Any] = []

    class Watching:
        async def understand(self, user_message: str, history: Any, context: Any) -> Any:
            seen.append(read(metrics)["soni_turns_in_progress", "running"])
            raise RuntimeError

    telemetry = WatchedTelemetry([metrics])
    async with RuntimeLoop(bank, nlu=Watching(), telemetry=telemetry) as runtime:
        await runtime.turn("send money", "ann")
    assert seen == [1]
    assert read(metrics)["soni_understandings_total", "failed"] == 1


def test_two_applications_in_one_process_count_apart() -> None:
    first, second = Metrics(), Metrics()
    with WatchedTelemetry([first]).start(SpanKind.TURN, "bank"):
        pass
    assert read(first) != read(second)


def test_prometheus_gets_the_form_that_it_asks_for() -> None:
    body, content_type = Metrics().expose("application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    assert [family.name for family in parse_open(body.decode()) if family.name == "soni_turns"]


WORKERS = """
import json, multiprocessing, os, sys
from pathlib import Path

def work(number):
    from soni.core.telemetry import SpanKind
    from soni.observability.metrics import Metrics
    from soni.observability.watcher import WatchedTelemetry
    telemetry = WatchedTelemetry([Metrics()])
    for _ in range(number):
        with telemetry.start(SpanKind.TURN, "bank") as span:
            span.note(outcome="answered")
    telemetry.start(SpanKind.TURN, "bank").__enter__()  # it dies with a turn under way
    os._exit(0)

from soni.observability.metrics import Metrics, forget_process, share_metrics
share_metrics(Path("counts"))
fork = multiprocessing.get_context("fork")
workers = [fork.Process(target=work, args=(number,)) for number in (2, 3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()

def read():
    lines = Metrics().expose()[0].decode().splitlines()
    wanted = "soni_turns_total", 'soni_turns_in_progress{state="running"'
    return [line for line in lines if line.startswith(wanted)]

before = read()
for worker in workers:
    forget_process(worker.pid)
print(json.dumps([before, read()]))
"""


def test_several_processes_count_together_and_one_that_died_has_nothing_under_way(
    tmp_path: Path,
) -> None:
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "counter_1.db").write_bytes(b"left by an earlier run")
    done = python(WORKERS, tmp_path)
    assert done.stderr == ""
    before, after = json.loads(done.stdout)
    running = 'soni_turns_in_progress{state="running"}'
    assert 'soni_turns_total{outcome="answered"} 5.0' in before
    assert f"{running} 2.0" in before
    assert 'soni_turns_total{outcome="answered"} 5.0' in after
    assert f"{running} 0.0" in after
