"""Picking an item from a list: by number, ordinal, text, or the item itself."""

import re
from dataclasses import dataclass
from typing import Any

from soni.commands.situation import Situation
from soni.core.errors import Refused
from soni.core.expressions import ExpressionError, parse_expression
from soni.core.types import FlowContext
from soni.flow.values import TypedValues
from soni.flow.voice import Voice

_MORE = frozenset({"more", "next", "show more", "more please", "más", "mas", "siguientes"})
_ORDINALS = (
    ("first", "1st", "primero", "primera", "primer"),
    ("second", "2nd", "segundo", "segunda"),
    ("third", "3rd", "tercero", "tercera", "tercer"),
    ("fourth", "4th", "cuarto", "cuarta"),
    ("fifth", "5th", "quinto", "quinta"),
    ("sixth", "6th", "sexto", "sexta"),
    ("seventh", "7th", "séptimo", "séptima"),
    ("eighth", "8th", "octavo", "octava"),
    ("ninth", "9th", "noveno", "novena"),
    ("tenth", "10th", "décimo", "décima"),
)
_LAST = ("last", "último", "última")
_AROUND = re.compile(r"^(?:the|el|la|number|número|option|opción)\s+|\s+(?:one|please|por favor)$")


@dataclass(frozen=True)
class Leaf:
    """The user wants to see the next page."""

    step: str
    page: int


def picked(name: str, value: Any, flow: FlowContext, situation: Situation, voice: Voice) -> Any:
    """The item that was meant, or a `Leaf`; the value itself where there is no list."""
    plan = situation.plan(flow["flow_name"])
    source, step_id = (plan.source(name), plan.asker(name)) if plan else (None, None)
    if plan is None or source is None or step_id is None:
        return value
    step: Any = plan.steps[step_id].step
    items = _items(source, flow, situation)
    if value in items:
        return value
    page = flow["progress"]["pages"].get(step_id, 0)
    said = str(value).strip().casefold().rstrip(".!")
    if said in _MORE and situation.asks(name, flow["flow_id"]):
        last = (len(items) - 1) // step.page_size
        return Leaf(step_id, page + 1 if page < last else 0)
    labels = [voice.item(item, step.display) for item in items]
    return items[_index(said, items, labels, page * step.page_size, step.page_size)]


def _items(source: str, flow: FlowContext, situation: Situation) -> list[Any]:
    values = TypedValues(
        situation.assistant, situation.values(flow["flow_id"]), situation.context.session
    )
    try:
        items = parse_expression(source).evaluate(values, situation.context.clock())
    except ExpressionError:
        items = None
    if not isinstance(items, list) or not items:
        raise Refused("invalid_option")
    return items


def _index(said: str, items: list[Any], labels: list[str], start: int, size: int) -> int:
    bare = _AROUND.sub("", _AROUND.sub("", said)).strip()
    if bare.isdecimal() and len(bare) < 6:
        return _within(int(bare) - 1, items)
    for place, words in enumerate(_ORDINALS):
        if bare in words and place < size:
            return _within(start + place, items)
    if bare in _LAST:
        return min(start + size, len(items)) - 1
    return _by_text(bare, items, labels)


def _within(index: int, items: list[Any]) -> int:
    if not 0 <= index < len(items):
        raise Refused("invalid_option")
    return index


def _by_text(said: str, items: list[Any], labels: list[str]) -> int:
    """The one item that is called so, or that alone has a field, or a part of its name, so."""
    folded = [label.casefold() for label in labels]
    fields = [
        {str(v).casefold() for v in item.values()} if isinstance(item, dict) else set()
        for item in items
    ]
    for found in (
        [i for i, text in enumerate(folded) if text == said],
        [i for i, values in enumerate(fields) if said in values],
        [i for i, text in enumerate(folded) if said and re.search(rf"\b{re.escape(said)}\b", text)],
    ):
        if len(found) == 1:
            return found[0]
    raise Refused("invalid_option")
