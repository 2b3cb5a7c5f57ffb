"""Values that are written for a sentence, and that their slot would not take."""

from collections.abc import Iterator
from typing import Any, Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.positions import Path
from soni.config.wording import clip
from soni.core.errors import Refused
from soni.language import base_language
from soni.slots import SlotEnv
from soni.testing.clock import START
from soni.testing.evaluate.held_out import Half, belongs
from soni.testing.evaluate.sentences import SentenceFile, read_all
from soni.testing.evaluate.shorthand import entries_of
from soni.testing.notation import read_moment

DOUBT_CODE: Final = "W606"
_LEAVE: Final = "or leave it, if people say that and are to be asked again"


def doubt_values(
    file: SentenceFile, assistant: Assistant, report: Report, half: Half | None
) -> None:
    """Look at the values of a file in which everything has its name.

    Only what the slot's type makes of them: what a validator or a constraint refuses depends on
    the conversation, and people do say it.
    """
    settings = assistant.config.settings
    env = SlotEnv(
        now=read_moment(file.now) if file.now else START,
        language=base_language(file.language or settings.language),
    )
    for path, slot, value in _iter_values(file, half):
        if value is None or not assistant.is_declared(slot) or _is_picked(slot, assistant):
            continue
        definition = assistant.slot(slot)
        try:
            assistant.slot_type(slot).coerce(value, definition, env)
        except Refused:
            what = (
                "one of its values" if definition.values else f"a value of type {definition.type}"
            )
            report.add(
                path,
                f"slot '{slot}' does not take '{clip(str(value))}'",
                code=DOUBT_CODE,
                remedy=f"write {what}, {_LEAVE}",
                available=definition.values,
            )


def _iter_values(file: SentenceFile, half: Half | None) -> Iterator[tuple[Path, str, Any]]:
    registry = CommandHandlerRegistry.discover()
    for moment, sentences in file.said.items():
        for sentence, written in sentences.items():
            if not belongs(sentence, half):
                continue
            for index, command in enumerate(read_all(entries_of(written))):
                path: Path = ("said", moment, sentence)
                here = (*path, index) if isinstance(written, list) else path
                for slot, value in registry.parse(command).slots_touched().items():
                    yield here, slot, value


def _is_picked(slot: str, assistant: Assistant) -> bool:
    """Whether it comes from a list: then it may be named by its place in it."""
    return any(plan.source(slot) is not None for plan in assistant.plans.values())
