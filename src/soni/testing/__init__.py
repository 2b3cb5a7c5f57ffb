"""Testing assistants: conversation tests, and sentences with their meaning.

Names are imported when they are first used: pytest loads this package for its plugin even where
there is no assistant to test.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from soni.du.scripted import ScriptedNLU, ScriptError
    from soni.testing.result import Line, Mismatch, Result
    from soni.testing.run import ConversationTest
    from soni.testing.stubs import FrozenClock
    from soni.testing.suite import Suite, run_tests

_MODULES = {
    "ConversationTest": "soni.testing.run",
    "FrozenClock": "soni.testing.stubs",
    "Line": "soni.testing.result",
    "Mismatch": "soni.testing.result",
    "Result": "soni.testing.result",
    "ScriptError": "soni.du.scripted",
    "ScriptedNLU": "soni.du.scripted",
    "Suite": "soni.testing.suite",
    "run_tests": "soni.testing.suite",
}

__all__ = [
    "ConversationTest",
    "FrozenClock",
    "Line",
    "Mismatch",
    "Result",
    "ScriptError",
    "ScriptedNLU",
    "Suite",
    "run_tests",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'soni.testing' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
