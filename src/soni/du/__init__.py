"""Dialogue understanding: from a message to commands, and nothing else."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from soni.du.context import DialogueContext, FlowBrief, NLUOutput, SlotBrief, Usage
from soni.du.scope import ScopeManager
from soni.du.scripted import ScriptedNLU

if TYPE_CHECKING:
    from soni.du.llm.slot_extractor import SlotExtractor
    from soni.du.llm.soni_du import SoniDU
    from soni.du.local.provider import LocalNLU

# An assistant uses one of the providers, and DSPy is an extra: they are loaded when asked for.
_LAZY_MODULES = {
    "LocalNLU": "soni.du.local.provider",
    "SlotExtractor": "soni.du.llm.slot_extractor",
    "SoniDU": "soni.du.llm.soni_du",
}

__all__ = [
    "DialogueContext",
    "FlowBrief",
    "LocalNLU",
    "NLUOutput",
    "ScopeManager",
    "ScriptedNLU",
    "SlotBrief",
    "SlotExtractor",
    "SoniDU",
    "Usage",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY_MODULES:
        raise AttributeError(f"module 'soni.du' has no attribute '{name}'")
    return getattr(import_module(_LAZY_MODULES[name]), name)
