"""Views: what /commands show of a conversation."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from soni.audit.origins import Origins
from soni.audit.turn import RecordedTurn
from soni.cli.trace.render import render_turn
from soni.commands.offers import list_pressable
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.core.masking import mask_slots
from soni.core.types import DialogueState, FlowContext
from soni.runtime.evidence import CONVERSATION
from soni.testing.case_text import shorten_command

_MAX_LOGGED = 20


@dataclass(frozen=True)
class OpenFlow:
    """A task that is not done."""

    name: str
    flow_id: str
    is_active: bool
    step: str | None
    slots: Mapping[str, Any]
    """Sensitive values are masked."""


@dataclass(frozen=True)
class Position:
    """Where a conversation stands, whoever keeps it."""

    waiting: str
    options: Sequence[str] = ()
    flows: Sequence[OpenFlow] = ()
    """The active one first."""

    shared: Mapping[str, Any] = field(default_factory=dict)
    handoff: str | None = None
    """To whom it was handed over, and why."""


def render_position(position: Position, origins: Origins | None) -> Text:
    """What is waited for, the open tasks, and their slots with the places they come from.

    `origins` is None if they may not be seen.
    """
    head = [("waiting for", position.waiting)]
    if position.options:
        head.append(("offered", ", ".join(position.options)))
    if position.handoff:
        head.append(("handed off", position.handoff))
    blocks = [_align_columns(head)]
    for flow in position.flows:
        state = "active" if flow.is_active else "paused"
        blocks.append(f"{flow.name}  {state}, {_describe_place(flow.step)}")
        blocks.append(_format_values(flow.slots, flow.flow_id, origins))
    if not position.flows:
        blocks.append("No flow is open.")
    if position.shared:
        blocks += ["conversation", _format_values(position.shared, CONVERSATION, origins)]
    return Text("\n".join(block for block in blocks if block))


def render_explanation(turns: Sequence[RecordedTurn]) -> Text:
    """Why the last message led to what it did."""
    told = [turn for turn in turns if turn.message is not None or turn.entry.status == "failed"]
    if not told:
        return Text("Nothing has been said yet.")
    return Text("\n").join(render_turn(told[-1], always_source=True))


def describe_position(state: DialogueState, config: SoniConfig) -> Position:
    """The position of a conversation of this process."""
    handoff = state["metadata"].get("handoff")
    return Position(
        waiting=_quote_question(state),
        options=[option["label"] for option in list_pressable(state)],
        flows=[
            OpenFlow(
                flow["flow_name"],
                flow["flow_id"],
                flow is state["flow_stack"][-1],
                flow["current_step"],
                _mask_slots(state["flow_slots"].get(flow["flow_id"], {}), config),
            )
            for flow in reversed(state["flow_stack"])
        ],
        shared=_mask_slots(state["conversation_slots"], config),
        handoff=_describe_handoff(handoff) if handoff else None,
    )


def render_state(state: DialogueState) -> Text:
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
        lines.append(("handed off", _describe_handoff(handoff)))
    if state["metadata"].get("error"):
        lines.append(("last error", " ".join(str(state["metadata"]["error"]).split())))
    return Text(_align_columns(lines))


def render_stack(state: DialogueState) -> Text:
    """The open flows, the active one first."""
    if not state["flow_stack"]:
        return Text("No flow is open.")
    return Text(
        _align_columns(
            (flow["flow_name"], f"{flow['flow_state']}, {_describe_step(flow)}")
            for flow in reversed(state["flow_stack"])
        )
    )


def render_slots(state: DialogueState, config: SoniConfig) -> Text:
    """The values of every open flow and of the conversation, sensitive ones masked."""
    owners = [
        (flow["flow_name"], state["flow_slots"].get(flow["flow_id"], {}))
        for flow in reversed(state["flow_stack"])
    ]
    owners.append(("conversation", state["conversation_slots"]))
    blocks = [
        f"{owner}\n{_format_values(_mask_slots(slots, config), owner, None)}"
        for owner, slots in owners
        if slots
    ]
    return Text("\n".join(blocks) or "No slot is filled.")


def render_log(state: DialogueState) -> Text:
    """The newest commands with their results and reasons."""
    entries = state["command_log"][-_MAX_LOGGED:]
    if not entries:
        return Text("No command has run yet.")
    return Text("\n".join(_format_log_entry(entry) for entry in entries))


def _describe_handoff(handoff: Mapping[str, Any]) -> str:
    queue = f" to {handoff['queue']}" if handoff["queue"] else ""
    return f"yes{queue}: {handoff['reason']}"


def _quote_question(state: DialogueState) -> str:
    prompt = state["_pending_prompt"]
    question = f": {' '.join(prompt['prompt'].split())}" if prompt is not None else ""
    return _describe_awaited(state) + question


def _describe_awaited(state: DialogueState) -> str:
    prompt = state["_pending_prompt"]
    if prompt is None:
        return "nothing"
    return describe_awaited(prompt["kind"], prompt["slot"])


def describe_awaited(kind: str, slot: str | None) -> str:
    """What kind of answer is waited for."""
    if slot is not None:
        return f"slot {slot}"
    return "a choice of flows" if kind == "disambiguate" else f"a yes ({kind})"


def _describe_step(flow: FlowContext) -> str:
    return _describe_place(flow["current_step"])


def _describe_place(step: str | None) -> str:
    return f"at step {step}" if step else "not begun"


def _mask_slots(slots: Mapping[str, Any], config: SoniConfig) -> dict[str, Any]:
    sensitive = {name for name, slot in config.slots.items() if slot.sensitive}
    return mask_slots(slots, sensitive.__contains__)


def _format_values(slots: Mapping[str, Any], owner: str, origins: Origins | None) -> str:
    if not slots:
        return ""
    shown = {name: MASK if value == MASK else _dump_json(value) for name, value in slots.items()}
    width = max(map(len, shown.values())) if origins else 0

    def describe(name: str) -> str:
        origin = " ".join((origins or {}).get((owner, name), "").split())
        return f"{shown[name]:<{width}}  {origin}".rstrip()

    return _align_columns((f"  {name}", describe(name)) for name in shown)


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
