"""A language model in the data's moments as it would be in the engine's own.

The data's system says things that the engine never asks, and writes values in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.understanding.sgd.conversation import Provider
from soni.commands import Command, CommandHandlerRegistry, CorrectSlot, SetSlot, SkipSlot
from soni.core.errors import Refusal
from soni.du.context import DialogueContext, NLUOutput
from soni.slots import SlotEnv, slot_types


class AsEngine:
    """Hands messages on, and makes of the answers what the engine makes of them."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message."""
        told = _without_statement(context)
        output = await self._provider.understand(user_message, history, told)
        parse = CommandHandlerRegistry.discover().parse
        commands = tuple(_meant(parse(each), context) for each in output.commands)
        return output.model_copy(update={"commands": commands})


def _without_statement(context: DialogueContext) -> DialogueContext:
    """What asks nothing is no question, though what it tells of may still be taken."""
    asked, shown = context.asked or {}, context.shown
    if asked.get("kind") != "open" or "?" in asked["prompt"]:
        return context
    takes = shown.model_copy(update={"offered": {**shown.informed, **shown.offered}})
    return context.model_copy(update={"asked": None, "shown": takes})


def _meant(command: Command, context: DialogueContext) -> Command:
    if isinstance(command, SkipSlot) and command.slot_name is None:
        return command.model_copy(update={"slot_name": context.waiting_for_slot})
    if isinstance(command, SetSlot):
        value = _read(command.slot_name, command.value, context)
        return command.model_copy(update={"value": value})
    if isinstance(command, CorrectSlot):
        value = _read(command.slot_name, command.new_value, context)
        return command.model_copy(update={"new_value": value})
    return command


def _read(name: str, value: Any, context: DialogueContext) -> Any:
    """A yes or no as its slot reads it: the data has `True` where people have many words."""
    slot = next((each for each in context.expected_slots if each.name == name), None)
    if slot is None or slot.type != "boolean":
        return value
    try:
        env = SlotEnv(now=context.now, language=context.language)
        return slot_types()["boolean"].coerce(value, slot, env)
    except Refusal:
        return value
