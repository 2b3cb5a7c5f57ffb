"""What somebody wants who says only what it is about: "and in Rome?", "Rome then, from Oslo"."""

from typing import Any, Final

from soni.du.local.answers.given import find_given_values
from soni.du.local.view import View
from soni.du.local.words.lexicon import strip_polite_words
from soni.du.local.words.words import content, normal

# Words beside the values; with more of them it is a sentence of its own.
_BESIDE: Final = 2
# So many values of one flow, and fewer of any other, tell which it is.
_TELLING: Final = 2


def once_more(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The flow that ended last, for something else: "and my savings?"."""
    match = view.lang.pattern("wish.once_more").fullmatch(message.strip())
    last = next((task.flow for task in view.context.others if not task.open), None)
    if match is None or last is None or not view.is_idle:
        return None
    values = find_given_values(match["rest"], view.slots_of(last), view)
    return (last, values) if values and _says_little_else(match["rest"], values, view) else None


def find_flow_by_values(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The one flow that asks for all that the message names."""
    if not view.is_idle:
        return None
    flows = view.context.available_flows
    told = {flow.name: find_given_values(message, flow.slots, view) for flow in flows}
    ranked = sorted(told, key=lambda name: -len(told[name]))
    if not ranked or len(told[ranked[0]]) < _TELLING:
        return None
    best, *others = ranked
    is_one = not others or len(told[best]) > len(told[others[0]])
    return (best, told[best]) if is_one and _says_little_else(message, told[best], view) else None


def _says_little_else(message: str, values: dict[str, Any], view: View) -> bool:
    words = content(strip_polite_words(normal(message), view.lang), view.lang) - view.lang.words(
        "wish.joining"
    )
    said = frozenset(
        word for value in values.values() for word in content(normal(str(value)), view.lang)
    )
    return len(words - said) <= _BESIDE
