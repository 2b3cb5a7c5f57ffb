"""Dialogue understanding: from a message to commands, and nothing else."""

from soni.du.context import DialogueContext, FlowBrief, NLUOutput, SlotBrief
from soni.du.local import LocalNLU
from soni.du.scope import ScopeManager
from soni.du.scripted import ScriptedNLU

__all__ = [
    "DialogueContext",
    "FlowBrief",
    "LocalNLU",
    "NLUOutput",
    "ScopeManager",
    "ScriptedNLU",
    "SlotBrief",
]
