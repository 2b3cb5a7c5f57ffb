"""Checks the names, times and commands of a sentence file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.positions import Path
from soni.core.errors import Refusal, clip
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
from soni.testing.fields import check_command, read_moment
from soni.testing.stubs import START

CODE: Final = "E702"
_REMEDY: Final = "write `SetSlot amount 50`, several with `;` between them, or `[]` for nothing"


def check_sentences(file: SentenceFile, assistant: Assistant, report: Report) -> None:
    """Check all names in a file."""
    checker = _SentenceChecker(assistant, report)
    if file.now is not None:
        checker.check_time(("now",), file.now)
    for name in file.stubs:
        checker.check_action(("stubs", name), name)
    for moment, turns in file.moments.items():
        if moment == IDLE:
            message = f"'{IDLE}' is the beginning of a conversation, and needs no turns"
            remedy = "give it another name, or remove it"
            report.add(("moments", moment), message, code=CODE, remedy=remedy, on="key")
        for turn, entries in enumerate(turns):
            for index, entry in enumerate(entries):
                checker.check_entry(("moments", moment, turn, index), entry)
    for moment, sentences in file.said.items():
        checker.check_moment(("said", moment), moment, (IDLE, *file.moments))
        for sentence, written in sentences.items():
            checker.check_meaning(("said", moment, sentence), written)


class _SentenceChecker:
    """Checks one file against one assistant."""

    def __init__(self, assistant: Assistant, report: Report) -> None:
        self._assistant = assistant
        self._report = report
        shared = (name for name in assistant.config.slots if assistant.is_shared(name))
        asked = (plan.asks for plan in assistant.plans.values())
        self._slots = frozenset(shared).union(*asked)

    def check_time(self, path: Path, text: str) -> None:
        try:
            read_moment(text)
        except (ValueError, OverflowError):
            remedy = "write it as 2026-03-02T10:00:00"
            self._report.add(path, "expected a date and time", code=CODE, remedy=remedy)

    def check_moment(self, path: Path, name: str, known: Iterable[str]) -> None:
        remedy = "say under `moments` how a conversation comes there"
        self._check_name(path, "moment", name, known, remedy, on="key")

    def check_action(self, path: Path, name: str) -> None:
        remedy = "name a function that is marked with @action in actions.py"
        self._check_name(path, "action", name, self._assistant.functions.actions, remedy, on="key")

    def check_meaning(self, path: Path, written: Any) -> None:
        try:
            entries = split_entries(written)
        except ValueError as error:
            self._report.add(path, str(error), code=CODE, remedy=_REMEDY)
            return
        for index, entry in enumerate(entries):
            self.check_entry((*path, index) if isinstance(written, list) else path, entry)

    def check_entry(self, path: Path, entry: Any) -> None:
        try:
            name, fields = read_command(entry)
        except ValueError as error:
            self._report.add(path, str(error), code=CODE, remedy=_REMEDY)
            return
        found = len(self._report.problems)
        check_command(self._report, path, {name: fields}, given=True, code=CODE)
        if len(self._report.problems) == found:
            self._check_names(path, fields)

    def _check_names(self, path: Path, fields: Mapping[str, Any]) -> None:
        flows, flow = self._assistant.config.flows, fields.get("flow_name")
        for name in [flow, *fields.get("flow_names", ())]:
            if name is not None:
                self._check_name(path, "flow", name, flows, "name a flow of this assistant")
        if flow is not None and flow not in flows:
            return
        slots = self._slots if flow is None else self._assistant.plans[flow].asks
        told = [fields.get("slot_name"), fields.get("slot_to_change"), *fields.get("slots", ())]
        for name in told:
            if name is not None:
                self._check_name(path, "slot", name, slots, "name a slot that a flow asks for")

    def _check_name(
        self,
        path: Path,
        what: str,
        name: str,
        names: Iterable[str],
        remedy: str,
        *,
        on: Any = "value",
    ) -> None:
        if name not in names:
            self._report.add_unknown(path, what, name, names, code=CODE, remedy=remedy, on=on)


DOUBT_CODE: Final = "W606"


_LEAVE: Final = "or leave it, if people say that and are to be asked again"


def doubt_values(
    file: SentenceFile, assistant: Assistant, report: Report, half: Half | None
) -> None:
    """Warn about values that the type of their slot would refuse.

    Validators and constraints are not applied: they depend on the conversation, and people do
    say values that they refuse.
    """
    settings = assistant.config.settings
    env = SlotEnv(
        now=read_moment(file.now) if file.now else START,
        language=get_base_language(file.language or settings.language),
    )
    for path, slot, value in _iter_values(file, half):
        if value is None or not assistant.is_declared(slot) or _is_picked(slot, assistant):
            continue
        definition = assistant.get_slot_config(slot)
        try:
            assistant.get_slot_type(slot).coerce(value, definition, env)
        except Refusal:
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
