"""What understanding said of a message against what it means: right, wrong and missed by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.understanding.sgd.conversation import Held
from benchmarks.understanding.sgd.match import AGREES, score
from benchmarks.understanding.sgd.rules import DONTCARE
from benchmarks.understanding.sgd.schema import Generated
from soni.commands import Command

SCORED = (
    *("StartFlow", "SetSlot", "CorrectSlot", "SkipSlot"),
    *("AffirmConfirmation", "DenyConfirmation", "Clarify"),
)
Key = tuple[str, str]
"""What a command is about: a type, and a flow or slot."""

Counts = Counter[tuple[str, str]]


def compared(held: Held, generated: Generated) -> Counts:
    """How many commands of each type were right, wrong and missed."""
    wanted, optional = _wanted(held, generated)
    said = _said(held.said) | {("asked", name): ("Clarify", None) for name in held.about}
    counts: Counts = Counter()
    if ("AffirmConfirmation", "") in said and ("AffirmConfirmation", "") not in wanted:
        _accepts_offer(wanted, said)
    for key, (kind, value) in said.items():
        gold = wanted.pop(key, None) or optional.get(key)
        right = gold is not None and _agree(key[1], gold[1], value, generated)
        if right and gold is not None:
            counts[gold[0], "right"] += 1
        elif not _is_known(key, value, held, generated):
            counts[kind, "wrong"] += 1
            if gold is not None:
                counts[gold[0], "missed"] += 1
    counts.update((kind, "missed") for kind, _ in wanted.values())
    return counts


def _accepts_offer(wanted: dict[Key, Any], said: dict[Key, Any]) -> None:
    """A yes to "shall I book it?" starts the booking as well as saying so."""
    offered = [key for key, (_, via) in wanted.items() if key[0] == "flow" and via == "offer"]
    for key in offered:
        said.pop(("AffirmConfirmation", ""))
        said[key] = ("StartFlow", None)
        return


def _wanted(held: Held, generated: Generated) -> tuple[dict[Key, Any], dict[Key, Any]]:
    """What the message means; what of it only says again what is known."""
    wanted: dict[Key, Any] = {}
    optional: dict[Key, Any] = {}
    for spec in held.turn.commands:
        kind = spec["cmd"]
        if kind == "StartFlow":
            flow = generated.flow(*spec["flow"].split("."))
            wanted["flow", flow] = ("StartFlow", spec["via"])
        elif kind in ("Affirm", "Select"):
            wanted["AffirmConfirmation", ""] = ("AffirmConfirmation", None)
        elif kind == "Deny":
            wanted["DenyConfirmation", ""] = ("DenyConfirmation", None)
        elif kind in ("SetSlot", "CorrectSlot", "RequestInfo"):
            name = generated.slot(spec["service"], spec["slot"])
            skipped = DONTCARE in spec["values"]
            of = "Clarify" if kind == "RequestInfo" else "SkipSlot" if skipped else kind
            about = "asked" if kind == "RequestInfo" else "slot"
            place = optional if spec.get("restate") else wanted
            place[about, name] = (of, spec["values"])
    return wanted, optional


def _said(commands: Sequence[Command]) -> dict[Key, tuple[str, Any]]:
    said: dict[Key, tuple[str, Any]] = {}
    for command in commands:
        fields = command.dump_args()
        if command.type == "StartFlow":
            said["flow", fields["flow_name"]] = (command.type, None)
            said.update({("slot", n): ("SetSlot", v) for n, v in fields["slots"].items()})
        elif command.type == "SetSlot":
            said["slot", fields["slot_name"]] = (command.type, fields["value"])
        elif command.type == "CorrectSlot":
            said["slot", fields["slot_name"]] = (command.type, fields["new_value"])
        elif command.type == "SkipSlot":
            said["slot", fields["slot_name"] or ""] = (command.type, DONTCARE)
        elif command.type in SCORED and command.type != "Clarify":
            said[command.type, ""] = (command.type, None)
    return said


def _agree(name: str, right: Any, value: Any, generated: Generated) -> bool:
    if value is None or not isinstance(right, Sequence) or isinstance(right, str):
        return True
    if DONTCARE in right or value == DONTCARE:
        return DONTCARE in right and value == DONTCARE
    return score(_spec(name, generated), right, str(value)) >= AGREES


def _is_known(key: Key, value: Any, held: Held, generated: Generated) -> bool:
    """Whether a value that nobody wanted is the one that the slot has anyhow."""
    if key[0] != "slot" or key[1] not in generated.slots:
        return False
    service, slot = generated.slots[key[1]]
    known = held.turn.state.get(service, {}).get("slot_values", {}).get(slot)
    return known is not None and _agree(key[1], known, value, generated)


def _spec(name: str, generated: Generated) -> Mapping[str, Any]:
    service, slot = generated.slots[name]
    slots = generated.services[service]["slots"]
    return next(spec for spec in slots if spec["name"] == slot)
