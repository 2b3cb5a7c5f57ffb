"""Commands that bring examples: matched by the same words, or by similarity."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from soni.commands import Command, CommandHandlerRegistry
from soni.du.context import FlowBrief
from soni.du.local.limits import Limits
from soni.du.local.parse import NOTHING, Parse
from soni.du.local.view import View
from soni.du.local.words.words import normalise

if TYPE_CHECKING:
    # What repeats an example needs no model, and numpy takes a while to import.
    from soni.du.local.analysis import Analysis

_CAMEL_BOUNDARY: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def match_example(text: str, view: View) -> Command | None:
    """The command one of whose examples a normal text repeats."""
    for command, examples in _list_commands(view.env.base_language):
        if text in map(normalise, examples):
            return command
    return None


def match_likeness(thought: "Analysis", view: View, limits: Limits) -> Parse:
    """The command whose examples a message is like, more than any flow's."""
    commands = _list_commands(view.env.base_language) if view.has_models else ()
    if not commands:
        return NOTHING
    briefs = [(_make_brief(command, examples), command) for command, examples in commands]
    flows = (*view.context.available_flows, *view.context.barred_flows)
    choice = thought.choose_flow((*flows, *(brief for brief, _ in briefs)))
    for brief, command in briefs:
        likely = choice.probabilities[brief.name]
        if choice.best == brief.name and likely >= _choose_threshold(view, limits):
            return Parse((command,), likely)
    return NOTHING


def _choose_threshold(view: View, limits: Limits) -> float:
    if view.is_idle:
        return limits.start
    return limits.interrupt if view.asked is None or view.asks_for_form else limits.strong_act


def _make_brief(command: Command, examples: tuple[str, ...]) -> FlowBrief:
    # Several words, so that it is no flow's name.
    name = f"please {_CAMEL_BOUNDARY.sub(' ', command.type).lower()}"
    return FlowBrief(name=name, examples=examples)


@lru_cache(maxsize=8)
def _list_commands(language: str) -> tuple[tuple[Command, tuple[str, ...]], ...]:
    registry = CommandHandlerRegistry.discover()
    brought = {
        name: registry.get_handler(name).command.examples.get(language, ()) for name in registry
    }
    return tuple(
        (registry.parse({"type": name}), tuple(examples))
        for name, examples in brought.items()
        if examples
    )
