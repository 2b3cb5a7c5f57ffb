"""soni check --against: what a deployment would do to open conversations."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from soni.audit.forecast import ConversationForecast, FlowForecast, forecast_steps, forecast_store
from soni.audit.revision import find_commit, read_revision
from soni.audit.source import add_default_store, open_kept_store
from soni.cli.text import (
    format_plural,
    make_console,
    print_lines,
    report_errors,
    show_table,
    to_one_line,
)
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError

_OWN_STORE: Final = "store"
_BACKENDS: Final = {"postgresql": "postgres"}
"""Schemes of addresses that are called otherwise than their store."""


def check_against(config: SoniConfig, against: str, *, quiet: bool) -> dict[str, Any]:
    """Forecast, and print it unless `quiet`; the same as plain data."""
    with report_errors():
        placed = _find_store(config, against)
        if placed is not None:
            found = asyncio.run(_forecast_store(placed))
            if not quiet:
                _print_conversations(found)
            listed = [_make_plain_conversation(each) for each in found]
            ok = all(each.is_unharmed for each in found)
            return {"ok": ok, "conversations": listed}
        steps = asyncio.run(forecast_steps(_read_old(config, against), config))
    if not quiet:
        _print_steps(steps, against)
    ok = all(each.is_unharmed for each in steps)
    return {"ok": ok, "steps": [_make_plain_flow(each) for each in steps]}


def _find_store(config: SoniConfig, against: str) -> SoniConfig | None:
    """The assistant with the store that is meant; None: something else is."""
    if against == _OWN_STORE:
        return add_default_store(config)
    scheme, found, _ = against.partition("://")
    if found:
        chosen = {"backend": _BACKENDS.get(scheme, scheme), "url": against}
    elif _is_file(against):
        chosen = {"backend": "sqlite", "url": against}
    else:
        return None
    # The keys stay: what is stored elsewhere is encrypted with the same.
    place = config.settings.persistence.model_copy(update=chosen)
    settings = config.settings.model_copy(update={"persistence": place})
    return config.model_copy(update={"settings": settings})


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _read_old(config: SoniConfig, revision: str) -> SoniConfig:
    folder = config.folder or Path()
    commit = find_commit(folder, f"{revision}^{{commit}}")
    if commit is None:
        raise SoniError(
            f"--against {revision}: this is neither a file nor a revision of the repository that "
            f"{folder} is in. Give a store's file or URL, `{_OWN_STORE}` for the store of the "
            "assistant's settings, or a Git revision such as HEAD~1."
        )
    return read_revision(folder, commit)


async def _forecast_store(config: SoniConfig) -> list[ConversationForecast]:
    async with open_kept_store(config) as store:
        return [each async for each in forecast_store(config, store)]


def _print_conversations(found: Sequence[ConversationForecast]) -> None:
    rows = []
    for each in found:
        if each.problem is not None:
            rows.append((each.conversation_id, "", "", "cannot be read", each.problem))
        for flow in each.flows:
            rows.append((each.conversation_id, *_make_row(flow)))
    console = make_console()
    if rows:
        show_table(console, "", ("conversation", "flow", "step", "what happens", "lost"), rows)
    harmed = sum(not each.is_unharmed for each in found)
    counted = format_plural(len(found), "open conversation")
    text = f"{counted}: all go on" if not harmed else f"{harmed} of {counted} would not just go on"
    print_lines(console, [Text(text, "bold red" if harmed else "bold green")])


def _print_steps(found: Sequence[FlowForecast], revision: str) -> None:
    console = make_console()
    rows = [_make_row(each) for each in found]
    show_table(console, "", ("flow", "step", "what happens", "lost"), rows)
    harmed = sum(not each.is_unharmed for each in found)
    counted = f"{format_plural(len(found), 'step')} of {to_one_line(revision)}"
    text = f"{counted}: all go on" if not harmed else f"{harmed} of {counted} would not just go on"
    print_lines(console, [Text(text, "bold red" if harmed else "bold green")])


def _make_row(flow: FlowForecast) -> tuple[str, str, str, str]:
    happens = "finishes on its own version" if flow.finishes else _WORDS[flow.outcome]
    if flow.note is not None:
        happens = f"{happens} ({flow.note})"
    lost = "; ".join(f"{name}: {why}" for name, why in flow.lost.items())
    return flow.flow, flow.step or "not begun", happens, lost


_WORDS: Final = {
    "continues": "goes on",
    "restarts": "restarts with its slots",
    "ends": "ends: the flow is gone",
}


def _make_plain_conversation(each: ConversationForecast) -> dict[str, Any]:
    problem = {"problem": each.problem} if each.problem is not None else {}
    flows = [_make_plain_flow(flow) for flow in each.flows]
    return {"conversation_id": each.conversation_id, "flows": flows, **problem}


def _make_plain_flow(each: FlowForecast) -> dict[str, Any]:
    return {**vars(each), "lost": dict(each.lost)}
