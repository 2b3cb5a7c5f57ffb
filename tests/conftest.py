"""What holds for every run: who hears Ctrl-C, one database, and what walks were made of."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres_server import make_url, share_server


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The PostgreSQL server of this run, started when a test first needs it."""
    folder = tmp_path_factory.getbasetemp()
    in_worker = "PYTEST_XDIST_WORKER" in os.environ
    with share_server(folder.parent if in_worker else folder) as known:
        yield known


@pytest.fixture
def postgres_url(postgres: dict[str, str]) -> str:
    """The address of a schema of the test's own."""
    return make_url(postgres)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "distribution" and report.when == "call":
                    terminalreporter.section("random walks")
                    terminalreporter.line(value)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests only wait, for a process or a clock."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Thousands of tests and modules stay to the end: nobody need look for them as garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_configure() -> None:
    """One thread for numpy; and programs that tests start hear Ctrl-C, also in the background."""
    # As the command line does: two workers with two threads each only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # How fast this machine is says nothing about Soni.
    settings.register_profile("soni", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("soni")
