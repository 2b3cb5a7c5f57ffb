"""Turns pydantic's validation errors into problems that authors understand."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from soni.config.definitions import URL_PATTERN
from soni.config.flow import FlowConfig
from soni.config.guard import MAX_PROBLEMS
from soni.config.positions import Positions, WrittenPath, find_field, list_keys
from soni.config.settings import ENV_PREFIX
from soni.config.slot import SlotConfig
from soni.core.errors import Problem, clip, describe_value, find_nearest
from soni.steps import step_types

_EXPECTED_KINDS: Final = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping",
    "model": "a mapping",
}
_REMEDIES: Final = {
    "a text": "write a text",
    "a whole number": "write a number such as 3",
    "a number": "write a number such as 2.5",
    "true or false": "write true or false",
    "a list": "write it as [a, b], or each entry on its own line after `- `",
    "a mapping": "write `key: value` under it",
    "a list or a mapping": "write [a, b], or `a: ...` under it",
}
_BOUNDS: Final = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}
_CHOICE_REMEDY: Final = "write one of these"
_STEP_REMEDY: Final = "write one type and what it is about, such as `say: Hello`"
_TEXT_KINDS: Final = "a text, a list of texts or texts by language"

_Located = tuple[ErrorDetails, WrittenPath]


def make_problems(error: ValidationError, positions: Positions) -> list[Problem]:
    """The mistakes in `error`, once each."""
    details = error.errors(include_url=False)[:MAX_PROBLEMS]
    located = [(detail, positions.find_written(detail["loc"])) for detail in details]
    return [
        _make_problem(same, positions)
        for same in _group_by_place(located)
        if not _is_explained_inside(same[0][1], [written for _, written in located])
    ]


def _group_by_place(located: Iterable[_Located]) -> Iterable[list[_Located]]:
    """Errors grouped by problem: the arms of a union all fail at the same place."""
    groups: dict[Any, list[_Located]] = {}
    for index, (detail, written) in enumerate(located):
        place = (written.path, written.rest) if written.choices is not None else index
        groups.setdefault(place, []).append((detail, written))
    return groups.values()


def _is_explained_inside(written: WrittenPath, others: Iterable[WrittenPath]) -> bool:
    """Whether an error deeper inside explains better why no arm of the union fits."""
    return written.choices is not None and any(
        other.choices is not None
        and len(other.path) > len(written.path)
        and other.path[: len(written.path)] == written.path
        for other in others
    )


class Explanation(NamedTuple):
    """What a problem says."""

    code: str
    message: str
    remedy: str | None = None
    available: tuple[str, ...] = ()


def _make_problem(same: list[_Located], positions: Positions) -> Problem:
    detail, written = same[0]
    path = detail["loc"]
    if detail["type"] == "step_type" and isinstance(written.value, Mapping):
        path = (*path, "type") if "type" in written.value else path
    variable = _find_variable(path, written)
    if variable is not None or isinstance(detail.get("ctx", {}).get("error"), SettingsError):
        return _make_environment_problem(variable or f"{ENV_PREFIX}...", detail)
    # The type is right but the value is empty, so other types are no help.
    empty = next((each for each, _ in same if each["type"] == "too_short"), None)
    if detail["type"] == "extra_forbidden":
        words = _explain_unknown_key(str(path[-1]), positions.find_written(path[:-1]))
    elif empty is not None:
        words = _explain_error(empty, written)
    elif len(same) > 1:
        expected = [_describe_expected(each["type"]) or "" for each, _ in same]
        words = _explain_wrong_kind(expected, written)
    else:
        words = _explain_error(detail, written)
    on: Literal["key", "value"] = "key" if detail["type"] == "extra_forbidden" else "value"
    return positions.make_problem(
        path, words.message, code=words.code, on=on, remedy=words.remedy, available=words.available
    )


def _explain_error(detail: ErrorDetails, written: WrittenPath) -> Explanation:
    kind, context, value = detail["type"], detail.get("ctx", {}), written.value
    expected = _describe_expected(kind)
    if expected is not None:
        return _explain_wrong_kind([expected], written)
    if kind in _BOUNDS:
        bound, at_least = _BOUNDS[kind]
        limit = f"{at_least} {context[bound]:g}"
        return Explanation("E107", f"expected {limit}, found {clip(str(value))}", f"write {limit}")
    match kind:
        case "missing":
            key = str(detail["loc"][-1])
            return Explanation("E102", f"'{key}' is missing", f"add `{key}: ...`")
        case "literal_error":
            words = re.findall(r"'([^']*)'", context["expected"])
            return _explain_impossible_word(value, tuple(words))
        case "limit_strategy":
            return _explain_impossible_word(value, tuple(context["available"]))
        case "string_pattern_mismatch" if context["pattern"] == URL_PATTERN:
            message = f"expected an address, found {describe_value(value)}"
            return Explanation("E103", message, "begin it with http:// or https://")
        case "string_too_short":
            return Explanation("E109", "this is empty", "write a text, or leave the key out")
        case "too_short":
            return Explanation("E109", "this is empty", "write at least one entry")
        case "many_steps":
            return Explanation("E109", detail["msg"], "make several flows of it")
        case "value_error":
            return Explanation("E110", str(context["error"]), "change the keys written here")
        case "step_type" | "slot_type" | "version":
            return _explain_unknown_word(detail, value)
    return Explanation("E103", f"this does not fit here: {describe_value(value)}", "remove it")


def _explain_impossible_word(value: Any, names: tuple[str, ...]) -> Explanation:
    message = f"{describe_value(value)} is not one of the words possible here"
    return Explanation("E108", message, find_nearest(str(value), names) or _CHOICE_REMEDY, names)


def _explain_unknown_word(detail: ErrorDetails, value: Any) -> Explanation:
    kind, context, message = detail["type"], detail.get("ctx", {}), detail["msg"]
    word, names = context.get("kind", ""), tuple(context.get("available", ()))
    if "main" in context:
        return Explanation("E111", message, "keep one of the two")
    if kind == "version":
        return Explanation("E112", message, f'write `version: "{names[0]}"`', names)
    if word:
        code = "E104" if kind == "step_type" else "E106"
        return Explanation(code, message, find_nearest(word, names) or _CHOICE_REMEDY, names)
    # No known type is named here, or more than one.
    if names and isinstance(value, Mapping) and value:
        message = f"{message}, and '{clip(str(next(iter(value))))}' is none"
    return Explanation("E105", message, _STEP_REMEDY, names)


def _describe_expected(kind: str) -> str | None:
    name, _, why = kind.partition("_")
    known = why in ("type", "parsing", "from_float", "attributes_type", "parsing_size")
    return _EXPECTED_KINDS.get(name) if known else None


def _explain_wrong_kind(expected: list[str], written: WrittenPath) -> Explanation:
    kinds = list(dict.fromkeys(expected))
    if kinds == ["a mapping"] and written.path[-1:] in (("inputs",), ("values",)):
        kinds = ["a list or a mapping"]
    words = _TEXT_KINDS if kinds == ["a text", "a list", "a mapping"] else " or ".join(kinds)
    remedy = _find_kind_remedy(kinds, written) or _REMEDIES.get(kinds[-1])
    return Explanation("E103", f"expected {words}, found {describe_value(written.value)}", remedy)


def _find_kind_remedy(kinds: list[str], written: WrittenPath) -> str | None:
    if kinds == ["a mapping"] and written.path[:1] == ("knowledge",):
        return "write `- question: ...` and below it `answer: ...`"
    if kinds == ["a mapping"] and isinstance(written.value, list):
        return "write `key: value` under it, without `-`"
    if "a text" in kinds and isinstance(written.value, int | float):
        return "put it in quotes"
    if kinds == ["a text", "a list"] and written.value is None:
        # YAML reads `say: {name}` as a mapping, with `name` as a language.
        return f'put a text that begins with a brace in quotes: "{{{written.path[-1]}}}"'
    return None


def _explain_unknown_key(key: str, around: WrittenPath) -> Explanation:
    if around.model is None:
        return Explanation("E101", f"unknown key '{clip(key)}'", "remove it")
    names = tuple(list_keys(around.model, around.value))
    field = find_field(around.model, key)
    if field is not None:
        others = (name for name in around.value if find_field(around.model, name) == field)
        other = next((name for name in others if name != key), field)
        return Explanation("E111", f"'{key}' is another name of '{other}'", "keep one of the two")
    remedy = find_nearest(key, names) or _find_key_owner(key, around.model) or "remove it"
    return Explanation("E101", f"unknown key '{clip(key)}'", remedy, names)


def _find_key_owner(key: str, model: type[BaseModel]) -> str | None:
    """A remedy for a key at the wrong depth: where it belongs."""
    homes: dict[str, Iterable[type[BaseModel]]] = {
        "a step": step_types().values(),
        "a flow": (FlowConfig,),
        "a slot": (SlotConfig,),
    }
    for name, models in homes.items():
        if model not in models and any(find_field(each, key) for each in models):
            return f"remove it, or indent it as a key of {name}"
    return None


def _find_variable(path: tuple[str | int, ...], written: WrittenPath) -> str | None:
    """The environment variable that overrides this setting, if there is one."""
    if path[:1] != ("settings",):
        return None
    names = {name.upper(): name for name in os.environ}
    least = len(path) - 1 if not written.rest else 1
    for length in range(len(path) - 1, least - 1, -1):
        wanted = ENV_PREFIX + "__".join(str(part) for part in path[1 : length + 1])
        if wanted.upper() in names:
            return names[wanted.upper()]
    return None


def _make_environment_problem(variable: str, detail: ErrorDetails) -> Problem:
    # The value is not shown, because environment variables may hold secrets.
    expected = _describe_expected(detail["type"])
    if detail["type"] == "extra_forbidden":
        message = "there is no such setting"
    elif detail["type"] == "value_error":
        # The settings library names the field, not the value.
        message = str(detail["ctx"]["error"])
    else:
        message = f"expected {expected}" if expected else "its value is not possible"
    message = f"environment variable {variable}: {message}"
    return Problem(message, "change or unset the variable", path=detail["loc"], code="E113")
