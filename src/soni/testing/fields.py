"""Checking commands and calls that a test writes as `Name` or `{Name: {field: value}}`."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pydantic import BaseModel, Field, ValidationError

from soni.commands import CommandHandlerRegistry
from soni.config.checks.report import TEST_CODE, Report
from soni.config.definitions import Config
from soni.config.positions import Path

_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


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


def check_entry(report: Report, path: Path, entry: Any, *, code: str = TEST_CODE) -> str | None:
    """The entry's name; None, reported, if it has no form that makes sense."""
    try:
        return read_entry(entry)[0]
    except ValueError as error:
        remedy = "write `Name`, or `Name: {field: value}`"
        report.add(path, str(error), code=code, remedy=remedy)
        return None


def check_command(
    report: Report, path: Path, entry: Any, *, given: bool, code: str = TEST_CODE
) -> None:
    """A command by its name, and its fields where they matter: always, if it is `given`."""
    name = check_entry(report, path, entry, code=code)
    if name is None:
        return
    registry = CommandHandlerRegistry.discover()
    if name not in registry:
        here = path if isinstance(entry, str) else (*path, name)
        remedy = "write the name of a command"
        report.add_unknown(here, "command", name, registry, code=code, remedy=remedy, on="key")
        return
    fields = read_entry(entry)[1]
    if fields is not None or given:
        model = registry.get_handler(name).command
        here = path if isinstance(entry, str) else (*path, name)
        _check_fields(report, here, model, {"type": name, **(fields or {})}, code)


def check_call(report: Report, path: Path, call: Any) -> str | None:
    """A call of the API; the flow that it starts, if it does."""
    if call == RELEASE:
        return None
    if not isinstance(call, Mapping) or len(call) != 1 or not set(call) <= set(_CALLS[1:]):
        message = "this is not a call that a test can make"
        remedy = (
            "write `api: release`, `api: {start_flow: {flow_name: ...}}` or `api: {press: ...}`"
        )
        report.add(path, message, remedy=remedy, available=_CALLS)
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
    report: Report,
    path: Path,
    model: type[BaseModel],
    fields: Mapping[str, Any],
    code: str = TEST_CODE,
) -> None:
    names = [name for name in model.model_fields if name != "type"]
    try:
        model.model_validate(dict(fields))
    except ValidationError as error:
        for found in error.errors(include_url=False):
            field = str(found["loc"][0])
            here = (*path, field)
            if found["type"] == "extra_forbidden":
                report.add_unknown(
                    here, "field", field, names, code=code, remedy="remove it", on="key"
                )
            elif found["type"] == "missing":
                message = f"'{field}' is missing"
                remedy = f"add `{field}: ...`"
                report.add(path, message, code=code, remedy=remedy, available=names, on="key")
            else:
                message = f"{found['msg'][:1].lower()}{found['msg'][1:]}"
                report.add(here, message, code=code, remedy="write another value")


def read_duration(text: str) -> timedelta:
    """`45s`, `31m`, `2h`, `1.5d`."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a duration")
    return timedelta(**{_UNITS[match[2]]: float(match[1])})


def read_moment(text: str) -> datetime:
    """An ISO date and time; without a zone it is UTC, so that a test means the same anywhere."""
    moment = datetime.fromisoformat(text)
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
