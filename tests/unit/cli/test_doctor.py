"""soni doctor: what is missing is said before anybody talks to the assistant."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from soni import RuntimeLoop, SoniConfig
from soni.cli.doctor import checks
from soni.cli.doctor.finding import Status
from soni.cli.main import make_app
from soni.persistence.encryption import make_key
from soni.persistence.sqlite.schema import SCHEMA_VERSION

FLOW = "flows: {hi: {trigger: {examples: [say hi]}, steps: [{say: Hi.}]}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, "persistence: {backend: sqlite}")


def write(folder: Path, settings: str) -> Path:
    (folder / "soni.yaml").write_text(f"settings: {{{settings}}}\n{FLOW}", encoding="utf-8")
    return folder


def examine(folder: Path, *options: str) -> tuple[int, dict[str, list[dict[str, Any]]], str]:
    """The exit code, the findings by topic, and all of it as it was printed."""
    done = CliRunner().invoke(make_app(["doctor"]), ["doctor", str(folder), "--json", *options])
    told = json.loads(done.stdout)
    assert told["ok"] is (done.exit_code == 0)
    topics: dict[str, list[dict[str, Any]]] = {}
    for finding in told["findings"]:
        topics.setdefault(finding["topic"], []).append(finding)
    return done.exit_code, topics, done.stdout


def test_all_is_well_with_an_assistant_that_has_what_it_needs(folder: Path) -> None:
    done = CliRunner().invoke(make_app(["doctor"]), ["doctor", str(folder)])
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines[:3]] == ["python", "soni", "assistant"]
    assert "understanding  local: it loads and answers a sentence" in done.stdout
    assert "is made with the first conversation" in done.stdout
    assert lines[-1] == "all is well"
    assert "\x1b" not in done.stdout
    assert not (folder / ".soni").exists()  # looking made nothing


def test_mistakes_in_the_assistant_are_counted_and_the_way_to_them_is_named(folder: Path) -> None:
    (folder / "soni.yaml").write_text("flows: {hi: {steps: [{collect: nothing}, {say: '{x}'}]}}")
    code, found, _ = examine(folder)
    assert code == 1
    (finding,) = found["assistant"]
    assert finding["status"] == "problem"
    assert "problem" in finding["message"]
    assert finding["remedy"] == f"Read them: soni check {folder}"


def test_a_store_in_memory_is_worth_a_warning(tmp_path: Path) -> None:
    code, found, _ = examine(write(tmp_path, "language: en"))
    assert code == 0
    assert found["store"][0]["status"] == "warning"
    assert "disk" not in found


async def test_a_file_with_conversations_opens_and_answers(folder: Path) -> None:
    async with RuntimeLoop(SoniConfig.load(folder)) as runtime:
        await runtime.turn("say hi", "ann")
    code, found, _ = await asyncio.to_thread(examine, folder)
    assert code == 0
    assert f"opens and answers (format {SCHEMA_VERSION})" in found["store"][0]["message"]
    assert found["disk"][0]["message"].endswith(str(folder / ".soni"))


def test_tables_of_an_older_version_are_left_as_they_are(folder: Path) -> None:
    (folder / ".soni").mkdir()
    file = folder / ".soni" / "conversations.db"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version=1")
    connection.close()
    before = file.read_bytes()
    code, found, _ = examine(folder)
    assert (code, found["store"][0]["status"]) == (0, "warning")
    assert "backup" in found["store"][0]["remedy"]
    assert file.read_bytes() == before


def test_a_damaged_file_is_a_problem(folder: Path) -> None:
    (folder / ".soni").mkdir()
    (folder / ".soni" / "conversations.db").write_bytes(b"this is no database" * 100)
    code, found, _ = examine(folder)
    assert (code, found["store"][0]["status"]) == (1, "problem")
    assert "Restore it from a backup" in found["store"][0]["message"]


def test_a_database_answers_with_its_version(tmp_path: Path, postgres_url: str) -> None:
    code, found, _ = examine(
        write(tmp_path, f"persistence: {{backend: postgres, url: '{postgres_url}'}}")
    )
    assert code == 0
    assert "its tables are made at the first start" in found["store"][0]["message"]
    assert "`postgres` is installed" in found["extras"][0]["message"]


def test_a_database_that_cannot_be_reached_is_named_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://ann:S3cr3t@127.0.0.1:{find_free_port()}/x"
    code, found, printed = examine(
        write(tmp_path, f"persistence: {{backend: postgres, url: '{url}'}}")
    )
    assert (code, found["store"][0]["status"]) == (1, "problem")
    assert "cannot connect" in found["store"][0]["message"]
    assert "S3cr3t" not in printed


@pytest.mark.parametrize(("key", "status"), [("S3cr3t", "problem"), ("A" * 43 + "=", "ok")])
def test_keys_are_tried_and_never_shown(
    folder: Path, key: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY", key)
    _, found, printed = examine(folder)
    assert found["encryption"][0]["status"] == status
    assert key not in printed


def test_a_model_without_a_key_or_a_server_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = find_free_port()
    model = (
        f"provider: cascade, model: m, base_url: 'http://127.0.0.1:{port}', api_key_env: BANK_KEY"
    )
    write(tmp_path, f"nlu: {{{model}}}")
    code, found, _ = examine(tmp_path)
    assert code == 1
    assert [each["status"] for each in found["model"]] == ["problem", "problem"]
    assert "BANK_KEY" in found["understanding"][0]["message"]
    monkeypatch.setenv("BANK_KEY", "S3cr3t")
    with socket.create_server(("127.0.0.1", port)):
        code, found, printed = examine(tmp_path)
    assert code == 0
    assert [each["status"] for each in found["model"]] == ["ok", "ok"]
    assert "not asked" in found["understanding"][0]["message"]
    assert "S3cr3t" not in printed


class Collector(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response({"/v1/traces": 200, "/locked/v1/traces": 401}.get(self.path, 404))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "status"), [("", "ok"), ("/locked", "warning"), ("/elsewhere", "problem")]
)
def test_a_collector_is_asked_whether_it_takes_spans(
    tmp_path: Path, collector: str, path: str, status: str
) -> None:
    write(tmp_path, f"observability: {{tracing: otlp, endpoint: '{collector}{path}'}}")
    _, found, _ = examine(tmp_path)
    assert found["telemetry"][0]["status"] == status


def test_a_collector_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    endpoint = f"http://127.0.0.1:{find_free_port()}"
    code, found, _ = examine(
        write(tmp_path, f"observability: {{tracing: otlp, endpoint: '{endpoint}'}}")
    )
    assert (code, found["telemetry"][0]["status"]) == (1, "problem")
    assert "endpoint" in found["telemetry"][0]["remedy"]


def test_a_check_that_hangs_does_not_hold_up_the_others(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        write(tmp_path, f"observability: {{tracing: otlp, endpoint: '{url}'}}")
        code, found, _ = examine(tmp_path, "--timeout", "2")
    assert code == 1
    assert found["telemetry"][0]["message"] == "no answer within 2 seconds"
    assert found["understanding"][0]["status"] == Status.OK


def test_an_extra_that_is_missing_is_named_with_the_command_that_installs_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {**checks.EXTRAS, "encryption": ("no_such_library",), "server": ("nor_this",)}
    monkeypatch.setattr(checks, "EXTRAS", absent)
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY", make_key())
    code, found, _ = examine(folder)
    assert code == 1
    told = {each["remedy"]: each["status"] for each in found["extras"]}
    assert told == {
        "pip install 'soni[encryption]'": "problem",
        "pip install 'soni[server]'": "warning",
    }


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_each_extra_is_looked_for_by_libraries_that_it_brings() -> None:
    """Otherwise the remedy, to install the extra, would never help."""
    brought: dict[str, set[str]] = {}
    for line in requires("soni") or ():
        found = re.match(r"([A-Za-z0-9._-]+).*extra == ['\"](\w+)['\"]", line)
        if found:
            brought.setdefault(found[2], set()).add(_normalize(found[1]))
    # A library of its own name that another one brings as its extra.
    brought["postgres"].add("psycopg-pool")
    owners = packages_distributions()
    for extra, modules in checks.EXTRAS.items():
        for module in modules:
            names = {_normalize(each) for each in owners[module.partition(".")[0]]}
            assert names & brought[extra], f"{extra}: {module}"


def _normalize(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
