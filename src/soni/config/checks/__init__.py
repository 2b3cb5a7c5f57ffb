"""Meaning: whether the names an assistant uses exist, and whether it says what it can do."""

from soni.config.assistant import Assistant
from soni.config.checks.actions import check_actions
from soni.config.checks.confirms import check_confirms
from soni.config.checks.flows import check_flows
from soni.config.checks.naming import check_names
from soni.config.checks.report import Report
from soni.config.checks.responses import check_responses
from soni.config.checks.scope import Scopes
from soni.config.checks.settings import check_settings
from soni.config.checks.slots import check_slots
from soni.config.positions import Positions
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem

__all__ = ["check_config", "raise_problems"]

_CHECKS = (
    check_names,
    check_settings,
    check_slots,
    check_actions,
    check_responses,
    check_flows,
    check_confirms,
)


def check_config(
    config: SoniConfig, positions: Positions | None = None, *, functions_known: bool = True
) -> list[Problem]:
    """Every problem of an assistant whose models hold.

    Without `positions` (an assistant written in Python) problems have only a path. With
    `functions_known` false, nothing is said about functions: they could not be imported.
    """
    assistant = Assistant(config)
    report = Report(positions, functions_known=functions_known)
    scopes = Scopes(assistant)
    for check in _CHECKS:
        check(assistant, scopes, report)
    return report.problems


def raise_problems(config: SoniConfig) -> None:
    """Raise `ConfigError` if the assistant cannot be used as it is written."""
    problems = check_config(config)
    if problems:
        raise ConfigError(problems)
