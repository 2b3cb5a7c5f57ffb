"""Values for slots that have one already: "no, I meant Madrid", "make it three"."""

import re
from collections.abc import Sequence
from typing import Any, Final

from soni.commands import Command, CorrectSlot, DenyConfirmation
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import answered, counts, is_counted, meant, whole
from soni.du.local.spanish.answers import like_known, several
from soni.du.local.spanish.mentions import named_slot as spanish_slot
from soni.du.local.tagged.names import without_article
from soni.du.local.values.choices import chosen
from soni.du.local.values.codes import coded, codes
from soni.du.local.values.finding import found
from soni.du.local.values.periods import assigned
from soni.du.local.values.route import route
from soni.du.local.view import View
from soni.du.local.words.lexicon import ORDINALS, bared
from soni.du.local.words.mentions import named_flow, named_slot
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import normal

# Nobody changes more at once.
_PARTS: Final = 4
# A slot is called by a word or two; what is longer says something else.
_NAME_WORDS: Final = 3

_THE: Final = r"(?:the|my|its|this|that|el|la|mi|los|las)\s+"
_OF: Final = r"(?:\s+(?:for|of|in|on|de|del|para)\s+(?:the|my|la|el)?\s*(?P<flow>[\w' ]+?))?"
_SPANISH_LEAD: Final = (
    r"(?:(?:no|perd[óo]n[ae]?|disculp[ae]|lo siento|espera|oye|mira|ah|[au]y|en realidad|por favor|"
    r"bueno|mejor)[,.!\s]+)*"
)
_SPANISH_IS: Final = (
    r"(?:(?:que|es|son|era|mejor|pon|ponme|ser[íi]a|quer[íi]a decir|quise decir|deber[íi]a ser|"
    r"tiene que ser|(?:el|la) (?:correct[oa]|buen[oa]) es)\s+)*"
)
_EXPLICIT: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:please\s+)?(?:can you\s+|could you\s+)?"
        r"(?:change|set|make|correct|update|put|switch)\s+"
        rf"(?:{_THE})?(?P<slot>[\w' -]+?){_OF}\s+(?:to|as|into)\s+(?P<value>.+)",
        rf"(?:{_THE})(?P<slot>[\w' -]+?){_OF}\s+(?:is|should be|must be|will be|has to be|was|"
        r"ought to be|needs to be)\s+(?:actually\s+|really\s+)?(?P<value>.+)",
        rf"(?:{_THE})?(?P<slot>[\w' -]+?){_OF}\s*[,:]\s*(?:make it|should be|it'?s|to|que sea|a)\s+"
        r"(?P<value>.+)",
        r"(?:let'?s\s+|please\s+|can you\s+)*(?:change|set|correct|update|switch)\s+"
        rf"(?:{_THE})?(?P<slot>[\w' -]+?){_OF}\s*[,:]\s*(?:to\s+|make it\s+)?(?P<value>.+)",
        rf"{_SPANISH_LEAD}(?:cambi[ae](?:d|me|dme)?|pon(?:me)?|corrig[ea]|modific[ae]|"
        rf"(?:quiero |puedes |pod[ée]is |quer[íi]a )cambiar(?:me)?)\s+(?:{_THE})?"
        rf"(?P<slot>[\w' -]+?){_OF}\s*[,:]?\s+(?:al?|por|en|como|para|que sea|pon|"
        rf"es)\s+(?P<value>.+)",
        rf"{_SPANISH_LEAD}(?:{_THE})(?P<slot>[\w' -]+?){_OF}\s+(?:es|debe ser|debería ser|"
        r"tiene que ser|será|era|tendría que ser)\s+(?P<value>.+)",
        rf"{_SPANISH_LEAD}(?:me (?:he )?equivo(?:qu[ée]|cado)|(?:he puesto|he dicho|he dado|"
        r"he escrito|puse|dije|di|escrib[íi]) mal|corrijo|est[áa]n? mal|hay un (?:error|fallo))\s+"
        rf"(?:con|en|de|al (?:decir|poner|dar|escribir))?\s*(?:{_THE}|lo del? )?"
        rf"(?P<slot>[\w' -]+?){_OF}\s*[,.;:]\s*{_SPANISH_IS}(?P<value>.+)",
        rf"{_SPANISH_LEAD}(?:{_THE})?(?P<slot>[\w' -]+?){_OF}\s+(?:est[áa]n? mal|"
        rf"no es(?: correct[oa]| es[ea]| as[íi])?|(?:es|"
        rf"son) incorrect[oa]s?)\s*[,.;:]\s*{_SPANISH_IS}(?P<value>.+)",
    )
)
# "La 4821-LKM" is 4821-LKM.
_ARTICLE: Final = re.compile(r"^(?:el|la)\s+(?=\S*\d)", re.IGNORECASE)
_DENIED: Final = re.compile(r"\bno\b", re.IGNORECASE)
_MISTAKEN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_THE})?(?P<slot>[\w' -]+?)\s+(?:is|was|are|were|isn'?t|wasn'?t)\s+"
        r"(?:wrong|incorrect|a mistake|not right|not correct|right|correct)"
        r"(?:[,;.:]\s*|\s+)(?:it'?s|it is|it should be|should be|make it|i meant)\s+(?P<value>.+)",
        r"(?:i|we)\s+(?:gave|told|said|typed|wrote|put|got|have|had)\s+(?:you\s+|in\s+)?"
        r"(?:the wrong|a wrong)\s+(?P<slot>[\w' -]+?)"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant)?\s*(?P<value>.+)",
        rf"(?:i|we)\s+got\s+(?:{_THE})?(?P<slot>[\w' -]+?)\s+wrong"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant)?\s*(?P<value>.+)",
        r"(?:the )?wrong\s+(?P<slot>[\w' -]+?)"
        r"[,;.:]\s*(?:it'?s|it is|it should be|make it|i meant|i want)?\s*(?P<value>.+)",
    )
)
_WRONG: Final = re.compile(
    rf"(?:{_THE})?(?P<slot>[\w' -]+?)\s+(?:is|are|isn'?t|aren'?t|looks|seems|est[áa]n?|es|son|"
    r"no (?:est[áa]n?|es|son|(?:me|nos) (?:va|viene|cuadra|encaja)n?))\s*(?:not\s+|no\s+)?"
    r"(?:wrong|right|correct|incorrect|mal(?: escrit[oa]| puest[oa])?|bien|as[íi]|correct[oa]s?|"
    r"incorrect[oa]s?|"
    r"equivocad[oa]s?|err[óo]ne[oa]s?)[.!]*",
    re.IGNORECASE,
)
_ESTA_MAL: Final = re.compile(
    rf"{_SPANISH_LEAD}(?:(?:est[áa]n?|es|son) (?:mal|incorrect[oa]s?|equivocad[oa]s?)|"
    r"no (?:est[áa]n? bien|es correct[oa])|hay (?:un error|un fallo|algo mal) (?:en|con)|"
    r"me (?:he )?equivo(?:qu[ée]|cado) (?:con|en|de|al (?:decir|poner|dar|escribir))|"
    r"(?:he puesto|he dicho|he dado|he escrito|puse|dije|di) mal|"
    r"(?:quiero|quisiera|quer[íi]a|necesito|puedo|hay que|me gustaría) "
    rf"(?:cambiar|corregir|modificar))\s+(?:{_THE}|lo del? )?(?P<slot>[\w' -]+?)[.!]*",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"(?:(?:please\s+)?(?:change|correct|update|edit|fix|cambia|cambiar|corrige|modifica|"
    r"i want to change|i'?d like to change|quiero cambiar)\s+)?"
    rf"(?:(?:{_THE})|another\s+|a different\s+|otr[oa]\s+)?(?P<slot>[\w' -]+?)[.!]*",
    re.IGNORECASE,
)
_NOT: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<new>.+?)[,;]?\s+(?:and\s+)?(?:not|instead of|rather than|no|en vez de|en lugar de)\s+"
        r"(?P<old>.+)",
        r"(?:i\s+)?(?:said|wrote|typed|put|clicked)\s+(?P<old>.+?)[,;]?\s+but\s+(?:i\s+)?"
        r"(?:meant?|it'?s|should be)\s+(?P<new>.+)",
        r"(?:(?:the [\w ]{1,20}|it|that)(?:'?s| is| was)\s+)?(?:not|no)\s+"
        r"(?:(?:for|to|from|on|at)\s+)?(?P<old>.+?)"
        r"(?:[,;]?\s+(?:but|it'?s|make it|sino)|\s*[,;])\s+(?P<new>.+)",
        rf"{_SPANISH_LEAD}(?P<old>.+?)\s+no(?:\s+(?:puedo|podemos|puede ser|quiero|es|era|"
        r"(?:me|nos) (?:viene|va|vale|sirve|encaja|cuadra|conviene|gusta)n?(?: (?:bien|nada))?))?"
        r"\s*[,;.]\s*(?P<new>.+)",
        rf"{_SPANISH_LEAD}no\s+(?:puedo|podemos|puede ser|quiero|es|era|"
        r"(?:me|nos) (?:viene|va|vale) bien)\s+(?:con |para |por |en |a )?(?P<old>.+?)[,;.]?\s+"
        r"(?:sino|mejor|ponme|pon|que sea|pero|es|son|quiero|prefiero)\s+(?P<new>.+)",
        r"(?:en vez de|en lugar de)\s+(?P<old>.+?)[,;]\s*(?P<new>.+)",
        rf"{_SPANISH_LEAD}cambi\w+\s+(?:{_THE})?(?P<old>.+?)\s+por\s+(?:el |la |una? )?(?P<new>.+)",
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
CUE: Final = re.compile(
    r"\b(?:i meant|i mean|more like|make (?:it|that)|instead|actually|rather|should be|"
    r"change (?:it|that)|"
    r"better|correction|sorry|wait|not .+ but|quise decir|quería decir|mejor|en realidad|"
    r"que sean?|perd[óo]n|en vez|más bien|me equivoqu[ée]|me he equivocado|cámbi\w+|cambia\w*|"
    r"corrijo|digo|ponme)\b",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:no|sorry|wait|actually|oh|oops|well|perd[óo]n|espera|mejor|en realidad)[,.\s]+)*"
    r"(?:(?:i meant(?: to say)?|i mean|i said|make (?:it|that)|change (?:it|that) to|it should be|"
    r"it'?s|it is|that'?s|should be|let'?s make it|quise decir|quería decir|digo|que sean?|"
    r"(?:please )?(?:send|give|put|book|set) (?:it|that|this|them)|"
    r"es|son|mejor|ponlo|hazlo|ponme(?:lo|la)?|pon|apunta|anota|prefiero|quiero|sino|pero)\s+)*"
    r"(?:a nombre de\s+|(?:to|for|from|at|in|on|al?|para|desde|en|con|por)\s+)?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"[\s,]+(?:instead|rather|please|then|por favor|mejor|en su lugar)[.!]*$|[.!\s]+$",
    re.IGNORECASE,
)

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
        or _several(message, view)
        or _explicit(message, view)
        or _retold(message, view)
        or _replaced(message, view)
        or switched(message, view)
        or _by_place(message, view)
        or _by_name(message, view)
        or _recounted(message, view)
    )


def by_kind(message: str, view: View) -> list[Command]:
    """A value that only one thing can be meant by: its kind, or the noun it counts."""
    alike = None if view.is_english else like_known(unled(message), view)
    if alike is not None:
        return [_set(alike, unled(message), view)]
    named = codes(message, view.filled)
    if named:
        return [_set(slot, named[slot.name], view) for slot in view.filled if slot.name in named]
    new: list[Command] = []
    for kind in dict.fromkeys(slot.type for slot in view.filled):
        of_kind = [slot for slot in view.filled if slot.type == kind]
        slot, value = _of_kind(message, of_kind, view)
        if slot is not None:
            new.append(_set(slot, value, view))
    if not new and (one := _THE_ONE.search(message)):
        # What was chosen from a list is changed by a word of another item.
        objects = [slot for slot in view.filled if slot.type == "object"]
        new = [_set(objects[0], one["word"], view)] if len(objects) == 1 else []
    return new if _LISTED.search(message) else new[:1]


def switched(message: str, view: View) -> list[Command]:
    """ "No breakfast", "with breakfast"."""
    match = _WITH.fullmatch(_TAIL.sub("", message.strip()))
    slot = named_slot(match["slot"], view.filled) if match else None
    if match is None or slot is None or slot.type != "boolean":
        return []
    return [_set(slot, match["with"].casefold() in ("with", "con"), view)]


def denied(message: str, view: View) -> Command | None:
    """ "The date is wrong", "no, the recipient": which slot, without a new value."""
    for pattern in (_ESTA_MAL, _WRONG, _NAMED):
        match = pattern.fullmatch(message.strip())
        few = match is not None and len(normal(match["slot"]).split()) <= _NAME_WORDS
        slot = _named(match["slot"], view.filled, view) if match and few else None
        if slot is not None and slot.flow == view.context.current_flow:
            return DenyConfirmation(slot_to_change=slot.name)
    return None


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
        slot = named_slot(match["slot"], view.filled) if match else None
        value = _value(match["value"], slot, view) if match and slot else None
        if slot is not None and value is not None:
            return [_set(slot, value, view)]
    for pattern in _EXPLICIT:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        slots = _of_flow(match["flow"], view)
        if _DENIED.search(match["slot"]):
            continue
        slot = _named(match["slot"], slots, view)
        if slot is None and match["flow"]:
            slot = named_slot(match["slot"], view.context.expected_slots)
        value = _value(match["value"], slot, view) if slot else None
        if slot is not None and value is not None:
            return [_set(slot, value, view)]
    return []


def _retold(message: str, view: View) -> list[Command]:
    """ "Make the transfer 75 euros": the task by its name, the slot by the kind of its value."""
    match = _MAKE.fullmatch(_TAIL.sub("", message.strip()))
    open_flows = {slot.flow for slot in view.context.expected_slots}
    flows = [flow for flow in view.context.available_flows if flow.name in open_flows]
    flow = named_flow(match["flow"], flows) if match else None
    if match is None or flow is None:
        return []
    slots = [slot for slot in view.filled if slot.flow == flow.name]
    said = [(slot, found(match["value"], slot, view.env)) for slot in slots]
    meant = [(slot, values[0]) for slot, values in said if values]
    if len(meant) != 1:
        return []
    slot, one = meant[0]
    return [_set(slot, one.said, view)]


def _named(text: str, slots: Sequence[SlotBrief], view: View) -> SlotBrief | None:
    """The slot by its name, or by a Spanish one."""
    slot = named_slot(text, slots)
    return spanish_slot(text, slots) if slot is None and not view.is_english else slot


def _of_flow(said: str | None, view: View) -> Sequence[SlotBrief]:
    if not said:
        return view.context.expected_slots
    open_flows = {slot.flow for slot in view.context.expected_slots}
    flows = [flow for flow in view.context.available_flows if flow.name in open_flows]
    flow = named_flow(said, flows)
    return [s for s in view.context.expected_slots if flow is None or s.flow == flow.name]


def _replaced(message: str, view: View) -> list[Command]:
    """ "Robert, not Bob": the slot is the one that has the old value."""
    for pattern in _NOT:
        match = pattern.fullmatch(_TAIL.sub("", message.strip()))
        if match is None:
            continue
        for slot in view.filled:
            if _is(match["old"], slot, view) or _is(unled(match["old"]), slot, view):
                value = _value(_LEAD.sub("", match["new"]), slot, view)
                if value is not None:
                    return [_set(slot, value, view)]
    return []


def _by_place(message: str, view: View) -> list[Command]:
    """ "No, the second one": of a list that was picked from."""
    place = bared(normal(message), view.language)
    picked = [slot for slot in view.filled if slot.type == "object"]
    if place in ORDINALS and len(place) > 1 and len(picked) == 1 and not view.is_listed:
        return [_set(picked[0], place, view)]
    return []


def _by_name(message: str, view: View) -> list[Command]:
    """ "No, I meant Robert" where something else is asked: the only name that there is."""
    match = _MEANT.fullmatch(message.strip())
    names = [slot for slot in view.filled if slot.type == "string"]
    if match is None or len(names) != 1 or view.asked is None or not view.asks_for_a_form:
        return []
    if any(found(match["value"], slot, view.env) for slot in (view.asked, *view.filled)):
        return []
    if any(chosen(match["value"], s) is not None for s in view.active if s.type == "choice"):
        return []
    return [_set(names[0], without_article(whole(match["value"])), view)]


def _recounted(message: str, view: View) -> list[Command]:
    """ "It's three bags now", "order number's 4417", where something else is asked."""
    asked = view.asked
    if not (view.kind == "confirm" or view.asks_for_a_form) or is_question(message, answering=True):
        return []
    others = [s for s in view.filled if s.flow == view.context.current_flow and s is not asked]
    named = codes(message, others)
    for slot in others:
        if slot.name in named and normal(str(view.value(slot))) != normal(named[slot.name]):
            return [_set(slot, named[slot.name], view)]
        for one in found(message, slot, view.env) if slot.type == "integer" else ():
            own = asked is not None and counts(message, one, asked)
            if not own and is_counted(message, one, slot) and one.value != view.value(slot):
                more = by_kind(message, view) if _LISTED.search(message) else []
                rest = (c for c in more if slot.name not in c.slots_touched())
                return [_set(slot, one.said, view), *rest]
    return []


def _of_kind(message: str, slots: list[SlotBrief], view: View) -> tuple[SlotBrief | None, Any]:
    if slots[0].type == "choice":
        ends = route(message, slots)
        if ends:
            return next((slot, ends[slot.name]) for slot in slots if slot.name in ends)
        named = [(slot, value) for slot in slots if (value := chosen(message, slot)) is not None]
        return named[0] if len(named) == 1 else (None, None)
    for slot in slots:
        values = found(message, slot, view.env)
        counted = [one for one in values if counts(message, one, slot)]
        if counted:
            return slot, counted[0].said
    pairs = (
        assigned(message, slots, found(message, slots[0], view.env))
        if slots[0].type == "date"
        else []
    )
    if pairs:
        return pairs[0][0], pairs[0][1].said
    # The value that was given last is the one most likely meant.
    order = list(view.context.current_slots)
    newest = max(slots, key=lambda slot: order.index(slot.name) if slot.name in order else -1)
    values = [one for one in found(message, newest, view.env) if one.value != view.value(newest)]
    if not values or (len(slots) > 1 and slots[0].type in ("integer", "number")):
        return None, None
    return newest, meant(message, values, newest).said


def _value(said: str, slot: SlotBrief, view: View) -> Any:
    text = _TAIL.sub("", said.strip())
    if slot.type in ("string", "text"):
        return coded(text, slot) or without_article(_ARTICLE.sub("", whole(text))) or None
    if slot.type in ("list", "object"):
        return text
    return answered(text, slot, view)


def _is(said: str, slot: SlotBrief, view: View) -> bool:
    """Whether the words are the slot's present value."""
    known = view.value(slot)
    if normal(str(known)) == normal(said):
        return True
    return any(one.value == known for one in found(said, slot, view.env))


def _set(slot: SlotBrief, value: Any, view: View) -> Command:
    names = [other.flow for other in view.context.expected_slots if other.name == slot.name]
    elsewhere = slot.flow if slot.flow != view.context.current_flow or len(names) > 1 else None
    return CorrectSlot(slot_name=slot.name, new_value=value, flow_name=elsewhere)


def unled(message: str) -> str:
    """A correction without the words that only say that it is one."""
    return _TAIL.sub("", _LEAD.sub("", message.strip()))


def cued(message: str) -> bool:
    """Whether the words say that something is to be another way."""
    return CUE.search(message) is not None
