"""Answers in Spanish: a value behind the words that lead to it, a yes or no with its reason."""

import re
from typing import Final

from soni.commands import Command, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.given import given
from soni.du.local.answers.leads import whole
from soni.du.local.spanish.mentions import named_slot
from soni.du.local.spanish.stems import alike, fold, stems
from soni.du.local.values.choices import chosen
from soni.du.local.values.finding import found
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import normal, spoken
from soni.slots import slot_types

_LEAD: Final = re.compile(
    r"(?:(?:pues|bueno|vale|claro|s[íi]|mira|a ver|eh|ah)[,.\s]+)*"
    r"(?:(?:se llaman?|se apellida|se trata de|(?:me|se) encuentr[oa](?: en)?|"
    r"est(?:oy|amos|[áa]) en|viv(?:o|imos|e) en|apunt[ae](?:d)?|anot[ae](?:d)?|toma nota|ponga|"
    r"ponl[oa]|ap[úu]ntal[oa]|va a nombre de|a mi nombre|"
    r"a nombre de|te (?:lo|la) digo|es(?: el| la)? que|lo que pasa es que|resulta que|"
    r"(?:es|son|ser[íi]a) (?:el|la)(?=\s\S*\d)|(?:el|la|mi|su|"
    r"nuestr[oa])(?P<name>(?:\s+[^\W\d]+){1,3}?)\s+(?:es|se llama|ser[íi]a))"
    r"(?:\s*[:,])?\s+){1,3}",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"(?:[\s,]+(?:por favor|porfa|gracias|creo|tambi[ée]n))+[.!\s]*$|[.!\s]+$", re.I
)
_PARTS: Final = re.compile(r"\s*[,;.]\s+(?:y\s+|e\s+|adem[áa]s\s+)?|\s+y\s+", re.IGNORECASE)
_NOT_THIS: Final = re.compile(r"(?P<old>.+?)[\s,]+no[,;.]\s*(?P<new>.+)", re.IGNORECASE)
_REASON: Final = re.compile(r"(?P<said>[^,.;:!]+?)\s*(?:[,.;:!]+|(?=\sque\s))\s*(?P<rest>.+)")
_CLOSED: Final = re.compile(r"(?P<rest>[^,.;:!]+?)\s*,\s*(?P<said>s[íi]|no)[.!]*", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?P<count>\d{1,3}|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\s+"
    r"(?P<noun>[^\W\d]+)\s+de\s+(?P<what>.+)",
    re.IGNORECASE,
)
_IS: Final = re.compile(
    r"(?:el|la|mi|su)\s+(?P<name>[^\W\d]+(?:\s+[^\W\d]+){0,2}?)\s+(?:es|:)\s+(?P<value>.+)",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"\b(?:no|sin|tampoco|ni)\b")
_STREET: Final = re.compile(
    r"(?:en |a )?(?:la |el )?(?:c|calle|avd?a?|avenida|plaza|pza|paseo|camino|carretera|ronda|"
    r"travesia|carrer|urbanizacion|glorieta|pasaje|callejon|carrera|bulevar) \w+"
)
_CODE_WORDS, _CODE_LENGTH = 4, 5
# Besides what is to be done.
_BESIDE: Final = frozenset({"favor", "tambien"})
# A part that says no more than that something is to be done has so many words that count.
_FEW: Final = 2
# Asked like this, days and numbers are a part of what is told.
_STORY: Final = re.compile(
    r"\bque (?:\w+ )?(?:pasa|paso|pasado|ocurre|ocurrio|ocurrido|sucede|sucedio)\b|cuent|"
    r"descri|explic|motivo|detall"
)
# A few words behind a comma.
_CLAUSE: Final = 6
# "Fuera no, que llueve".
_SHORT: Final = 4


def told(message: str, view: View) -> Command | None:
    """The answer to what was asked, where its words leave no doubt."""
    slot = view.asked
    if slot is None or view.is_listed or is_question(message, view.lang, answering=True):
        return None
    if slot.type == "boolean":
        return _with_reason(message, slot, view)
    if slot.type == "choice":
        match = _NOT_THIS.fullmatch(message.strip())
        value = chosen(match["new"], slot, view.lang) if match else _by_stem(message, slot, view)
        return SetSlot(slot_name=slot.name, value=value) if value is not None else None
    if slot.type == "string" and not _PARTS.search(message):
        value = _led(message, slot, view)
        return SetSlot(slot_name=slot.name, value=value) if value else None
    return None


def several(message: str, view: View) -> list[Command]:
    """What a message says for the asked slot, free words, and for others along with it."""
    slot = view.asked
    if slot is None or slot.type != "string" or view.is_listed:
        return []
    counted = _counted(message, slot, view)
    if counted:
        return counted
    first, *rest = _PARTS.split(_END.sub("", message.strip()))
    value = _led(first, slot, view)
    switched = [_switched(part, view) for part in rest]
    stated = [_stated(part, slot, view) or _typed(part, slot, view) for part in rest]
    others = [one or other for one, other in zip(stated, switched, strict=True)]
    # A word of a yes-or-no slot is too little to take free words apart.
    value = whole(first, view.language) if value is None and all(stated) else value
    if not rest or not value or not all(others):
        return []
    return [SetSlot(slot_name=slot.name, value=value), *(one for some in others for one in some)]


def like_known(text: str, view: View) -> SlotBrief | None:
    """The one slot whose present value looks like the text: a street, a code, a name."""
    texts = [slot for slot in view.filled if slot.type == "string"]
    form = _form(text)
    if form == "name" and any(_holds(text, slot, view) for slot in view.filled):
        return None
    same = [slot for slot in texts if form and _form(str(view.value(slot))) == form]
    return same[0] if len(same) == 1 else None


def _holds(text: str, slot: SlotBrief, view: View) -> bool:
    """Whether the text is a value of another kind: a day, a choice."""
    if slot.type == "choice":
        return chosen(text, slot, view.lang) is not None
    return bool(found(text, slot, view.env))


def _form(text: str) -> str | None:
    """What a text with numbers looks like; None: like nothing in particular."""
    if _STREET.match(fold(text)):
        return "street"
    words = text.split()
    if 0 < len(words) < _CODE_WORDS and all(word.istitle() and word.isalpha() for word in words):
        return "name"
    bare = re.sub(r"[\s./-]", "", text)
    coded = bare.isalnum() and not bare.isalpha() and len(text.split()) < _CODE_WORDS
    long = len(bare) >= _CODE_LENGTH and not bare.isdecimal()
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d]+", "a", bare)) if coded and long else None


def _led(message: str, slot: SlotBrief, view: View) -> str | None:
    """What stands behind "se llama", "mi placa es"; not what is said of another slot."""
    text = _END.sub("", message.strip())
    match = _LEAD.match(text)
    if match is None:
        return None
    if match["name"]:
        others = [one for one in view.active if one.name != slot.name]
        own = named_slot(match["name"], [slot])
        if own is None and named_slot(match["name"], others) is not None:
            return None
    return text[match.end() :].strip() or None


def _by_stem(message: str, slot: SlotBrief, view: View) -> str | None:
    """ "Cortar" for "corte": the one value with a word of the same stem."""
    if chosen(message, slot, view.lang) is not None:
        return None
    said = stems(message)
    named = [
        value
        for value, others in slot.values.items()
        if any(_is_among(word, stems(" ".join((value, *others)))) for word in said)
    ]
    return named[0] if len(named) == 1 else None


def _with_reason(message: str, slot: SlotBrief, view: View) -> Command | None:
    """ "Qué va, vivimos de alquiler", "sí, que está sucio"."""
    text = message.strip()
    last = _CLOSED.fullmatch(text)
    match = last or _REASON.fullmatch(text)
    if match is None or is_question(match["rest"], view.lang, answering=False):
        return _wanted(message, slot)
    ends = fold(match["said"]).split()
    if 1 < len(ends) <= _SHORT and ends[-1] in ("si", "no") and _is_reason(match["rest"]):
        return SetSlot(slot_name=slot.name, value=ends[-1] == "si")
    for meaning, value in (("affirm", True), ("deny", False)):
        if means(normal(match["said"]), meaning, view.lang):
            return SetSlot(slot_name=slot.name, value=value) if _is_reason(match["rest"]) else None
    return None


_ANOTHER: Final = re.compile(r"\b(?:mejor|cambia\w*|equivo\w+|pon\w*|quiero|necesito|perd[oó]n)\b")


def _is_reason(rest: str) -> bool:
    return _ANOTHER.search(rest) is None and not any(sign.isdigit() for sign in rest)


def _wanted(message: str, slot: SlotBrief) -> Command | None:
    """ "Lavadlo también", "no hace falta lavarlo": said with the slot's own word."""
    said = stems(message) - _BESIDE
    words = stems(f"{spoken(slot.name)} {slot.description}")
    if not said or len(said) > _FEW or not all(_is_among(word, words) for word in said):
        return None
    return SetSlot(slot_name=slot.name, value=_NEGATED.search(fold(message)) is None)


def _stated(part: str, asked: SlotBrief, view: View) -> list[Command]:
    """ "La dirección es calle Sol 3": another slot by its name."""
    match = _IS.fullmatch(part)
    others = [slot for slot in view.active if slot.name != asked.name and slot.type == "string"]
    slot = named_slot(match["name"], others) if match else None
    if match is None or slot is None or view.value(slot) is not None:
        return []
    return [SetSlot(slot_name=slot.name, value=match["value"])]


def _typed(part: str, asked: SlotBrief, view: View) -> list[Command]:
    """ "Plaza Mayor 1, somos dos": a few words with a value of another slot."""
    prompt = fold(str((view.context.asked or {}).get("prompt", "")))
    if len(part.split()) > _CLAUSE or _STORY.search(prompt):
        return []
    open_ = [s for s in view.active if s.name != asked.name and view.value(s) is None]
    values = given(part, open_, view)
    return [SetSlot(slot_name=name, value=value) for name, value in values.items()]


def _switched(part: str, view: View) -> list[Command]:
    """A yes-or-no slot that is still open, by its own word."""
    open_ = [s for s in view.active if s.type == "boolean" and view.value(s) is None]
    found = [one for slot in open_ if (one := _wanted(part, slot)) is not None]
    return found if len(found) == 1 else []


def _counted(message: str, slot: SlotBrief, view: View) -> list[Command]:
    """ "Dos cajas de aspirina": how many, where the flow counts them, and what."""
    match = _COUNT.fullmatch(_END.sub("", message.strip()))
    if match is None:
        return []
    counters = [s for s in view.active if s.type == "integer" and view.value(s) is None]
    own = [s for s in counters if named_slot(match["noun"], [s]) is not None]
    if len(own) != 1:
        return []
    count = slot_types()["integer"].coerce(match["count"], own[0], view.env)
    return [
        SetSlot(slot_name=slot.name, value=match["what"]),
        SetSlot(slot_name=own[0].name, value=count),
    ]


def _is_among(word: str, words: frozenset[str]) -> bool:
    return any(alike(word, other) for other in words)
