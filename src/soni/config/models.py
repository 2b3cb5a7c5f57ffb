"""All configuration models, to import from one place."""

from soni.config.definitions import ActionConfig, KnowledgeEntry, Response
from soni.config.flow import FlowConfig, FlowInput, Trigger
from soni.config.patterns import ConversationPatterns
from soni.config.settings import Settings
from soni.config.slot import Constraint, SlotConfig
from soni.config.soni_config import SoniConfig
from soni.steps import StepConfig
from soni.steps.action import ActionStepConfig, Retry
from soni.steps.branch import Arm, BranchStepConfig
from soni.steps.call import CallStepConfig
from soni.steps.collect import CollectStepConfig
from soni.steps.confirm import ConfirmStepConfig
from soni.steps.generate import GenerateStepConfig
from soni.steps.handoff import HandoffStepConfig
from soni.steps.link import LinkStepConfig
from soni.steps.parallel import ParallelStepConfig
from soni.steps.say import SayStepConfig
from soni.steps.set import SetStepConfig
from soni.steps.while_ import WhileStepConfig

__all__ = [
    "ActionConfig",
    "ActionStepConfig",
    "Arm",
    "BranchStepConfig",
    "CallStepConfig",
    "CollectStepConfig",
    "ConfirmStepConfig",
    "Constraint",
    "ConversationPatterns",
    "FlowConfig",
    "FlowInput",
    "GenerateStepConfig",
    "HandoffStepConfig",
    "KnowledgeEntry",
    "LinkStepConfig",
    "ParallelStepConfig",
    "Response",
    "Retry",
    "SayStepConfig",
    "SetStepConfig",
    "Settings",
    "SlotConfig",
    "SoniConfig",
    "StepConfig",
    "Trigger",
    "WhileStepConfig",
]
