"""Checking commands and calls that a test writes as `Name` or `{Name: {field: value}}`."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, ValidationError

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.definitions import Config
from soni.config.positions import Path

_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}

YEARS: Final = range(1900, 9000)
MAX_LENGTH: Final = timedelta(days=36_525)
"""How long the conversation of a test may last."""

_DURATION: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)\s*([smhd])")

RELEASE = "release"
START_FLOW = "start_flow"
PRESS = "press"
PUSH = "push"
AGENT_MESSAGE = "agent_message"
TEXT_CALLS = {
    PRESS: 'write what stands on the button, such as `press: "Yes"`',
    PUSH: 'write what is said, such as `push: "Your parcel is here."`',
    AGENT_MESSAGE: 'write what is said, such as `agent_message: "This is Bea."`',
}
"""Calls that take nothing but a text, and how to write it."""

_CALLS = (RELEASE, START_FLOW, *TEXT_CALLS)


class StartFlowCall(Config):
    """`api: {start_flow: ...}`."""

    flow_name: str
    inputs: dict[str, Any] = Field(default_factory=dict)


class NameChecker:
    """Checks the names and times of a file against one assistant."""

    def __init__(self, assistant: Assistant, report: Report) -> None:
        self._assistant = assistant
        self._report = report

    def check_time(self, path: Path, text: str | None) -> None:
        """A date and time, if there is one."""
        remedy = f"write it as 2026-03-02T10:00:00, from {YEARS[0]} to {YEARS[-1]}"
        self._check_readable(path, text, read_moment, "a date and time", remedy)

    def check_action(self, path: Path, name: str, on: Literal["key", "value"] = "key") -> None:
        """The name of an action."""
        remedy = "name a function that is marked with @action in actions.py"
        self._check_name(path, "action", name, self._assistant.functions.actions, remedy, on)

    def _check_flow(self, path: Path, name: str) -> None:
        flows = self._assistant.config.flows
        self._check_name(path, "flow", name, flows, "name a flow of this assistant")

    def _check_readable(
        self, path: Path, text: str | None, read: Callable[[str], Any], what: str, remedy: str
    ) -> None:
        try:
            if text is not None:
                read(text)
        except (ValueError, OverflowError):
            self._report.add(path, f"expected {what}", remedy=remedy)

    def _check_name(
        self,
        path: Path,
        what: str,
        name: str,
        names: Iterable[str],
        remedy: str,
        on: Literal["key", "value"] = "value",
    ) -> None:
        if name not in names:
            self._report.add_unknown(path, what, name, names, remedy=remedy, on=on)


def check_entry(report: Report, path: Path, entry: Any) -> str | None:
    """The entry's name; None, reported, if it has no form that makes sense."""
    try:
        return read_entry(entry)[0]
    except ValueError as error:
        report.add(path, str(error), remedy="write `Name`, or `Name: {field: value}`")
        return None


def check_command(report: Report, path: Path, entry: Any, *, given: bool) -> None:
    """A command by its name, and its fields where they matter: always, if it is `given`."""
    name = check_entry(report, path, entry)
    if name is None:
        return
    registry = CommandHandlerRegistry.discover()
    here = path if isinstance(entry, str) else (*path, name)
    if name not in registry:
        remedy = "write the name of a command"
        report.add_unknown(here, "command", name, registry, remedy=remedy, on="key")
        return
    fields = read_entry(entry)[1]
    if fields is not None or given:
        model = registry.get_handler(name).command
        _check_fields(report, here, model, {"type": name, **(fields or {})})


def check_call(report: Report, path: Path, call: Any) -> str | None:
    """A call of the API; the flow that it starts, if it does."""
    if call == RELEASE:
        return None
    if not isinstance(call, Mapping) or len(call) != 1 or not set(call) <= set(_CALLS[1:]):
        message = "this is not a call that a test can make"
        forms = "`api: release`, `api: {start_flow: {flow_name: ...}}` or `api: {press: ...}`"
        report.add(path, message, remedy=f"write {forms}", available=_CALLS)
        return None
    [(name, fields)] = call.items()
    if name in TEXT_CALLS:
        if not isinstance(fields, str):
            report.add((*path, name), "expected a text", remedy=TEXT_CALLS[name])
        return None
    here = (*path, START_FLOW)
    if not isinstance(fields, Mapping):
        report.add(here, "expected a mapping", remedy="write `start_flow: {flow_name: ...}`")
        return None
    _check_fields(report, here, StartFlowCall, fields)
    flow = fields.get("flow_name")
    return flow if isinstance(flow, str) else None


def _check_fields(
    report: Report, path: Path, model: type[BaseModel], fields: Mapping[str, Any]
) -> None:
    names = [name for name in model.model_fields if name != "type"]
    try:
        model.model_validate(dict(fields))
    except ValidationError as error:
        for found in error.errors(include_url=False):
            field = str(found["loc"][0])
            here = (*path, field)
            if found["type"] == "extra_forbidden":
                report.add_unknown(here, "field", field, names, remedy="remove it", on="key")
            elif found["type"] == "missing":
                message, remedy = f"'{field}' is missing", f"add `{field}: ...`"
                report.add(path, message, remedy=remedy, available=names, on="key")
            else:
                message = f"{found['msg'][:1].lower()}{found['msg'][1:]}"
                report.add(here, message, remedy="write another value")


def read_duration(text: str) -> timedelta:
    """`45s`, `31m`, `2h`, `1.5d`."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a duration")
    return timedelta(**{_UNITS[match[2]]: float(match[1])})


def read_moment(text: str) -> datetime:
    """An ISO date and time; without a zone it is UTC, so that a test means the same anywhere.

    Only in `YEARS`: nearer to the ends of the calendar no "tomorrow" can be computed.
    """
    moment = datetime.fromisoformat(text)
    if moment.year not in YEARS:
        raise ValueError(f"{moment.year} is too far away")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def read_entry(entry: Any) -> tuple[str, dict[str, Any] | None]:
    """`Name`, or `{Name: {field: value}}`; None where no fields are written."""
    if isinstance(entry, str):
        return entry, None
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise ValueError("expected a name, or a name with its fields under it")
    name, fields = next(iter(entry.items()))
    if fields is None:
        return name, {}
    if not isinstance(fields, Mapping):
        raise ValueError(f"expected the fields of {name} as a mapping")
    return name, dict(fields)
