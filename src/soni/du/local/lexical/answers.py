"""Answers: a value behind the words that lead to it, a yes or no with its reason."""

import re
from typing import Final

from soni.commands import Command, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import strip_lead
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.lexical.mentions import find_slot_by_stems
from soni.du.local.lexical.stems import fold_text, is_same_stem, stem_text
from soni.du.local.values.choices import find_choice
from soni.du.local.values.value_search import find_values
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import normalise, speak_name
from soni.language import Language

_CODE_WORDS, _CODE_LENGTH = 4, 5
# A part that says no more than that something is to be done has so many words that count.
_FEW: Final = 2
# A few words behind a comma.
_CLAUSE: Final = 6
# "Fuera no, que llueve".
_SHORT: Final = 4


def find_plain_answer(message: str, view: View) -> Command | None:
    """The answer to what was asked, where its words leave no doubt."""
    slot = view.asked
    if slot is None or view.is_listed or is_question(message, view.lang, answering=True):
        return None
    if slot.kind.is_polar:
        return _read_with_reason(message, slot, view)
    if slot.kind.has_values:
        match = view.lang.pattern("lexical_answers.not_this").fullmatch(message.strip())
        if match:
            value = find_choice(match["new"], slot, view.lang)
        else:
            value = _choose_by_stem(message, slot, view.lang)
        return SetSlot(slot_name=slot.name, value=value) if value is not None else None
    if slot.kind.is_short_text and not view.lang.pattern("lexical_answers.parts").search(message):
        value = _strip_lead(message, slot, view)
        return SetSlot(slot_name=slot.name, value=value) if value else None
    return None


def read_several(message: str, view: View) -> list[Command]:
    """What a message says for the asked slot, free words, and for others along with it."""
    slot = view.asked
    if slot is None or not slot.kind.is_short_text or view.is_listed:
        return []
    counted = _read_counted_thing(message, slot, view)
    if counted:
        return counted
    parts = view.lang.pattern("lexical_answers.parts")
    first, *rest = parts.split(_strip_end(message, view.lang))
    value = _strip_lead(first, slot, view)
    switched = [_switch_open_boolean(part, view) for part in rest]
    stated = [
        _set_named_slot(part, slot, view) or _set_other_slots(part, slot, view) for part in rest
    ]
    others = [one or other for one, other in zip(stated, switched, strict=True)]
    # A word of a yes-or-no slot is too little to take free words apart.
    value = strip_lead(first, view.language) if value is None and all(stated) else value
    if not rest or not value or not all(others):
        return []
    return [SetSlot(slot_name=slot.name, value=value), *(one for some in others for one in some)]


def find_similar_slot(text: str, view: View) -> SlotBrief | None:
    """The one slot whose present value looks like the text: a street, a code, a name."""
    form = _classify_form(text, view.lang)
    if form is None or (form == "name" and any(_is_value(text, s, view) for s in view.filled)):
        return None
    texts = [slot for slot in view.filled if slot.kind.is_short_text]
    same = [s for s in texts if _classify_form(str(view.get_value(s)), view.lang) == form]
    return same[0] if len(same) == 1 else None


def _is_value(text: str, slot: SlotBrief, view: View) -> bool:
    if slot.kind.has_values:
        return find_choice(text, slot, view.lang) is not None
    return bool(find_values(text, slot, view.env))


def _classify_form(text: str, lang: Language) -> str | None:
    """What a text with numbers looks like; None: like nothing in particular."""
    if lang.pattern("lexical_answers.street").match(fold_text(text)):
        return "street"
    words = text.split()
    if 0 < len(words) < _CODE_WORDS and all(word.istitle() and word.isalpha() for word in words):
        return "name"
    bare = re.sub(r"[\s./-]", "", text)
    coded = bare.isalnum() and not bare.isalpha() and len(text.split()) < _CODE_WORDS
    long = len(bare) >= _CODE_LENGTH and not bare.isdecimal()
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d]+", "a", bare)) if coded and long else None


def _strip_lead(message: str, slot: SlotBrief, view: View) -> str | None:
    """What stands behind "se llama", "mi placa es"; not what is said of another slot."""
    text = _strip_end(message, view.lang)
    match = view.lang.pattern("lexical_answers.lead").match(text)
    if match is None:
        return None
    if match["name"]:
        others = [one for one in view.active if one.name != slot.name]
        own = find_slot_by_stems(match["name"], [slot], view.lang)
        if own is None and find_slot_by_stems(match["name"], others, view.lang) is not None:
            return None
    return text[match.end() :].strip() or None


def _choose_by_stem(message: str, slot: SlotBrief, lang: Language) -> str | None:
    """ "Cortar" for "corte": the one value with a word of the same stem."""
    if find_choice(message, slot, lang) is not None:
        return None
    said = stem_text(message, lang)
    named = [
        value
        for value, others in slot.values.items()
        if any(_is_among(word, stem_text(" ".join((value, *others)), lang)) for word in said)
    ]
    return named[0] if len(named) == 1 else None


def _read_with_reason(message: str, slot: SlotBrief, view: View) -> Command | None:
    """ "Qué va, vivimos de alquiler", "sí, que está sucio"."""
    text = message.strip()
    last = view.lang.pattern("lexical_answers.closed").fullmatch(text)
    match = last or view.lang.pattern("lexical_answers.reason").fullmatch(text)
    if match is None or is_question(match["rest"], view.lang, answering=False):
        return _switch_boolean(message, slot, view.lang)
    ends = fold_text(match["said"]).split()
    changes = view.lang.pattern("lexical_answers.another").search(match["rest"])
    if changes or any(sign.isdigit() for sign in match["rest"]):
        return None
    is_short = 1 < len(ends) <= _SHORT
    for name, meaning, value in (("yes", "affirm", True), ("no", "deny", False)):
        ends_so = is_short and view.lang.pattern(f"lexical_answers.{name}").fullmatch(ends[-1])
        if ends_so or means(normalise(match["said"]), meaning, view.lang):
            return SetSlot(slot_name=slot.name, value=value)
    return None


def _switch_boolean(message: str, slot: SlotBrief, lang: Language) -> Command | None:
    """ "Lavadlo también", "no hace falta lavarlo": said with the slot's own word."""
    said = stem_text(message, lang) - lang.words("lexical_answers.beside")
    words = stem_text(f"{speak_name(slot.name)} {slot.description}", lang)
    if not said or len(said) > _FEW or not all(_is_among(word, words) for word in said):
        return None
    negated = lang.pattern("lexical_answers.negated").search(fold_text(message))
    return SetSlot(slot_name=slot.name, value=negated is None)


def _set_named_slot(part: str, asked: SlotBrief, view: View) -> list[Command]:
    """ "La dirección es calle Sol 3": another slot by its name."""
    match = view.lang.pattern("lexical_answers.stated").fullmatch(part)
    others = [slot for slot in view.active if slot.name != asked.name and slot.kind.is_short_text]
    slot = find_slot_by_stems(match["name"], others, view.lang) if match else None
    if match is None or slot is None or view.get_value(slot) is not None:
        return []
    return [SetSlot(slot_name=slot.name, value=match["value"])]


def _set_other_slots(part: str, asked: SlotBrief, view: View) -> list[Command]:
    """ "Plaza Mayor 1, somos dos": a few words with a value of another slot."""
    prompt = fold_text(view.prompt)
    if len(part.split()) > _CLAUSE or view.lang.pattern("lexical_answers.story").search(prompt):
        return []
    open_ = [s for s in view.active if s.name != asked.name and view.get_value(s) is None]
    values = find_given_values(part, open_, view)
    return [SetSlot(slot_name=name, value=value) for name, value in values.items()]


def _switch_open_boolean(part: str, view: View) -> list[Command]:
    open_ = [s for s in view.active if s.kind.is_polar and view.get_value(s) is None]
    found = [one for slot in open_ if (one := _switch_boolean(part, slot, view.lang)) is not None]
    return found if len(found) == 1 else []


def _read_counted_thing(message: str, slot: SlotBrief, view: View) -> list[Command]:
    """ "Dos cajas de aspirina": how many, where the flow counts them, and what."""
    match = view.lang.pattern("lexical_answers.count").fullmatch(_strip_end(message, view.lang))
    if match is None:
        return []
    counters = [s for s in view.active if s.kind.dimension == "count" and view.get_value(s) is None]
    own = [s for s in counters if find_slot_by_stems(match["noun"], [s], view.lang) is not None]
    if len(own) != 1:
        return []
    count = own[0].kind.coerce(match["count"], own[0], view.env)
    return [
        SetSlot(slot_name=slot.name, value=match["what"]),
        SetSlot(slot_name=own[0].name, value=count),
    ]


def _strip_end(message: str, lang: Language) -> str:
    return lang.pattern("lexical_answers.end").sub("", message.strip())


def _is_among(word: str, words: frozenset[str]) -> bool:
    return any(is_same_stem(word, other) for other in words)
