"""The right commands, from the data: with them the benchmark must reach a joint accuracy of 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.understanding.sgd.dialogues import Turn
from benchmarks.understanding.sgd.rules import DONTCARE
from benchmarks.understanding.sgd.schema import Generated
from soni.commands import (
    AffirmConfirmation,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)


def gold(turn: Turn, generated: Generated) -> list[Command]:
    """What the user's message means, as Soni's commands."""
    commands: list[Command] = []
    for spec in turn.commands:
        commands += [c for c in _meant(spec, generated) if c not in commands]
    return commands


def right_values(turn: Turn, generated: Generated) -> Mapping[str, Sequence[str]]:
    """The values that are right for each slot that the message fills."""
    return {
        generated.slot(spec["service"], spec["slot"]): spec["values"]
        for spec in turn.commands
        if spec["cmd"] in ("SetSlot", "CorrectSlot")
    }


def _meant(spec: Mapping[str, Any], generated: Generated) -> Iterator[Command]:
    kind = spec["cmd"]
    if kind == "StartFlow":
        service, intent = spec["flow"].split(".")
        yield StartFlow(flow_name=generated.flow(service, intent))
    elif kind in ("Affirm", "Select"):
        yield AffirmConfirmation()
    elif kind == "Deny":
        yield DenyConfirmation()
    elif kind in ("SetSlot", "CorrectSlot", "RequestInfo"):
        name = generated.slot(spec["service"], spec["slot"])
        if kind == "RequestInfo":
            yield Clarify(topic=name)
        elif DONTCARE in spec["values"]:
            yield SkipSlot(slot_name=name)
        elif kind == "SetSlot":
            yield SetSlot(slot_name=name, value=spec["values"][0])
        else:
            yield CorrectSlot(slot_name=name, new_value=spec["values"][0])
