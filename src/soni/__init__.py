"""Soni: task-oriented assistants from YAML flows and Python actions.

Names are imported when they are first used, so that `import soni` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from soni.actions.context import ActionContext
    from soni.config.soni_config import SoniConfig
    from soni.core.errors import ActionError, ConfigError, NeedSlot, SoniError, TurnError
    from soni.decorators import action, normalizer, validator
    from soni.runtime.loop import RuntimeLoop

_HOMES = {
    "ActionContext": "soni.actions.context",
    "ActionError": "soni.core.errors",
    "ConfigError": "soni.core.errors",
    "NeedSlot": "soni.core.errors",
    "RuntimeLoop": "soni.runtime.loop",
    "SoniConfig": "soni.config.soni_config",
    "SoniError": "soni.core.errors",
    "TurnError": "soni.core.errors",
    "action": "soni.decorators",
    "normalizer": "soni.decorators",
    "validator": "soni.decorators",
}

__all__ = [
    "ActionContext",
    "ActionError",
    "ConfigError",
    "NeedSlot",
    "RuntimeLoop",
    "SoniConfig",
    "SoniError",
    "TurnError",
    "action",
    "normalizer",
    "validator",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'soni' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
