"""Commands: the only contract between understanding and management. One file each."""

from soni.commands.affirm_confirmation import AffirmConfirmation
from soni.commands.base import Command, CommandHandler
from soni.commands.cancel_flow import CancelFlow
from soni.commands.chit_chat import ChitChat
from soni.commands.clarify import Clarify
from soni.commands.correct_slot import CorrectSlot
from soni.commands.deny_confirmation import DenyConfirmation
from soni.commands.disambiguate import Disambiguate
from soni.commands.executor import CommandExecutor
from soni.commands.human_handoff import HumanHandoff
from soni.commands.out_of_scope import OutOfScope
from soni.commands.policy import CommandPolicy, Decision
from soni.commands.registry import CommandHandlerRegistry
from soni.commands.repeat_last import RepeatLast
from soni.commands.resume_flow import ResumeFlow
from soni.commands.set_slot import SetSlot
from soni.commands.skip_slot import SkipSlot
from soni.commands.start_flow import StartFlow

__all__ = [
    "AffirmConfirmation",
    "CancelFlow",
    "ChitChat",
    "Clarify",
    "Command",
    "CommandExecutor",
    "CommandHandler",
    "CommandHandlerRegistry",
    "CommandPolicy",
    "CorrectSlot",
    "Decision",
    "DenyConfirmation",
    "Disambiguate",
    "HumanHandoff",
    "OutOfScope",
    "RepeatLast",
    "ResumeFlow",
    "SetSlot",
    "SkipSlot",
    "StartFlow",
]
