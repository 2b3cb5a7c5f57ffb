"""How updates change a state: the reducers."""

from typing import Any, get_type_hints

import pytest

from soni.core.types import (
    REDUCERS,
    DialogueState,
    FlowContext,
    append_entries,
    merge_flow_slots,
    merge_keys,
)


@pytest.mark.parametrize(
    ("current", "new", "after"),
    [
        ({}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
        ({"a": {"x": 1}}, {"a": {"x": None}}, {"a": {"x": None}}),
        ({"a": {"x": 1}}, {"a": {"x": 0}}, {"a": {"x": 0}}),
        ({"a": {"x": 1}}, {"a": {"x": False}}, {"a": {"x": False}}),
        ({"a": {"x": 1}, "b": {"x": 2}}, {"a": None}, {"b": {"x": 2}}),
        ({"b": {}}, {"a": None}, {"b": {}}),
        ({"a": {"x": {"deep": 1}}}, {"a": {"x": {"other": 2}}}, {"a": {"x": {"other": 2}}}),
    ],
)
def test_slots_merge_per_instance_and_null_for_an_instance_removes_it(
    current: Any, new: Any, after: Any
) -> None:
    before = repr(current)
    assert merge_flow_slots(current, new) == after
    assert repr(current) == before


def test_named_keys_are_replaced_and_lists_grow_at_the_end() -> None:
    current: dict[str, Any] = {"a": 1, "b": [1]}
    assert merge_keys(current, {"b": [], "c": None}) == {"a": 1, "b": [], "c": None}
    assert current == {"a": 1, "b": [1]}
    entries = [1]
    assert append_entries(entries, [2]) == [1, 2]
    assert entries == [1]


def test_outside_the_graph_the_same_reducers_hold() -> None:
    hints = get_type_hints(DialogueState, include_extras=True)
    annotated = {
        name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")
    }
    assert annotated == REDUCERS


def test_a_flow_instance_has_the_required_fields() -> None:
    assert {
        "flow_id", "flow_name", "flow_state", "current_step", "outputs", "started_at",
        "paused_at", "completed_at", "context", "called_by",
    } <= set(FlowContext.__annotations__)  # fmt: skip
