"""Implementations that settings name: found without importing them, plugins included."""

import subprocess
import sys
from pathlib import Path

import pytest

from soni import persistence
from soni.core.discovery import PROVIDERS, STORES, Kind
from soni.du import providers


@pytest.mark.parametrize("kind", [STORES, PROVIDERS], ids=lambda kind: kind.attribute)
def test_what_is_listed_is_what_can_be_opened(kind: Kind) -> None:
    openable = {"STORE": persistence._discover_factories, "PROVIDER": providers._load_factories}
    assert kind.list_names() == sorted(openable[kind.attribute]())
    assert all(kind.is_offered(name) for name in kind.list_names())
    for name in ("journal", "context", "gone", "", "../memory", "memory.x"):
        assert not kind.is_offered(name)
    assert (STORES.group, PROVIDERS.group) == (persistence.GROUP, providers.GROUP)


def test_a_package_that_is_installed_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed = tmp_path / "soni_redis-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: soni-redis\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[soni.stores]\nredis = not_to_be_imported\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert STORES.is_offered("redis")
    assert STORES.list_names() == ["memory", "postgres", "redis", "sqlite"]


def test_nothing_is_imported_for_it() -> None:
    program = (
        "import sys\n"
        "from soni.core.discovery import STORES, PROVIDERS\n"
        "STORES.list_names(), PROVIDERS.list_names()\n"
        "print([name for name in sys.modules if name.startswith(('soni.du', 'soni.pers'))])\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert ended.stdout == b"[]\n"
