"""Expectations about UI elements: buttons, cards and the like."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from soni.commands import CommandHandlerRegistry
from soni.config.checks.report import Report
from soni.config.positions import Path
from soni.runtime.turn import Turn
from soni.testing.case_text import shorten_command
from soni.testing.fields import check_command, read_entry

TYPES: Final = ("buttons", "quick_replies", "card", "carousel", "image")
_KEYS: Final = ("type", "message", "title", "text", "image", "alt", "options", "cards")
_CARD: Final = ("title", "text", "image", "alt", "options")
_OPTION: Final = ("label", "value", "command")


def check_ui(report: Report, path: Path, ui: Mapping[str, Any]) -> None:
    """Report what no `ui` can have."""
    _check_keys(report, path, ui, _KEYS)
    kind = ui.get("type")
    if kind is not None and kind not in TYPES:
        report.add_unknown((*path, "type"), "type", str(kind), TYPES, remedy="write one of them")
    _check_options(report, (*path, "options"), ui.get("options"))
    cards = ui.get("cards", [])
    if not isinstance(cards, list) or not all(isinstance(card, Mapping) for card in cards):
        remedy = "write `cards: [{title: ...}, ...]`"
        report.add((*path, "cards"), "expected a list of mappings", remedy=remedy)
        return
    for index, card in enumerate(cards):
        here = (*path, "cards", index)
        _check_keys(report, here, card, _CARD)
        _check_options(report, (*here, "options"), card.get("options"))


def find_shown_ui(turn: Turn) -> dict[str, Any] | None:
    """The last `ui` of the turn; None: there was none."""
    shown = [reply["ui"] for reply in turn.state["replies"] if reply.get("ui")]
    return shown[-1] if shown else None


def complete_expectation(expected: Any) -> Any:
    """The expectation with each command in the form in which options carry it."""
    if isinstance(expected, list):
        return [complete_expectation(each) for each in expected]
    if not isinstance(expected, Mapping):
        return expected
    written = {
        key: value if key == "value" else complete_expectation(value)
        for key, value in expected.items()
        if key != "command"
    }
    if "command" in expected:
        name, fields = read_entry(expected["command"])
        command = CommandHandlerRegistry.discover().parse({"type": name, **(fields or {})})
        written["command"] = command.model_dump(mode="json")
    return written


def reduce_to_expected(got: Any, expected: Any) -> Any:
    """What was shown, reduced to the keys of the expectation."""
    if isinstance(expected, list) and isinstance(got, list):
        # The label identifies an option that was not expected.
        details = [*expected, *[""] * len(got)]
        return list(map(reduce_to_expected, got, details))
    if isinstance(expected, str) and isinstance(got, Mapping):
        return got.get("label", got)
    if not isinstance(expected, Mapping) or not isinstance(got, Mapping):
        return got
    shown = {
        key: got.get(key) if key == "value" else reduce_to_expected(got.get(key), value)
        for key, value in expected.items()
    }
    if isinstance(shown.get("command"), Mapping):
        command = CommandHandlerRegistry.discover().parse(got["command"])
        shown["command"] = command.model_dump(mode="json")
    return shown


def name_commands(shown: Any) -> Any:
    """What was shown, in the form that an author writes: commands by their names."""
    if isinstance(shown, list):
        return [name_commands(each) for each in shown]
    if not isinstance(shown, Mapping):
        return shown
    written = {key: v if key == "value" else name_commands(v) for key, v in shown.items()}
    if "command" in shown:
        fields = {key: value for key, value in shown["command"].items() if key != "type"}
        written["command"] = shorten_command({shown["command"]["type"]: fields}, bare=True)
    return written


def _check_keys(report: Report, path: Path, given: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in given:
        if key not in keys:
            report.add_unknown((*path, key), "key", key, keys, remedy="remove it", on="key")


def _check_options(report: Report, path: Path, options: Any) -> None:
    if options is None:
        return
    if not isinstance(options, list):
        report.add(path, "expected a list", remedy="write `options: [Yes, No]`")
        return
    for index, option in enumerate(options):
        here = (*path, index)
        if isinstance(option, str):
            continue
        if not isinstance(option, Mapping) or not isinstance(option.get("label"), str):
            remedy = "write `Yes`, or `{label: Yes, value: ...}`; a number goes in quotes"
            report.add(here, "expected the label of an option", remedy=remedy)
            continue
        _check_keys(report, here, option, _OPTION)
        if "command" in option:
            check_command(report, (*here, "command"), option["command"], given=True)
