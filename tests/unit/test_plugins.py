"""Kinds of other packages: an entry point names a module, or the object itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from soni.commands import registry
from soni.commands.registry import CommandHandlerRegistry
from soni.config.soni_config import SoniConfig
from soni.core.errors import PluginError
from soni.du.providers import open_provider
from soni.persistence import list_store_kinds, open_store
from soni.persistence.memory import MemoryStore
from soni.server.channels import find_channel_kinds
from soni.steps import step_types

# Each of these offers one of every kind, under the name Soni's own modules use.
PLUGIN = """
from typing import Literal
from soni.commands.repeat_last import RepeatLast, RepeatLastHandler
from soni.persistence.memory import MemoryStore
from soni.server.channels.webhook import WebhookChannel
from soni.steps.say import SayStepConfig
from soni.testing import ScriptedNLU

class ShoutStep(SayStepConfig):
    type: Literal["shout"] = "shout"

class Echo(RepeatLast):
    type: Literal["Echo"] = "Echo"

class EchoHandler(RepeatLastHandler):
    command = Echo

class CHANNEL(WebhookChannel):
    pass

def STORE(url):
    return MemoryStore()

def PROVIDER(config):
    return ScriptedNLU([])

STEP = ShoutStep
HANDLER = EchoHandler()
"""


def opens_store() -> bool:
    return "extra" in list_store_kinds() and isinstance(open_store("extra"), MemoryStore)


def opens_provider() -> bool:
    return hasattr(open_provider(SoniConfig(), "extra"), "understand")


def has_command() -> bool:
    return "Echo" in [*CommandHandlerRegistry.discover()]


def has_step() -> bool:
    return "shout" in step_types()


def has_channel() -> bool:
    return "extra" in find_channel_kinds()


GROUPS = {
    "soni.channels": ("CHANNEL", has_channel),
    "soni.stores": ("STORE", opens_store),
    "soni.providers": ("PROVIDER", opens_provider),
    "soni.commands": ("HANDLER", has_command),
    "soni.steps": ("STEP", has_step),
}
Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    caches = (step_types, registry._discover_handlers)

    def install(group: str, value: str) -> None:
        (tmp_path / "extra_kinds.py").write_text(PLUGIN)
        about = tmp_path / "extra-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: extra\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[{group}]\nextra = {value}\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "extra_kinds", raising=False)
        for cache in caches:
            cache.cache_clear()

    yield install
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("group", GROUPS)
def test_a_module_is_enough(group: str, install: Install) -> None:
    _, works = GROUPS[group]
    install(group, "extra_kinds")
    assert works()


@pytest.mark.parametrize("group", GROUPS)
def test_the_object_itself_is_enough(group: str, install: Install) -> None:
    attribute, works = GROUPS[group]
    install(group, f"extra_kinds:{attribute}")
    assert works()


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_none_of_the_kind_is_refused_by_name(group: str, install: Install) -> None:
    _, works = GROUPS[group]
    install(group, "sys:maxsize")
    with pytest.raises(PluginError, match=f"'extra = sys:maxsize' in group {group} of package"):
        works()
