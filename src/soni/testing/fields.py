"""Checking commands and calls that a test writes as `Name` or `{Name: {field: value}}`."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from soni.commands import CommandHandlerRegistry
from soni.config.base import Config
from soni.config.checks.report import Report
from soni.config.positions import Path
from soni.testing.notation import read_named

RELEASE = "release"
START_FLOW = "start_flow"


class StartFlowCall(Config):
    """`api: {start_flow: ...}`."""

    flow_name: str
    inputs: dict[str, Any] = Field(default_factory=dict)


def check_named(report: Report, path: Path, entry: Any) -> str | None:
    """The entry's name; None, reported, if it has no form that makes sense."""
    try:
        return read_named(entry)[0]
    except ValueError as error:
        report.add(path, str(error), remedy="write `Name`, or `Name: {field: value}`")
        return None


def check_command(report: Report, path: Path, entry: Any, *, given: bool) -> None:
    """A command by its name, and its fields where they matter: always, if it is `given`."""
    name = check_named(report, path, entry)
    if name is None:
        return
    registry = CommandHandlerRegistry.discover()
    if name not in registry:
        here = path if isinstance(entry, str) else (*path, name)
        remedy = "write the name of a command"
        report.unknown(here, "command", name, registry, remedy=remedy, on="key")
        return
    fields = read_named(entry)[1]
    if fields is not None or given:
        model = registry.handler(name).command
        here = path if isinstance(entry, str) else (*path, name)
        _check_fields(report, here, model, {"type": name, **(fields or {})})


def check_call(report: Report, path: Path, call: Any) -> str | None:
    """A call of the API; the flow that it starts, if it does."""
    if call == RELEASE:
        return None
    if not isinstance(call, Mapping) or set(call) != {START_FLOW}:
        message = "this is not a call that a test can make"
        remedy = "write `api: release` or `api: {start_flow: {flow_name: ...}}`"
        report.add(path, message, remedy=remedy, available=(RELEASE, START_FLOW))
        return None
    fields = call[START_FLOW]
    here = (*path, START_FLOW)
    if not isinstance(fields, Mapping):
        report.add(here, "expected a mapping", remedy="write `start_flow: {flow_name: ...}`")
        return None
    _check_fields(report, here, StartFlowCall, fields)
    name = fields.get("flow_name")
    return name if isinstance(name, str) else None


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
                report.unknown(here, "field", field, names, remedy="remove it", on="key")
            elif found["type"] == "missing":
                message = f"'{field}' is missing"
                report.add(path, message, remedy=f"add `{field}: ...`", available=names, on="key")
            else:
                message = f"{found['msg'][:1].lower()}{found['msg'][1:]}"
                report.add(here, message, remedy="write another value")
