"""A model that answers on this machine, for as long as a block lasts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.models.weights import weights

_SERVE = Path(__file__).with_name("serve.py")
_PATIENCE = 120


@contextmanager
def served(name: str, threads: int | None = None) -> Iterator[str]:
    """Serve a model of `MODELS`: the base URL of its OpenAI-compatible API."""
    if threads is None:
        # One core stays free: llama.cpp stands still when its threads do not all run at once.
        threads = max(1, (os.cpu_count() or 2) // 2)
    command = [sys.executable, str(_SERVE), str(weights(name)), str(threads)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, f"the server of {name} ended with {process.wait()}"
        _wait_until_ready(f"{address}/health")
        yield f"{address}/v1"
    finally:
        process.terminate()
        process.communicate()


def _wait_until_ready(url: str) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
