"""Values for slots that have one already: "no, I meant Madrid", "make it three"."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from soni.commands import Command, DenyConfirmation, SetSlot
from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.answers.answers import (
    choose_value,
    find_answer,
    is_counted_by_slot,
    is_counted_for_slot,
    strip_lead,
)
from soni.du.local.corrections.replacement import (
    make_correction,
    read_value,
    replace_value,
    strip_change_tail,
    strip_correction_cue,
)
from soni.du.local.lexical.answers import find_similar_slot, read_several
from soni.du.local.lexical.mentions import find_slot_by_stems as find_translated_slot
from soni.du.local.tagging.counting import strip_article
from soni.du.local.values.choices import find_choice
from soni.du.local.values.codes import find_codes
from soni.du.local.values.periods import assign_days, drop_durations
from soni.du.local.values.route import find_route
from soni.du.local.values.value_search import ValueSpan, find_values
from soni.du.local.view import View
from soni.du.local.words.lexicon import strip_polite_words
from soni.du.local.words.mentions import find_named_flow, find_named_slot
from soni.du.local.words.questions import is_proposal, is_question
from soni.du.local.words.words import describe_slot, extract_words, normalise

# A slot is called by a word or two; what is longer says something else.
_MAX_NAME_WORDS: Final = 3
# Nobody changes more at once.
_MAX_CHANGES: Final = 4


def find_changes(message: str, view: View) -> list[Command]:
    """Corrections that the words alone make clear."""
    return (
        (read_several(message, view) if not view.has_models else [])
        or replace_value(message, view)
        or _change_several(message, view)
        or _change_explicitly(message, view)
        or _change_named_flow(message, view)
        or switch_booleans(message, view)
        or _change_picked_item(message, view)
        or _change_only_name(message, view)
        or _change_count(message, view)
    )


def find_changes_by_kind(message: str, view: View) -> list[Command]:
    """Changes where the kind of a value, or the noun it counts, leaves only one slot."""
    bare = strip_correction_cue(message, view.lang)
    alike = None if view.has_models else find_similar_slot(bare, view)
    if alike is not None:
        return [make_correction(alike, bare, view)]
    named = find_codes(message, view.filled, view.lang)
    if named:
        slots = (slot for slot in view.filled if slot.name in named)
        return [make_correction(slot, named[slot.name], view) for slot in slots]
    new: list[Command] = []
    for kind in dict.fromkeys(slot.kind for slot in view.filled):
        of_kind = [slot for slot in view.filled if slot.kind is kind]
        slot, value = _find_value_of_kind(message, of_kind, view)
        if slot is not None:
            new.append(make_correction(slot, value, view))
    if not new and (one := view.lang.pattern("correction.the_one").search(message)):
        # What was chosen from a list is changed by a word of another item.
        objects = [slot for slot in view.filled if slot.kind.is_picked]
        new = [make_correction(objects[0], one["word"], view)] if len(objects) == 1 else []
    return new if _is_list(message, view) else new[:1]


def switch_booleans(message: str, view: View) -> list[Command]:
    """ "No breakfast", "with breakfast"."""
    text = strip_change_tail(message, view.lang)
    match = view.lang.pattern("correction.switch").fullmatch(text)
    slot = find_named_slot(match["slot"], view.filled, view.lang) if match else None
    if match is None or slot is None or not slot.kind.is_polar:
        return []
    return [make_correction(slot, match["with"] is not None, view)]


def _change_several(message: str, view: View) -> list[Command]:
    """ "Change the day to Friday and the time to 2 pm"."""
    listed = view.lang.pattern("correction.listed").split(message)
    parts = [part.strip() for part in listed if part.strip()]
    if not 1 < len(parts) <= _MAX_CHANGES:
        return []
    new: list[Command] = []
    change = view.lang.table("rewriting.phrases")["change"]
    for part in parts:
        found_ = _change_explicitly(part, view) or _change_explicitly(change.format(part), view)
        if not found_:
            return []
        new += found_
    return new


def _change_explicitly(message: str, view: View) -> list[Command]:
    """ "Change the amount for the transfer to 60"."""
    text = " ".join(message.split())  # the patterns would try every run of spaces in every way
    for pattern in view.lang.patterns("correction.mistaken"):
        match = pattern.fullmatch(text)
        slot = find_named_slot(match["slot"], view.filled, view.lang) if match else None
        value = read_value(match["value"], slot, view) if match and slot else None
        if slot is not None and value is not None:
            return [make_correction(slot, value, view)]
    for pattern in view.lang.patterns("correction.explicit"):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if view.lang.pattern("correction.denies").search(match["slot"]):
            continue
        flow = _find_open_flow(match["flow"], view) if match["flow"] else None
        expected = view.context.expected_slots
        slots = [slot for slot in expected if flow is None or slot.flow == flow.name]
        slot = find_slot_by_name(match["slot"], slots, view)
        if slot is None and match["flow"]:
            slot = find_named_slot(match["slot"], expected, view.lang)
        value = read_value(match["value"], slot, view) if slot else None
        if slot is not None and value is not None:
            return [make_correction(slot, value, view)]
    return _change_named_slot(text, view)


def _change_named_slot(text: str, view: View) -> list[Command]:
    """ "Order number's 4417": a slot that has a value, by no other words than its own."""
    match = view.lang.pattern("correction.named_barely").fullmatch(text)
    slot = find_named_slot(match["slot"], view.filled, view.lang) if match else None
    if match is None or slot is None or slot is view.asked:
        return []
    own = extract_words(describe_slot(slot), view.lang)
    value = read_value(match["value"], slot, view)
    if value is None or not extract_words(normalise(match["slot"]), view.lang) <= own:
        return []
    return [make_correction(slot, value, view)]


def _change_named_flow(message: str, view: View) -> list[Command]:
    """ "Make the transfer 75 euros": the task by its name, the slot by the kind of its value."""
    text = strip_change_tail(message, view.lang)
    match = view.lang.pattern("correction.make_flow").fullmatch(text)
    flow = _find_open_flow(match["flow"], view) if match else None
    if match is None or flow is None:
        return []
    slots = [slot for slot in view.filled if slot.flow == flow.name]
    said = [(slot, find_values(match["value"], slot, view.env)) for slot in slots]
    meant = [(slot, values[0]) for slot, values in said if values]
    return [make_correction(slot, one.said, view) for slot, one in meant] if len(meant) == 1 else []


def _find_open_flow(said: str, view: View) -> FlowBrief | None:
    open_flows = {slot.flow for slot in view.context.expected_slots}
    flows = [flow for flow in view.context.available_flows if flow.name in open_flows]
    return find_named_flow(said, flows, view.lang)


def _change_picked_item(message: str, view: View) -> list[Command]:
    """ "No, the second one": of a list that was picked from."""
    place = strip_polite_words(normalise(message), view.lang)
    picked = [slot for slot in view.filled if slot.kind.is_picked]
    is_place = place in view.lang.table("lexicon.ordinals") and len(place) > 1
    if not is_place or len(picked) != 1 or view.is_listed:
        return []
    return [make_correction(picked[0], place, view)]


def _change_only_name(message: str, view: View) -> list[Command]:
    """ "No, I meant Robert" where something else is asked: the only name that there is."""
    match = view.lang.pattern("correction.meant").fullmatch(message.strip())
    names = [slot for slot in view.filled if slot.kind.is_short_text]
    if match is None or len(names) != 1 or view.asked is None or not view.asks_for_form:
        return []
    if any(find_values(match["value"], slot, view.env) for slot in (view.asked, *view.filled)):
        return []
    choices = [slot for slot in view.active if slot.kind.has_values]
    if any(find_choice(match["value"], slot, view.lang) is not None for slot in choices):
        return []
    name = strip_article(strip_lead(match["value"], view.language), view.lang)
    return [make_correction(names[0], name, view)]


def _change_count(message: str, view: View) -> list[Command]:
    """ "It's three bags now", "order number's 4417", where something else is asked."""
    asked = view.asked
    if view.kind != "confirm" and not view.asks_for_form:
        return []
    if is_question(message, view.lang, answering=True):
        return []
    others = [s for s in view.filled if s.flow == view.context.current_flow and s is not asked]
    named = find_codes(message, others, view.lang, named=True)
    for slot in others:
        code, known = named.get(slot.name), view.get_value(slot)
        if code is not None and normalise(str(known)) != normalise(code):
            return [make_correction(slot, code, view)]
        for one in find_values(message, slot, view.env) if slot.kind.dimension == "count" else ():
            own = asked is not None and is_counted_by_slot(message, one, asked, view.lang)
            counted = not own and is_counted_for_slot(message, one, slot, view.lang)
            if counted and one.value != known:
                more = find_changes_by_kind(message, view) if _is_list(message, view) else []
                rest = (c for c in more if slot.name not in c.get_touched_slots())
                return [make_correction(slot, one.said, view), *rest]
    return []


def _find_value_of_kind(
    message: str, slots: list[SlotBrief], view: View
) -> tuple[SlotBrief | None, Any]:
    if slots[0].kind.has_values:
        ends = find_route(message, slots, view.lang)
        if ends:
            return next((slot, ends[slot.name]) for slot in slots if slot.name in ends)
        said = ((slot, find_choice(message, slot, view.lang)) for slot in slots)
        named = [(slot, value) for slot, value in said if value is not None]
        return named[0] if len(named) == 1 else (None, None)
    for slot in slots:
        values = _find_values(message, slot, view)
        counted = [one for one in values if is_counted_by_slot(message, one, slot, view.lang)]
        others = [one for one in values if str(one.value) != str(view.get_value(slot))]
        if counted and counted[0] not in others and len(others) == 1:
            # "20 GB is not enough, make it 40".
            return slot, others[0].said
        if counted:
            return slot, counted[0].said
    dates = _find_values(message, slots[0], view) if slots[0].kind.dimension == "day" else []
    pairs = assign_days(message, slots, dates, view.lang)
    if pairs:
        return pairs[0][0], pairs[0][1].said
    # The value that was given last is the one most likely meant.
    order = list(view.context.current_slots)
    newest = max(slots, key=lambda slot: order.index(slot.name) if slot.name in order else -1)
    known = view.get_value(newest)
    values = [one for one in _find_values(message, newest, view) if one.value != known]
    if not values or (len(slots) > 1 and slots[0].kind.is_number):
        return None, None
    return newest, choose_value(message, values, newest, view.lang).said


def _find_values(message: str, slot: SlotBrief, view: View) -> list[ValueSpan]:
    values = find_values(message, slot, view.env)
    return drop_durations(message, values, view) if slot.kind.dimension == "day" else values


def _is_list(message: str, view: View) -> bool:
    return view.lang.pattern("correction.listed").search(message) is not None


def find_wrong_slot(message: str, view: View) -> Command | None:
    """A denial that names the slot which is wrong."""
    return _match_denial(message, view.lang.patterns("fault.wrong"), view)


def find_denied_slot(message: str, view: View) -> Command | None:
    """The same; also if the message only names a slot, where something must be wrong."""
    patterns = (*view.lang.patterns("fault.wrong"), view.lang.pattern("fault.named"))
    return _match_denial(message, patterns, view)


def _match_denial(message: str, patterns: Iterable[re.Pattern[str]], view: View) -> Command | None:
    for pattern in patterns:
        match = pattern.fullmatch(" ".join(message.split()))
        said = normalise(match["slot"]) if match else ""
        few = len(said.split()) <= _MAX_NAME_WORDS and said not in view.lang.words("fault.anything")
        slot = find_slot_by_name(match["slot"], view.filled, view) if match and few else None
        if slot is not None and slot.flow == view.context.current_flow:
            return DenyConfirmation(slot_to_change=slot.name)
    return None


def find_slot_by_name(text: str, slots: Sequence[SlotBrief], view: View) -> SlotBrief | None:
    """The slot by its name, or by one in another language."""
    slot = find_named_slot(text, slots, view.lang)
    if slot is None and not view.has_models:
        return find_translated_slot(text, slots, view.lang)
    return slot


def find_proposed_value(message: str, view: View) -> Command | None:
    """The value that a question proposes: "would Friday work?"."""
    slot = view.asked
    if slot is None or not slot.kind.has_form or not is_proposal(message, view.lang):
        return None
    value = find_answer(message, slot, view)
    return None if value is None else SetSlot(slot_name=slot.name, value=value)
