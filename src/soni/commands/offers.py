"""The commands of buttons. They skip understanding if the button was offered last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from soni.commands.base import Command
from soni.commands.registry import CommandHandlerRegistry, UnknownCommandError
from soni.commands.set_slot import SetSlot
from soni.core.errors import NotAllowedError, Problem
from soni.core.types import DialogueState
from soni.steps.ui import Ui

if TYPE_CHECKING:
    from soni.config.soni_config import SoniConfig
    from soni.steps.ui import Option


def resolve_press(label: str, state: DialogueState) -> list[Command] | None:
    """The commands of a pressed option. None: its label is read as a message."""
    offered = list_pressable(state)
    wanted = label.strip().casefold()
    option = next((o for o in offered if o["label"].strip().casefold() == wanted), None)
    if option is None:
        labels = ", ".join(o["label"] for o in offered) or "nothing"
        raise NotAllowedError(f"'{label}' was not offered; last offered: {labels}")
    return get_option_commands(option, state["waiting_for_slot"])


def list_pressable(state: DialogueState) -> list[dict[str, Any]]:
    """The options that were shown last; at a question without any, yes and no."""
    metadata = state["metadata"]
    return metadata.get("offered") or metadata.get("answers") or []


def get_option_commands(option: dict[str, Any], asked: str | None) -> list[Command] | None:
    """The option's own command, or its value for the slot that was asked."""
    if "command" in option:
        return [CommandHandlerRegistry.discover().parse(option["command"])]
    return [SetSlot(slot_name=asked, value=option["value"])] if asked else None


def find_option_problems(config: SoniConfig) -> list[Problem]:
    """Problems of options whose commands could never run."""
    registry = CommandHandlerRegistry.discover()
    problems = []
    for path, option in _iter_options(config):
        if option.command is None:
            continue
        own = {option.command: {}} if isinstance(option.command, str) else option.command
        name, fields = next(iter(own.items()))
        try:
            registry.parse({"type": name, **fields})
        except UnknownCommandError as error:
            problems.append(Problem(str(error), path=path, available=tuple(registry)))
        except ValidationError as error:
            wrong = ", ".join(sorted({str(part) for e in error.errors() for part in e["loc"]}))
            problems.append(Problem(f"{name} does not take this: {wrong}", path=path))
    return problems


def _iter_options(config: SoniConfig) -> Iterator[tuple[tuple[str | int, ...], Option]]:
    for flow_name, flow in config.flows.items():
        for place, step in flow.iter_steps():
            ui = getattr(step, "ui", None)
            if isinstance(ui, Ui):
                for card in (ui, *ui.cards):
                    for option in card.options:
                        yield ("flows", flow_name, *place, "ui"), option
