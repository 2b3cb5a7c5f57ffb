"""Stubs for actions, in a copy of the assistant for one test."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from types import MappingProxyType
from typing import Any

from soni.config.modules import load_functions
from soni.config.soni_config import SoniConfig
from soni.core.errors import ActionError


def stub_actions(
    config: SoniConfig, stubs: Mapping[str, Any], names: Collection[str] | None = None
) -> SoniConfig:
    """A copy of the assistant with stubs, and the other functions loaded anew.

    `names` are actions that may get a stub later; without one they run. The module is executed
    anew, so that no test sees what another one left in it.
    """
    fresh = load_functions(config.folder) if config.folder else None
    functions = config._copy_with(functions=fresh).functions
    actions = {
        name: _make_stub(function, name, stubs)
        if name in (stubs if names is None else names)
        else function
        for name, function in functions.actions.items()
    }
    # The same names with the same parameters: there is nothing new to check.
    return config._copy_with(functions=replace(functions, actions=MappingProxyType(actions)))


def make_stub_error(stub: Any) -> ActionError | None:
    """The error a stub raises, if it is `{error: type}`, perhaps with a `message`."""
    if not isinstance(stub, Mapping) or not {"error"} <= stub.keys() <= {"error", "message"}:
        return None
    return ActionError(str(stub["error"]), str(stub.get("message") or ""))


def _make_stub(
    function: Callable[..., Any], name: str, stubs: Mapping[str, Any]
) -> Callable[..., Any]:
    # Wrapped, so that it keeps the name and the parameters of the action.
    @wraps(function)
    def stub(**given: Any) -> Any:
        if name not in stubs:
            # What an asynchronous action returns is awaited by who called the stub.
            return function(**given)
        error = make_stub_error(stubs[name])
        if error is not None:
            raise error
        return stubs[name]

    return stub


START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
"""A Monday morning: when tests that do not say begin."""


class FrozenClock:
    """Gives the same time until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by
