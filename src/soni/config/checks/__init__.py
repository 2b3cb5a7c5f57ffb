"""Semantic checks of an assistant: names that exist, flows that can be run as written."""

from collections.abc import Callable, Sequence

from soni.config.assistant import Assistant
from soni.config.checks.actions import check_actions
from soni.config.checks.calls import check_calls, check_data
from soni.config.checks.flows import check_flows, check_unused
from soni.config.checks.graph import build_graphs, check_loops
from soni.config.checks.knowledge import check_knowledge
from soni.config.checks.names import check_names, check_triggers
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.checks.settings import check_program, check_settings
from soni.config.checks.slots import check_slots
from soni.config.checks.steps import (
    check_branches,
    check_confirms,
    check_reachability,
    check_repeatable_actions,
)
from soni.config.checks.texts import check_responses
from soni.config.checks.tools import check_servers, check_tools
from soni.config.positions import Positions
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem

__all__ = ["Check", "check_config", "refuse_unsound"]

Check = Callable[[Assistant, Scopes, Report], None]

_NAME_CHECKS = (
    check_names,
    check_settings,
    check_slots,
    check_servers,
    check_actions,
    check_tools,
    check_responses,
    check_flows,
    check_calls,
    check_triggers,
    check_knowledge,
    check_program,
)
_GRAPH_CHECKS = (
    check_confirms,
    check_reachability,
    check_loops,
    check_data,
    check_branches,
    check_repeatable_actions,
)


def check_config(
    config: SoniConfig,
    positions: Positions | None = None,
    *,
    functions_known: bool = True,
    also: Sequence[Check] = (),
) -> list[Problem]:
    """All errors and warnings of an assistant whose models are valid.

    Without `positions` (an assistant written in Python) problems have only a path. With
    `functions_known` false, functions are not checked: they could not be imported. `also` are
    further checks by layers above this one.
    """
    assistant = Assistant(config)
    report = Report(positions, functions_known=functions_known)
    scopes = Scopes(assistant)
    for check in (*_NAME_CHECKS, *also):
        check(assistant, scopes, report)
    for graph in build_graphs(assistant):
        for check_way in _GRAPH_CHECKS:
            check_way(assistant, graph, report)
    if report.sound:
        # A misspelled name elsewhere would make the thing that it means look unused.
        check_unused(assistant, scopes, report)
    return report.problems


def refuse_unsound(config: SoniConfig) -> None:
    """Raise `ConfigError` if the assistant cannot be used as it is written."""
    if config._sound:
        return
    errors = [each for each in check_config(config) if each.severity == "error"]
    if errors:
        raise ConfigError(errors)
