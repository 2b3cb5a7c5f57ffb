"""Picking an item from a list: by number, ordinal, text, or the item itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import TYPE_CHECKING, Any

from soni.commands.situation import Situation
from soni.core.errors import Refusal
from soni.core.expressions import ExpressionError, parse_expression
from soni.core.types import FlowContext
from soni.flow.values import TypedValues
from soni.flow.voice import Voice
from soni.language import find_language
from soni.slots.parsers.clock import read_clock

if TYPE_CHECKING:
    from soni.language import Language
    from soni.steps.offer import Rule

_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}(?:(?::\d\d){1,2}(?:\s?[ap]\.?m\b\.?)?|\s?[ap]\.?m\b\.?)")


@dataclass(frozen=True)
class PageTurn:
    """The user wants to see the next page."""

    step: str
    page: int


def pick_item(name: str, value: Any, flow: FlowContext, situation: Situation, voice: Voice) -> Any:
    """The item that was meant, or a turn of the page. Without a list, the value itself."""
    plan = situation.get_plan(flow["flow_name"])
    source = plan.find_options_source(name) if plan else None
    step_id = plan.find_asker(name) if plan else None
    if plan is None or source is None or step_id is None:
        return value
    step: Any = plan.steps[step_id].step
    items = _evaluate_items(source, flow, situation)
    if value in items:
        return value
    page = flow["progress"]["pages"].get(step_id, 0)
    said, lang = str(value).strip().casefold().rstrip(".!"), find_language(voice.language)
    if situation.is_asking(name, flow["flow_id"]):
        last = (len(items) - 1) // step.page_size
        if said in lang.words("picking.more"):
            return PageTurn(step_id, page + 1 if page < last else 0)
        if said in lang.words("picking.back"):
            return PageTurn(step_id, page - 1 if page > 0 else last)
    labels = [voice.show_item(item, step.display) for item in items]
    try:
        start = page * step.page_size
        return items[_find_index(said, items, labels, range(start, start + step.page_size), lang)]
    except Refusal:
        rule = _find_rule(said, step.rules)
        if rule is None:
            raise
        return _pick_by_rule(rule, items, situation)


def _evaluate_items(source: str, flow: FlowContext, situation: Situation) -> list[Any]:
    known, context = situation.get_values(flow["flow_id"]), situation.context
    values = TypedValues(situation.assistant, known, context.session)
    try:
        items = parse_expression(source).evaluate(values, context.clock())
    except ExpressionError:
        items = None
    if not isinstance(items, list) or not items:
        raise Refusal("invalid_option")
    return items


def _find_index(said: str, items: list[Any], labels: list[str], page: range, lang: Language) -> int:
    around = lang.pattern("picking.around")
    bare = around.sub("", around.sub("", said)).strip()
    if bare.isdecimal() and len(bare) < 6:
        return _check_index(int(bare) - 1, items)
    place = lang.table("picking.ordinals").get(bare)
    if place is not None and place <= len(page):
        return _check_index(page[place - 1], items)
    if bare in lang.words("picking.last"):
        return min(page.stop, len(items)) - 1
    return _find_by_text(bare, items, labels)


def _find_rule(said: str, rules: Mapping[str, Rule]) -> Rule | None:
    """The one rule whose words were said."""
    meant = [
        rule
        for words, rule in rules.items()
        if re.search(rf"\b{re.escape(words.casefold())}\b", said)
    ]
    return meant[0] if len(meant) == 1 else None


def _pick_by_rule(rule: Rule, items: list[Any], situation: Situation) -> Any:
    """The item with the smallest or largest measure; the first of equal ones."""
    measured = [(_measure(rule, item, situation), item) for item in items]
    known = [(value, item) for value, item in measured if value is not None]
    best = min if rule.smallest is not None else max
    try:
        return best(known, key=lambda pair: pair[0])[1]
    except (TypeError, ValueError):
        # There is nothing to compare, or the values have no order.
        raise Refusal("invalid_option") from None


def _measure(rule: Rule, item: Any, situation: Situation) -> Any:
    fields = item if isinstance(item, dict) else {"item": item}
    try:
        return parse_expression(rule.measure).evaluate(fields, situation.context.clock())
    except ExpressionError:
        return None


def _check_index(index: int, items: list[Any]) -> int:
    if not 0 <= index < len(items):
        raise Refusal("invalid_option")
    return index


def _find_by_text(said: str, items: list[Any], labels: list[str]) -> int:
    """The only item whose label, field, time or part of the label matches."""
    folded = [label.casefold() for label in labels]
    fields = [
        {str(v).casefold() for v in item.values()} if isinstance(item, dict) else set()
        for item in items
    ]
    found = [
        [i for i, text in enumerate(folded) if text == said],
        [i for i, values in enumerate(fields) if said in values],
    ]
    if _CLOCK.fullmatch(said):
        # "10 am" is also a part of "7:10 am", so times are compared as times.
        times = _parse_times(said)
        found.append([i for i, text in enumerate(folded) if times & _parse_times(text)])
        found.append([i for i, own in enumerate(fields) if times & _parse_times(" ".join(own))])
    elif said:
        part = re.compile(rf"\b{re.escape(said)}\b")
        found.append([i for i, text in enumerate(folded) if part.search(text)])
    for meant in found:
        if len(meant) == 1:
            return meant[0]
    raise Refusal("invalid_option")


def _parse_times(text: str) -> set[time]:
    read = (read_clock(clock[0], "en") for clock in _CLOCK.finditer(text))
    return {at for at in read if at is not None}
