"""The names that applications rely on, and what importing them costs."""

import subprocess
import sys
from importlib import import_module

import pytest

import soni

NAMES = {
    "soni": "SoniConfig RuntimeLoop action validator normalizer ActionContext ActionError NeedSlot "
    "ConfigError SoniError TurnError",
    "soni.config.models": "SoniConfig FlowConfig SlotConfig SayStepConfig CollectStepConfig "
    "ActionStepConfig SetStepConfig BranchStepConfig ConfirmStepConfig",
    "soni.core.types": "DialogueState FlowContext RuntimeContext NodeFunction",
    "soni.core.constants": "ConversationState FlowContextState",
    "soni.core.state": "create_initial_state get_current_flow_name",
    "soni.core.transitions": "StateTransitionValidator",
    "soni.core.errors": "SoniError ConfigError FlowStackLimitError",
    "soni.flow.manager": "FlowManager FlowDelta merge_delta",
    "soni.flow.steps": "FlowStepManager",
    "soni.commands": "StartFlow CancelFlow ResumeFlow SetSlot CorrectSlot SkipSlot "
    "AffirmConfirmation DenyConfirmation Clarify Disambiguate ChitChat OutOfScope HumanHandoff "
    "RepeatLast CommandExecutor CommandHandlerRegistry",
    "soni.dm.digression": "DigressionHandler",
    "soni.compiler": "NodeFactoryRegistry compile_flow",
    "soni.du": "DialogueContext NLUOutput ScopeManager SlotExtractor SoniDU",
    "soni.runtime.loop": "RuntimeLoop",
}


@pytest.mark.parametrize(("module", "name"), [(m, n) for m in NAMES for n in NAMES[m].split()])
def test_the_name_is_where_it_was_promised(module: str, name: str) -> None:
    assert hasattr(import_module(module), name)


def test_the_package_lists_its_names_and_knows_no_others() -> None:
    assert set(dir(soni)) == set(soni.__all__) == set(NAMES["soni"].split())
    with pytest.raises(AttributeError, match="no attribute 'Sony'"):
        _ = soni.Sony


def loaded_by(statement: str) -> set[str]:
    """The packages that a fresh interpreter has loaded after a statement."""
    code = (
        f"{statement}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import soni",
        "from soni import action, validator, normalizer, NeedSlot, ActionError",
        "import soni; soni.SoniConfig",
    ],
)
def test_importing_soni_loads_no_heavy_package(statement: str) -> None:
    loaded = loaded_by(statement)
    assert "soni" in loaded
    assert loaded.isdisjoint({"langgraph", "langchain_core", "typer", "dspy", "rich"})


def test_importing_soni_alone_loads_nothing_but_itself() -> None:
    before = loaded_by("pass") | set(sys.stdlib_module_names)
    assert loaded_by("import soni") - before == {"soni"}
