"""Checks the names, times and commands of a sentence file."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.positions import Path, Positions
from soni.core.errors import Problem, Refusal, clip
from soni.language import get_base_language
from soni.slots import SlotEnv
from soni.testing.evaluate.sample import Half, is_in_half
from soni.testing.evaluate.sentences import (
    IDLE,
    SentenceFile,
    read_command,
    read_commands,
    split_entries,
)
from soni.testing.fields import NameChecker, check_command, read_moment
from soni.testing.stubs import START

CODE: Final = "E702"
DOUBT_CODE: Final = "W606"
_REMEDY: Final = "write `SetSlot amount 50`, several with `;` between them, or `[]` for nothing"
_LEAVE: Final = "or leave it, if people say that and are to be asked again"


def check_sentences(
    file: SentenceFile, assistant: Assistant, positions: Positions
) -> list[Problem]:
    """Check all names in a file."""
    report = Report(positions, code=CODE)
    checker = _SentenceChecker(assistant, report)
    checker.check_time(("now",), file.now)
    for name in file.stubs:
        checker.check_action(("stubs", name), name)
    for moment, turns in file.moments.items():
        if moment == IDLE:
            message = f"'{IDLE}' is the beginning of a conversation, and needs no turns"
            remedy = "give it another name, or remove it"
            report.add(("moments", moment), message, remedy=remedy, on="key")
        for turn, entries in enumerate(turns):
            for index, entry in enumerate(entries):
                checker.check_entry(("moments", moment, turn, index), entry)
    for moment, sentences in file.said.items():
        checker.check_moment(("said", moment), moment, (IDLE, *file.moments))
        for sentence, written in sentences.items():
            checker.check_meaning(("said", moment, sentence), written)
    return report.problems


class _SentenceChecker(NameChecker):
    def __init__(self, assistant: Assistant, report: Report) -> None:
        super().__init__(assistant, report)
        shared = (name for name in assistant.config.slots if assistant.is_shared(name))
        asked = (plan.asks for plan in assistant.plans.values())
        self._slots = frozenset(shared).union(*asked)

    def check_moment(self, path: Path, name: str, known: tuple[str, ...]) -> None:
        remedy = "say under `moments` how a conversation comes there"
        self._check_name(path, "moment", name, known, remedy, "key")

    def check_meaning(self, path: Path, written: Any) -> None:
        try:
            entries = split_entries(written)
        except ValueError as error:
            self._report.add(path, str(error), remedy=_REMEDY)
            return
        for index, entry in enumerate(entries):
            self.check_entry((*path, index) if isinstance(written, list) else path, entry)

    def check_entry(self, path: Path, entry: Any) -> None:
        try:
            name, fields = read_command(entry)
        except ValueError as error:
            self._report.add(path, str(error), remedy=_REMEDY)
            return
        found = len(self._report.problems)
        check_command(self._report, path, {name: fields}, given=True)
        if len(self._report.problems) == found:
            self._check_names(path, fields)

    def _check_names(self, path: Path, fields: Mapping[str, Any]) -> None:
        flows, flow = self._assistant.config.flows, fields.get("flow_name")
        for name in [flow, *fields.get("flow_names", ())]:
            if name is not None:
                self._check_flow(path, name)
        if flow is not None and flow not in flows:
            return
        slots = self._slots if flow is None else self._assistant.plans[flow].asks
        told = [fields.get("slot_name"), fields.get("slot_to_change"), *fields.get("slots", ())]
        for name in told:
            if name is not None:
                self._check_name(path, "slot", name, slots, "name a slot that a flow asks for")


def doubt_values(
    file: SentenceFile, assistant: Assistant, positions: Positions, half: Half | None
) -> list[Problem]:
    """Warn about values that the type of their slot would refuse.

    Validators and constraints are not applied: they depend on the conversation, and people do
    say values that they refuse.
    """
    report = Report(positions, code=DOUBT_CODE)
    now = read_moment(file.now) if file.now else START
    language = file.language or assistant.config.settings.language
    env = SlotEnv(now, get_base_language(language))
    for path, slot, value in _iter_values(file, half):
        if value is None or not assistant.is_declared(slot) or _is_picked(slot, assistant):
            continue
        definition = assistant.get_slot_config(slot)
        try:
            assistant.get_slot_type(slot).coerce(value, definition, env)
        except Refusal:
            values = definition.values
            what = "one of its values" if values else f"a value of type {definition.type}"
            message = f"slot '{slot}' does not take '{clip(str(value))}'"
            report.add(path, message, remedy=f"write {what}, {_LEAVE}", available=values)
    return report.problems


def _iter_values(file: SentenceFile, half: Half | None) -> Iterator[tuple[Path, str, Any]]:
    registry = CommandHandlerRegistry.discover()
    for moment, sentences in file.said.items():
        for sentence, written in sentences.items():
            if not is_in_half(sentence, half):
                continue
            for index, command in enumerate(read_commands(split_entries(written))):
                path: Path = ("said", moment, sentence)
                here = (*path, index) if isinstance(written, list) else path
                for slot, value in registry.parse(command).get_touched_slots().items():
                    yield here, slot, value


def _is_picked(slot: str, assistant: Assistant) -> bool:
    """Whether the slot is picked from a list, so that a position may be said."""
    return any(plan.find_options_source(slot) is not None for plan in assistant.plans.values())
