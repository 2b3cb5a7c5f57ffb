"""Check of the understanding: whether it loads and answers a sentence."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from soni.cli.doctor.finding import Finding, accept, refuse
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.du.context import DialogueContext, FlowBrief
from soni.du.local.provider import LocalNLU
from soni.du.providers import open_provider

_SENTENCE: Final = "hello there, could you tell me what you are able to do for me today"
"""Nothing that the rules alone could answer, so that the models are loaded."""

_BY_MODEL: Final = ("llm", "cascade")


def check_understanding(config: SoniConfig) -> Iterator[Finding]:
    """Whether the provider loads, and answers where that costs nothing."""
    name = config.settings.nlu.provider
    try:
        provider: Any = open_provider(config)
    except SoniError as error:
        yield refuse("understanding", str(error), "")
        return
    if name == "llm":
        yield accept("understanding", f"{name}: it loads; its model was not asked")
        return
    asked = LocalNLU.from_config(config) if name in _BY_MODEL else provider
    try:
        asyncio.run(asked.understand(_SENTENCE, [], _make_context(config)))
    except Exception as error:
        reason = f"{name}: it does not answer ({type(error).__name__})"
        remedy = "Reinstall Soni: its models are part of the package."
        yield refuse("understanding", reason, remedy if isinstance(asked, LocalNLU) else "")
        return
    note = "; its model was not asked" if name in _BY_MODEL else ""
    yield accept("understanding", f"{name}: it loads and answers a sentence{note}")


def _make_context(config: SoniConfig) -> DialogueContext:
    language = config.settings.language
    flows = [
        FlowBrief(name=name, description=flow.description, examples=flow.trigger.examples)
        for name, flow in config.flows.items()
        if flow.trigger is not None
    ]
    return DialogueContext(
        now=datetime.now().astimezone(), language=language, available_flows=tuple(flows)
    )
