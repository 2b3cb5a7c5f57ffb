"""The table in ARCHITECTURE.md that says where the names of the requirements' documents are."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

TITLE = "## Where the documents' names are"
TEXT = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = [
    line.split("|")[1:3]
    for line in TEXT.partition(TITLE)[2].splitlines()
    if line.startswith("| ") and not line.startswith("| in the documents")
]
NAMES = [name for _, here in ROWS for name in re.findall(r"`(soni\.[\w.]+)`", here)]


def _look_up(name: str) -> Any:
    """What a dotted name stands for: a module's, a class's, or a field that a class declares."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = get_type_hints(found)[part] if _declares(found, part) else getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


def _declares(owner: Any, field: str) -> bool:
    return isinstance(owner, type) and not hasattr(owner, field) and field in owner.__annotations__


@pytest.mark.parametrize("name", NAMES)
def test_the_name_is_where_the_table_says(name: str) -> None:
    assert _look_up(name) is not None


@pytest.mark.parametrize("name", ["soni.flow.manager.FlowManagr", "soni.flow.managr.FlowManager"])
def test_a_name_that_is_not_there_is_noticed(name: str) -> None:
    with pytest.raises(AttributeError):
        _look_up(name)


@pytest.mark.parametrize(("documents", "here"), ROWS)
def test_every_row_names_both(documents: str, here: str) -> None:
    assert "`" in documents
    assert "`soni." in here


# What the documents show somebody importing, extending or writing.
@pytest.mark.parametrize(
    "name",
    """
    RuntimeLoop process_message SoniConfig CollectStepConfig DialogueState FlowContext FlowManager
    push_flow pop_flow prune_state on_limit_reached FlowStackLimitError StateTransitionValidator
    create_initial_state CommandExecutor SoniDU SlotExtractor DigressionHandler CollectNodeFactory
    route_after_execute_commands build_graph execute_node last_digression_type trace
    """.split(),  # noqa: SIM905 - a list of words reads best as words
)
def test_the_table_has_what_a_reader_looks_for(name: str) -> None:
    assert any(re.search(rf"`([\w.]+\.)?{name}[`.]", documents) for documents, _ in ROWS), name
