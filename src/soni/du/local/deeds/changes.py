"""Values for slots that have one already: "no, I meant Madrid", "make it three"."""

import re
from collections.abc import Sequence
from typing import Any, Final

from soni.commands import Command
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import counts, is_counted, meant
from soni.du.local.answers.leads import whole
from soni.du.local.deeds.correction import TAIL, correction, unled, value_of
from soni.du.local.deeds.denied import SPANISH_LEAD, THE, called
from soni.du.local.deeds.replaced import replaced
from soni.du.local.lexical.answers import like_known, several
from soni.du.local.tagged.names import without_article
from soni.du.local.values.choices import chosen
from soni.du.local.values.codes import codes
from soni.du.local.values.finding import Found, found
from soni.du.local.values.periods import assigned, days
from soni.du.local.values.route import route
from soni.du.local.view import View
from soni.du.local.words.lexicon import bared
from soni.du.local.words.mentions import named_flow, named_slot
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import content, normal, spoken

# Nobody changes more at once.
_PARTS: Final = 4

_OF: Final = r"(?:\s+(?:for|of|in|on|de|del|para)\s+(?:the|my|la|el)?\s*(?P<flow>[\w' ]+?))?"
_SPANISH_IS: Final = (
    r"(?:(?:que|es|son|era|mejor|pon|ponme|ser[íi]a|quer[íi]a decir|quise decir|deber[íi]a ser|"
    r"tiene que ser|(?:el|la) (?:correct[oa]|buen[oa]) es)\s+)*"
)
_EXPLICIT: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:please\s+)?(?:can you\s+|could you\s+)?"
        r"(?:change|set|make|correct|update|put|switch)\s+"
        rf"(?:{THE})?(?P<slot>[\w' -]+?){_OF}\s+(?:to|as|into)\s+(?P<value>.+)",
        rf"(?:{THE})(?P<slot>[\w' -]+?){_OF}\s+(?:is|should be|must be|will be|has to be|was|"
        r"ought to be|needs to be)\s+(?:actually\s+|really\s+)?(?P<value>.+)",
        rf"(?:{THE})?(?P<slot>[\w' -]+?){_OF}\s*[,:]\s*(?:make it|should be|it'?s|to|que sea|a)\s+"
        r"(?P<value>.+)",
        r"(?:let'?s\s+|please\s+|can you\s+)*(?:change|set|correct|update|switch)\s+"
        rf"(?:{THE})?(?P<slot>[\w' -]+?){_OF}\s*[,:]\s*(?:to\s+|make it\s+)?(?P<value>.+)",
        rf"{SPANISH_LEAD}(?:cambi[ae](?:d|me|dme)?|pon(?:me)?|corrig[ea]|modific[ae]|"
        rf"(?:quiero |puedes |pod[ée]is |quer[íi]a )cambiar(?:me)?)\s+(?:{THE})?"
        rf"(?P<slot>[\w' -]+?){_OF}\s*[,:]?\s+(?:al?|por|en|como|para|que sea|pon|"
        rf"es)\s+(?P<value>.+)",
        rf"{SPANISH_LEAD}(?:{THE})(?P<slot>[\w' -]+?){_OF}\s+(?:es|debe ser|debería ser|"
        r"tiene que ser|será|era|tendría que ser)\s+(?P<value>.+)",
        rf"{SPANISH_LEAD}(?:me (?:he )?equivo(?:qu[ée]|cado)|(?:he puesto|he dicho|he dado|"
        r"he escrito|puse|dije|di|escrib[íi]) mal|corrijo|est[áa]n? mal|hay un (?:error|fallo))\s+"
        rf"(?:con|en|de|al (?:decir|poner|dar|escribir))?\s*(?:{THE}|lo del? )?"
        rf"(?P<slot>[\w' -]+?){_OF}\s*[,.;:]\s*{_SPANISH_IS}(?P<value>.+)",
        rf"{SPANISH_LEAD}(?:{THE})?(?P<slot>[\w' -]+?){_OF}\s+(?:est[áa]n? mal|"
        rf"no es(?: correct[oa]| es[ea]| as[íi])?|(?:es|"
        rf"son) incorrect[oa]s?)\s*[,.;:]\s*{_SPANISH_IS}(?P<value>.+)",
    )
)
_IS: Final = re.compile(
    r"(?P<slot>(?!(?:it|that|this|there|here|he|she|who|what|which|how|where|when|let|all)\b)"
    r"[\w-]+(?:\s[\w-]+)?)(?:'s|\s+(?:is|are|was|should be|must be|has to be))\s+"
    r"(?P<value>\S+(?:\s+\S+){0,3})",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"\bno\b", re.IGNORECASE)
_MISTAKEN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{THE})?(?P<slot>[\w' -]+?)\s+(?:is|was|are|were|isn'?t|wasn'?t)\s+"
        r"(?:wrong|incorrect|a mistake|not right|not correct|right|correct)"
        r"(?:[,;.:]\s*|\s+)(?:it'?s|it is|it should be|should be|make it|i meant)\s+(?P<value>.+)",
        r"(?:i|we)\s+(?:gave|told|said|typed|wrote|put|got|have|had)\s+(?:you\s+|in\s+)?"
        r"(?:the wrong|a wrong)\s+(?P<slot>[\w' -]+?)"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant)?\s*(?P<value>.+)",
        rf"(?:i|we)\s+got\s+(?:{THE})?(?P<slot>[\w' -]+?)\s+wrong"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant)?\s*(?P<value>.+)",
        r"(?:the )?wrong\s+(?P<slot>[\w' -]+?)"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant|i want)?\s*(?P<value>.+)",
    )
)
_MAKE: Final = re.compile(
    r"(?:please\s+)?(?:make|change|set)\s+(?:the|my)\s+(?P<flow>\w+)\s+"
    r"(?:to\s+|for\s+)?(?P<value>.+)",
    re.IGNORECASE,
)
_WITH: Final = re.compile(
    r"(?P<with>with|without|no|con|sin)\s+(?:the\s+|a\s+|any\s+|el\s+|la\s+)?(?P<slot>[\w' -]+)",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r",|\b(?:and|y)\b", re.IGNORECASE)
_MEANT: Final = re.compile(
    r"(?:(?:no|sorry|oops|wait|actually)[,.\s]+)*"
    r"(?:i meant?(?: to say)?\s+(?:(?:to|for|from)\s+)?|(?<=[,.\s])(?:to|for)\s+)"
    r"(?P<value>[\w'.-]+(?: [\w'.-]+){0,3}?)[.!]*",
    re.IGNORECASE,
)

_THE_ONE: Final = re.compile(r"\bthe (?P<word>[\w'-]+(?: [\w'-]+)?) one\b", re.IGNORECASE)


def changes(message: str, view: View) -> list[Command]:
    """Corrections that the words alone make clear."""
    return (
        (several(message, view) if not view.is_english else [])
        or replaced(message, view)
        or _several(message, view)
        or _explicit(message, view)
        or _retold(message, view)
        or switched(message, view)
        or _by_place(message, view)
        or _by_name(message, view)
        or _recounted(message, view)
    )


def by_kind(message: str, view: View) -> list[Command]:
    """A value that only one thing can be meant by: its kind, or the noun it counts."""
    alike = None if view.is_english else like_known(unled(message), view)
    if alike is not None:
        return [correction(alike, unled(message), view)]
    named = codes(message, view.filled, view.lang)
    if named:
        return [
            correction(slot, named[slot.name], view) for slot in view.filled if slot.name in named
        ]
    new: list[Command] = []
    for kind in dict.fromkeys(slot.type for slot in view.filled):
        of_kind = [slot for slot in view.filled if slot.type == kind]
        slot, value = _of_kind(message, of_kind, view)
        if slot is not None:
            new.append(correction(slot, value, view))
    if not new and (one := _THE_ONE.search(message)):
        # What was chosen from a list is changed by a word of another item.
        objects = [slot for slot in view.filled if slot.type == "object"]
        new = [correction(objects[0], one["word"], view)] if len(objects) == 1 else []
    return new if _LISTED.search(message) else new[:1]


def switched(message: str, view: View) -> list[Command]:
    """ "No breakfast", "with breakfast"."""
    match = _WITH.fullmatch(TAIL.sub("", message.strip()))
    slot = named_slot(match["slot"], view.filled, view.lang) if match else None
    if match is None or slot is None or slot.type != "boolean":
        return []
    return [correction(slot, match["with"].casefold() in ("with", "con"), view)]


def _several(message: str, view: View) -> list[Command]:
    """ "Change the day to Friday and the time to 2 pm"."""
    parts = [part.strip() for part in _LISTED.split(message) if part.strip()]
    if not 1 < len(parts) <= _PARTS:
        return []
    new: list[Command] = []
    for part in parts:
        found_ = _explicit(part, view) or _explicit(f"change {part}", view)
        if not found_:
            return []
        new += found_
    return new


def _explicit(message: str, view: View) -> list[Command]:
    """ "Change the amount for the transfer to 60"."""
    text = " ".join(message.split())  # the patterns would try every run of spaces in every way
    for pattern in _MISTAKEN:
        match = pattern.fullmatch(text)
        slot = named_slot(match["slot"], view.filled, view.lang) if match else None
        value = value_of(match["value"], slot, view) if match and slot else None
        if slot is not None and value is not None:
            return [correction(slot, value, view)]
    for pattern in _EXPLICIT:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        slots = _of_flow(match["flow"], view)
        if _DENIED.search(match["slot"]):
            continue
        slot = called(match["slot"], slots, view)
        if slot is None and match["flow"]:
            slot = named_slot(match["slot"], view.context.expected_slots, view.lang)
        value = value_of(match["value"], slot, view) if slot else None
        if slot is not None and value is not None:
            return [correction(slot, value, view)]
    return _named_barely(text, view)


def _named_barely(text: str, view: View) -> list[Command]:
    """ "Order number's 4417": a slot that has a value, by no other words than its own."""
    match = _IS.fullmatch(text)
    slot = named_slot(match["slot"], view.filled, view.lang) if match else None
    if match is None or slot is None or slot is view.asked:
        return []
    own = content(spoken(slot.name), view.lang) | content(normal(slot.description), view.lang)
    value = value_of(match["value"], slot, view)
    if value is None or not content(normal(match["slot"]), view.lang) <= own:
        return []
    return [correction(slot, value, view)]


def _retold(message: str, view: View) -> list[Command]:
    """ "Make the transfer 75 euros": the task by its name, the slot by the kind of its value."""
    match = _MAKE.fullmatch(TAIL.sub("", message.strip()))
    open_flows = {slot.flow for slot in view.context.expected_slots}
    flows = [flow for flow in view.context.available_flows if flow.name in open_flows]
    flow = named_flow(match["flow"], flows, view.lang) if match else None
    if match is None or flow is None:
        return []
    slots = [slot for slot in view.filled if slot.flow == flow.name]
    said = [(slot, found(match["value"], slot, view.env)) for slot in slots]
    meant = [(slot, values[0]) for slot, values in said if values]
    if len(meant) != 1:
        return []
    slot, one = meant[0]
    return [correction(slot, one.said, view)]


def _of_flow(said: str | None, view: View) -> Sequence[SlotBrief]:
    if not said:
        return view.context.expected_slots
    open_flows = {slot.flow for slot in view.context.expected_slots}
    flows = [flow for flow in view.context.available_flows if flow.name in open_flows]
    flow = named_flow(said, flows, view.lang)
    return [s for s in view.context.expected_slots if flow is None or s.flow == flow.name]


def _by_place(message: str, view: View) -> list[Command]:
    """ "No, the second one": of a list that was picked from."""
    place = bared(normal(message), view.lang)
    picked = [slot for slot in view.filled if slot.type == "object"]
    if (
        place in view.lang.table("lexicon.ordinals")
        and len(place) > 1
        and len(picked) == 1
        and not view.is_listed
    ):
        return [correction(picked[0], place, view)]
    return []


def _by_name(message: str, view: View) -> list[Command]:
    """ "No, I meant Robert" where something else is asked: the only name that there is."""
    match = _MEANT.fullmatch(message.strip())
    names = [slot for slot in view.filled if slot.type == "string"]
    if match is None or len(names) != 1 or view.asked is None or not view.asks_for_a_form:
        return []
    if any(found(match["value"], slot, view.env) for slot in (view.asked, *view.filled)):
        return []
    choices = [slot for slot in view.active if slot.type == "choice"]
    if any(chosen(match["value"], slot, view.lang) is not None for slot in choices):
        return []
    return [correction(names[0], without_article(whole(match["value"], view.language)), view)]


def _recounted(message: str, view: View) -> list[Command]:
    """ "It's three bags now", "order number's 4417", where something else is asked."""
    asked = view.asked
    if not (view.kind == "confirm" or view.asks_for_a_form) or is_question(
        message, view.lang, answering=True
    ):
        return []
    others = [s for s in view.filled if s.flow == view.context.current_flow and s is not asked]
    named = codes(message, others, view.lang, named=True)
    for slot in others:
        if slot.name in named and normal(str(view.value(slot))) != normal(named[slot.name]):
            return [correction(slot, named[slot.name], view)]
        for one in found(message, slot, view.env) if slot.type == "integer" else ():
            own = asked is not None and counts(message, one, asked, view.lang)
            if (
                not own
                and is_counted(message, one, slot, view.lang)
                and one.value != view.value(slot)
            ):
                more = by_kind(message, view) if _LISTED.search(message) else []
                rest = (c for c in more if slot.name not in c.slots_touched())
                return [correction(slot, one.said, view), *rest]
    return []


def _of_kind(message: str, slots: list[SlotBrief], view: View) -> tuple[SlotBrief | None, Any]:
    if slots[0].type == "choice":
        ends = route(message, slots, view.lang)
        if ends:
            return next((slot, ends[slot.name]) for slot in slots if slot.name in ends)
        said = ((slot, chosen(message, slot, view.lang)) for slot in slots)
        named = [(slot, value) for slot, value in said if value is not None]
        return named[0] if len(named) == 1 else (None, None)
    for slot in slots:
        values = _found(message, slot, view)
        counted = [one for one in values if counts(message, one, slot, view.lang)]
        others = [one for one in values if str(one.value) != str(view.value(slot))]
        if counted and counted[0] not in others and len(others) == 1:
            # "20 GB is not enough, make it 40".
            return slot, others[0].said
        if counted:
            return slot, counted[0].said
    dates = _found(message, slots[0], view) if slots[0].type == "date" else []
    pairs = assigned(message, slots, dates, view.lang)
    if pairs:
        return pairs[0][0], pairs[0][1].said
    # The value that was given last is the one most likely meant.
    order = list(view.context.current_slots)
    newest = max(slots, key=lambda slot: order.index(slot.name) if slot.name in order else -1)
    values = [one for one in _found(message, newest, view) if one.value != view.value(newest)]
    if not values or (len(slots) > 1 and slots[0].type in ("integer", "number")):
        return None, None
    return newest, meant(message, values, newest, view.lang).said


def _found(message: str, slot: SlotBrief, view: View) -> list[Found]:
    values = found(message, slot, view.env)
    return days(message, values, view) if slot.type == "date" else values
