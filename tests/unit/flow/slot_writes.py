"""Slots, and a value that is written to one of them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from soni.config.assistant import Assistant
from soni.config.models import SlotConfig, SoniConfig
from soni.core.errors import Refusal
from soni.flow.voice import Voice
from soni.flow.write import SlotWrite, SlotWriter
from soni.slots import SlotEnv

NOW = datetime.fromisoformat("2026-03-02T10:00:00+00:00")


def slot(**keys: Any) -> SlotConfig:
    return SlotConfig.model_validate(keys)


async def write(
    name: str,
    value: Any,
    slots: dict[str, SlotConfig],
    *functions: Callable[..., Any],
    beside: dict[str, Any] | None = None,
    session: dict[str, Any] | None = None,
    **options: Any,
) -> SlotWrite:
    assistant = Assistant(SoniConfig(slots=slots).with_functions(functions))
    voice = Voice(assistant, "en", "ann/1", session or {})
    return await SlotWriter(assistant).write(
        name, value, beside or {}, SlotEnv(NOW, "en"), voice, **options
    )


async def refusal(*args: Any, **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await write(*args, **options)
    return caught.value
