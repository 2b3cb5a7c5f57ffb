"""Input and output of a chat: a terminal, or a pipe."""

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from rich.text import Text

from soni.cli.text import make_console, print_text
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.core.types import DialogueState, FlowContext
from soni.testing.case_text import shorten_command


class Screen(Protocol):
    """The input and output of a chat."""

    def read(self) -> str | None:
        """The next line; None: there are no more."""

    def bot(self, text: str) -> None:
        """Show a message of the bot."""

    def view(self, text: str) -> None:
        """Show the answer to a /command."""

    def note(self, text: str) -> None:
        """Show a note about the chat itself, if a person watches."""

    def error(self, text: str) -> None:
        """Show an error."""


class Terminal:
    """A person at a terminal."""

    def __init__(self) -> None:
        self._console = make_console()
        self._errors = make_console(stderr=True)
        with suppress(ImportError):
            # Importing readline gives `input` arrow keys and a history.
            import readline  # noqa: F401

    def read(self) -> str | None:
        try:
            return input("> ")
        except EOFError:
            self._console.print()
            return None

    def bot(self, text: str) -> None:
        self._console.print(Text(text, "bold cyan"), soft_wrap=True)

    def view(self, text: str) -> None:
        self._console.print(Text(text), soft_wrap=True)

    def note(self, text: str) -> None:
        self._console.print(Text(text, "dim"), soft_wrap=True)

    def error(self, text: str) -> None:
        self._errors.print(Text(text, "red"), soft_wrap=True)


class Pipe:
    """A program at a pipe: only messages and answers are printed."""

    def read(self) -> str | None:
        return sys.stdin.readline() or None

    def bot(self, text: str) -> None:
        print_text(text)

    view = bot

    def note(self, text: str) -> None:
        """Nobody watches."""

    def error(self, text: str) -> None:
        print_text(text, stderr=True)


def choose_screen() -> Screen:
    """A terminal if both ends are one, else a pipe."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal()
    if hasattr(sys.stdin, "reconfigure"):
        # Invalid UTF-8 must not end the conversation.
        sys.stdin.reconfigure(errors="replace")
    return Pipe()


_MAX_LOGGED = 20


def render_state(state: DialogueState) -> str:
    """Where the conversation stands."""
    active = state["flow_stack"][-1] if state["flow_stack"] else None
    lines = [
        ("state", state["conversation_state"]),
        ("waiting for", _describe_awaited(state)),
        ("active flow", f"{active['flow_name']}, {_describe_step(active)}" if active else "none"),
        ("turn", str(state["turn_count"])),
    ]
    handoff = state["metadata"].get("handoff")
    if handoff:
        queue = f" to {handoff['queue']}" if handoff["queue"] else ""
        lines.append(("handed off", f"yes{queue}: {handoff['reason']}"))
    if state["metadata"].get("error"):
        lines.append(("last error", " ".join(str(state["metadata"]["error"]).split())))
    return _align_columns(lines)


def render_stack(state: DialogueState) -> str:
    """The open flows, the active one first."""
    if not state["flow_stack"]:
        return "No flow is open."
    return _align_columns(
        (flow["flow_name"], f"{flow['flow_state']}, {_describe_step(flow)}")
        for flow in reversed(state["flow_stack"])
    )


def render_slots(state: DialogueState, config: SoniConfig) -> str:
    """The values of every open flow and of the conversation, sensitive ones masked."""
    owners = [
        (flow["flow_name"], state["flow_slots"].get(flow["flow_id"], {}))
        for flow in reversed(state["flow_stack"])
    ]
    owners.append(("conversation", state["conversation_slots"]))
    blocks = [f"{owner}\n{_format_slots(slots, config)}" for owner, slots in owners if slots]
    return "\n".join(blocks) or "No slot is filled."


def render_log(state: DialogueState) -> str:
    """The newest commands with their results and reasons."""
    entries = state["command_log"][-_MAX_LOGGED:]
    if not entries:
        return "No command has run yet."
    return "\n".join(_format_log_entry(entry) for entry in entries)


def _describe_awaited(state: DialogueState) -> str:
    prompt = state["_pending_prompt"]
    if prompt is None:
        return "nothing"
    if prompt["slot"] is not None:
        return f"slot {prompt['slot']}"
    return "a choice of flows" if prompt["kind"] == "disambiguate" else f"a yes ({prompt['kind']})"


def _describe_step(flow: FlowContext) -> str:
    return f"at step {flow['current_step']}" if flow["current_step"] else "not begun"


def _format_slots(slots: Mapping[str, Any], config: SoniConfig) -> str:
    masked = {name for name, slot in config.slots.items() if slot.sensitive}
    return _align_columns(
        (f"  {name}", MASK if name in masked else _dump_json(value))
        for name, value in slots.items()
    )


def _format_log_entry(entry: Mapping[str, Any]) -> str:
    command = entry["command"]
    told = shorten_command({command: entry["args"]}, bare=False)[command]
    args = " ".join(f"{name}={_dump_json(value)}" for name, value in told.items())
    why = f" ({entry['reason']})" if entry["reason"] else ""
    return f"turn {entry['turn']}  {command} {args}".rstrip() + f": {entry['result']}{why}"


def _dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _align_columns(lines: Iterable[tuple[str, str]]) -> str:
    rows = list(lines)
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)
