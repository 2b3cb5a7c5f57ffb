"""The commands of a recorded turn as somebody would write them down."""

from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from soni.audit.stand_ins import StandIns
from soni.audit.turn import RecordedTurn
from soni.commands import CommandHandlerRegistry
from soni.commands.registry import UnknownCommandError


def commands_of(turn: RecordedTurn, stand_ins: StandIns) -> list[dict[str, Any]]:
    """What was said in a turn, with values that a slot may take."""
    refused = list_refused_slots(turn)
    return _readable([stand_ins.command(command, refused) for command in turn.said])


def list_effective_commands(turn: RecordedTurn, stand_ins: StandIns) -> list[dict[str, Any]]:
    """The same without what came to nothing."""
    refused = list_refused_slots(turn)
    failed = {each.get("command") for each in turn.results if each.get("result") != "success"}
    done = [
        stand_ins.command({**made["args"], "type": str(made.get("command"))})
        for made in turn.commands
        if not made.get("added") and made.get("decision") != "rejected"
    ]
    took = [each for each in done if each.get("slot_name") not in refused]
    return _readable([each for each in took if each["type"] not in failed])


def list_refused_slots(turn: RecordedTurn) -> Collection[Any]:
    """The slots that did not take a value."""
    return {write.get("slot") for write in turn.writes if "refused" in write}


def _readable(commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    registry, readable = CommandHandlerRegistry.discover(), []
    for said in commands:
        try:
            registry.parse(said)
        except (UnknownCommandError, ValidationError):
            continue  # it was rejected, and only what can be read may be written
        readable.append({said["type"]: {k: v for k, v in said.items() if k != "type"}})
    return readable
