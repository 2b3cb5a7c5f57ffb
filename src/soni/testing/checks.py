"""Checks the names, times and commands of a test file."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Final, Literal

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.positions import Path
from soni.testing.case import Case, CaseFile, Expect, TurnCase
from soni.testing.fields import (
    MAX_LENGTH,
    NameChecker,
    check_call,
    check_command,
    check_entry,
    read_duration,
)
from soni.testing.pattern import PatternError, check_pattern
from soni.testing.stubs import make_stub_error
from soni.testing.ui import check_ui

_FLOW_LISTS: Final = ("stack", "completed", "cancelled", "abandoned")
_FAILURE: Final = ("error", "message")
_HANDOFF: Final = ("queue", "reason", "summary", "slots")


def check_cases(cases: CaseFile, assistant: Assistant, report: Report, *, scripted: bool) -> None:
    """Check every test of a file. `scripted`: every message must have its commands."""
    checker = _CaseChecker(assistant, report, scripted)
    first: dict[str, int] = {}
    for index, case in enumerate(cases.tests):
        path: Path = ("tests", index)
        if case.name in first:
            before = report.describe_line(("tests", first[case.name], "name"))
            message = f"two tests have this name; first {before}"
            report.add((*path, "name"), message, remedy="give each test its own name")
        first.setdefault(case.name, index)
        checker.check_case(path, case)


class _CaseChecker(NameChecker):
    def __init__(self, assistant: Assistant, report: Report, scripted: bool) -> None:
        super().__init__(assistant, report)
        self._flows = assistant.config.flows
        self._slots = Scopes(assistant).anywhere
        self._scripted = scripted

    def check_case(self, path: Path, case: Case) -> None:
        self.check_time((*path, "now"), case.now)
        self._check_stubs((*path, "stubs"), case.stubs)
        length = timedelta()
        for index, turn in enumerate(case.turns):
            here = (*path, "turns", index)
            self._check_turn(here, turn)
            length += self._read_wait((*here, "after"), turn.after, MAX_LENGTH - length)

    def _check_turn(self, path: Path, turn: TurnCase) -> None:
        if (turn.user is None) == (turn.api is None):
            message = "a turn is either what the `user` says or a call of the `api`"
            self._report.add(path, message, remedy="write one of the two")
        elif turn.api is not None and turn.commands is not None:
            message = "`commands` are what a message of the user means"
            self._report.add((*path, "commands"), message, remedy="remove them from this call")
        elif turn.user is not None and turn.commands is None and self._scripted:
            message = "with --nlu scripted every message needs its `commands`"
            self._report.add((*path, "user"), message, remedy="write them, or use --nlu local")
        for index, entry in enumerate(turn.commands or ()):
            check_command(self._report, (*path, "commands", index), entry, given=True)
        if turn.api is not None:
            self._check_call((*path, "api"), turn.api)
        self._check_stubs((*path, "stubs"), turn.stubs)
        self._check_expect((*path, "expect"), turn.expect)

    def _read_wait(self, path: Path, text: str | None, longest: timedelta) -> timedelta:
        try:
            wait = read_duration(text or "0s")
        except (ValueError, OverflowError):
            remedy = "write a number and s, m, h or d, such as 31m"
            self._report.add(path, "expected a duration", remedy=remedy)
            return timedelta()
        if wait <= longest:
            return wait
        message = f"the conversation would last longer than {MAX_LENGTH.days} days"
        self._report.add(path, message, remedy="let less time pass")
        return timedelta()

    def _check_stubs(self, path: Path, stubs: Mapping[str, Any]) -> None:
        for name, stub in stubs.items():
            self.check_action((*path, name), name)
            signature = self._assistant.get_signature(name)
            outputs, optional = signature.outputs, signature.optional_outputs
            if outputs is None or make_stub_error(stub) is not None:
                continue
            if isinstance(stub, Mapping) and "error" in stub and "error" not in outputs:
                self._check_failure((*path, name), stub)
            elif isinstance(stub, Mapping):
                self._check_outputs((*path, name), stub, outputs, optional)
            elif len(outputs) != 1 and (outputs or stub is not None):
                remedy = f"write `{name}: {{{', '.join(f'{key}: ...' for key in outputs)}}}`"
                self._report.add((*path, name), "expected the action's outputs", remedy=remedy)

    def _check_failure(self, path: Path, stub: Mapping[str, Any]) -> None:
        for key in stub:
            remedy = "remove it; an action that fails has no outputs"
            self._check_name((*path, key), "key", key, _FAILURE, remedy, "key")

    def _check_outputs(
        self,
        path: Path,
        stub: Mapping[str, Any],
        outputs: tuple[str, ...],
        optional: Collection[str],
    ) -> None:
        unknown = [key for key in stub if key not in outputs]
        for key in unknown:
            remedy = "remove it; an error is `{error: type}`, perhaps with a `message`"
            self._report.add_unknown((*path, key), "output", key, outputs, remedy=remedy, on="key")
        # The missing output is probably the unknown one, misspelt: one problem is enough.
        for key in () if unknown else outputs:
            if key not in stub and key not in optional:
                message, remedy = f"the output '{key}' is missing", f"add `{key}: ...`"
                self._report.add(path, message, remedy=remedy, available=outputs, on="key")

    def _check_call(self, path: Path, call: Any) -> None:
        flow = check_call(self._report, path, call)
        if flow is None:
            return
        self._check_flow((*path, "start_flow", "flow_name"), flow)
        inputs = call["start_flow"].get("inputs")
        if flow not in self._flows or not isinstance(inputs, Mapping):
            return
        for name in inputs:
            takes = self._assistant.plans[flow].asks
            here = (*path, "start_flow", "inputs", name)
            self._check_name(here, "input", name, takes, "name a slot that it asks for", "key")

    def _check_expect(self, path: Path, expect: Expect) -> None:
        if expect.flow is not None:
            self._check_flow((*path, "flow"), expect.flow)
        for key in _FLOW_LISTS:
            for index, name in enumerate(getattr(expect, key)):
                self._check_flow((*path, key, index), name)
        if expect.step is not None:
            self._check_step((*path, "step"), expect.step, expect.flow)
        for name in expect.slots:
            self._check_slot((*path, "slots", name), name, "key")
        if expect.waiting_for is not None:
            self._check_slot((*path, "waiting_for"), expect.waiting_for)
        for name in expect.handoff or ():
            self._check_name((*path, "handoff", name), "key", name, _HANDOFF, "remove it", "key")
        if expect.ui is not None:
            check_ui(self._report, (*path, "ui"), expect.ui)
        self._check_lists(path, expect)

    def _check_lists(self, path: Path, expect: Expect) -> None:
        for index, entry in enumerate(expect.actions):
            here = (*path, "actions", index)
            name = check_entry(self._report, here, entry)
            if name is not None:
                if isinstance(entry, str):
                    self.check_action(here, name, "value")
                else:
                    self.check_action((*here, name), name)
        for index, entry in enumerate(expect.commands):
            check_command(self._report, (*path, "commands", index), entry, given=False)
        for index, decision in enumerate(expect.decisions):
            for name in decision:
                check_command(self._report, (*path, "decisions", index, name), name, given=False)
        for index, pattern in enumerate(expect.matches):
            try:
                check_pattern(pattern)
            except PatternError as error:
                remedy = r"write `\` before a sign that stands for itself"
                self._report.add((*path, "matches", index), str(error), remedy=remedy)

    def _check_step(self, path: Path, name: str, flow: str | None) -> None:
        named = self._flows.get(flow or "")
        ids = [s.step for each in ([named] if named else self._flows.values()) for s in each.steps]
        self._check_name(path, "step", name, ids, "name a step of the flow")

    def _check_slot(self, path: Path, name: str, on: Literal["key", "value"] = "value") -> None:
        if not self._slots.has_name(name):
            remedy = "name a slot of this assistant"
            self._check_name(path, "slot", name, self._slots.names, remedy, on)
