"""Testing assistants: conversations written down, and understanding written down."""

from soni.du.scripted import ScriptedNLU, ScriptError
from soni.testing.clock import FrozenClock
from soni.testing.result import Line, Mismatch, Result
from soni.testing.run import ConversationTest
from soni.testing.suite import Suite, run_tests

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
