"""The checks of `soni doctor`: one function each, in the order in which they are shown."""

import asyncio
import os
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from soni.cli.doctor.finding import Check, Finding, accept, refuse, warn
from soni.cli.doctor.network import check_model, check_telemetry
from soni.cli.doctor.storage import check_disk, check_encryption, check_store
from soni.cli.doctor.understanding import check_understanding
from soni.cli.text import format_plural
from soni.config.load import examine_assistant
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, SoniError
from soni.core.invocation import InvocationTimeout, Invoker
from soni.du.generator import needs_generator

_MAX_THREADS: Final = 32


def check_extras(config: SoniConfig) -> Iterator[Finding]:
    """Whether the libraries are installed that this assistant needs."""
    missing = {name: _list_missing(modules) for name, modules in EXTRAS.items()}
    for name, needs in NEEDS.items():
        reason = needs(config)
        if reason is None:
            continue
        if missing[name]:
            text = f"the extra `{name}` is not installed ({', '.join(missing[name])}); {reason}"
            yield refuse("extras", text, f"pip install 'soni[{name}]'")
        else:
            yield accept("extras", f"`{name}` is installed; {reason}")
    if missing["server"]:
        text = f"the extra `server` is not installed ({', '.join(missing['server'])})"
        yield warn("extras", f"{text}: `soni serve` needs it", "pip install 'soni[server]'")
    else:
        yield accept("extras", "`server` is installed")


EXTRAS: Final = {
    "postgres": ("psycopg", "psycopg_pool", "procrastinate"),
    "llm": ("dspy",),
    "encryption": ("cryptography",),
    "mcp": ("mcp",),
    "otel": ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"),
    "server": ("fastapi", "uvicorn", "websockets", "ag_ui", "jwt", "prometheus_client"),
}
"""The modules of each extra."""


def _needs_postgres(config: SoniConfig) -> str | None:
    used = config.settings.persistence.backend == "postgres"
    return "settings.persistence.backend is postgres" if used else None


def _needs_llm(config: SoniConfig) -> str | None:
    provider = config.settings.nlu.provider
    if provider in ("llm", "cascade"):
        return f"settings.nlu.provider is {provider}"
    return "texts are written by settings.nlu.model" if needs_generator(config) else None


def _needs_encryption(config: SoniConfig) -> str | None:
    keys = config.settings.persistence.list_keys()
    return "settings.persistence.encryption_key is set" if keys else None


def _needs_mcp(config: SoniConfig) -> str | None:
    used = any(getattr(action, "mcp", None) for action in config.actions.values())
    return "actions are tools of MCP servers" if used else None


def _needs_otel(config: SoniConfig) -> str | None:
    tracing = config.settings.observability.tracing
    return None if tracing == "off" else f"settings.observability.tracing is {tracing}"


NEEDS: Final[dict[str, Callable[[SoniConfig], str | None]]] = {
    "postgres": _needs_postgres,
    "llm": _needs_llm,
    "encryption": _needs_encryption,
    "mcp": _needs_mcp,
    "otel": _needs_otel,
}
"""Why an assistant needs an extra; None if it does not."""

CHECKS: Final[tuple[Check, ...]] = (
    check_extras,
    check_encryption,
    check_store,
    check_disk,
    check_understanding,
    check_model,
    check_telemetry,
)
"""All checks of an assistant that can be read."""


def examine_surroundings(path: Path, seconds: float) -> list[Finding]:
    """Everything there is to say about an assistant where it is to run."""
    findings = [_describe_python(), _describe_soni()]
    try:
        examined = examine_assistant(path)
    except ConfigError as error:
        return [*findings, _describe_mistakes(path, len(error.problems))]
    if examined.config is None or examined.errors:
        return [*findings, _describe_mistakes(path, len(examined.errors))]
    findings.append(_describe_assistant(path, examined.config, len(examined.problems)))
    return [*findings, *asyncio.run(_run_checks(examined.config, seconds))]


async def _run_checks(config: SoniConfig, seconds: float) -> list[Finding]:
    invoker = Invoker(_MAX_THREADS)
    found = await asyncio.gather(*(_run_check(invoker, each, config, seconds) for each in CHECKS))
    return [finding for findings in found for finding in findings]


async def _run_check(
    invoker: Invoker, check: Check, config: SoniConfig, seconds: float
) -> list[Finding]:
    topic = check.__name__.removeprefix("check_")
    try:
        found: list[Finding] = await invoker.invoke(partial(_list_findings, check, config), seconds)
    except InvocationTimeout:
        remedy = "Look whether what it needs answers, or give it longer with --timeout."
        return [refuse(topic, f"no answer within {seconds:g} seconds", remedy)]
    except SoniError as error:
        # It says what to do about it itself.
        return [refuse(topic, str(error), "")]
    except Exception as error:
        # Its message may hold an address with a password.
        return [refuse(topic, f"it failed: {type(error).__name__}", "")]
    return found


def _list_findings(check: Check, config: SoniConfig) -> list[Finding]:
    return list(check(config))


def _describe_python() -> Finding:
    kind = f"{platform.python_implementation()} {platform.python_version()}"
    return accept(
        "python", f"{kind} on {platform.system()}, {os.cpu_count()} cores: {sys.executable}"
    )


def _describe_soni() -> Finding:
    try:
        return accept("soni", version("soni"))
    except PackageNotFoundError:
        return accept("soni", "run from its source")


def _describe_mistakes(path: Path, count: int) -> Finding:
    message = f"{format_plural(count, 'problem')} in {path}; nothing else was looked at"
    return refuse("assistant", message, f"Read them: soni check {path}")


def _describe_assistant(path: Path, config: SoniConfig, warnings: int) -> Finding:
    flows, language = format_plural(len(config.flows), "flow"), config.settings.language
    message = f"{flows}, language {language}"
    if not warnings:
        return accept("assistant", f"{message}, no problem")
    noun = format_plural(warnings, "warning")
    return warn("assistant", f"{message}, {noun}", f"Read them: soni check {path}")


def _list_missing(modules: tuple[str, ...]) -> list[str]:
    return [name for name in modules if not _is_installed(name)]


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False
