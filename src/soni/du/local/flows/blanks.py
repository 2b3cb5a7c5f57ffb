"""A message without its values, which say nothing about the flow that is wanted."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.values.value_search import find_values
from soni.du.local.words.words import list_forms, normalise, stem_plural
from soni.language import Language, find_language
from soni.slots import SlotEnv

# Less than this says nothing.
_MIN_WORDS: Final = 1


def make_blanked_texts(message: str, context: DialogueContext) -> list[str]:
    """The message without its amounts, days and choices, with and without its names."""
    forms = _list_choice_forms(
        context.available_flows, normalise(message), find_language(context.language)
    )
    common = [form for form in forms if not form[0].isupper()]
    variants = (blank_values(message, context, some) for some in (common, forms))
    return list(dict.fromkeys(text for text in variants if text is not None))


def blank_values(message: str, context: DialogueContext, forms: Sequence[str]) -> str | None:
    """The message with its values taken out; None: there were none, or little else."""
    flows, lang = context.available_flows, find_language(context.language)
    text = message
    before, behind = lang.expression("blank.before"), lang.expression("blank.behind")
    for form in forms:
        named = rf"{before}\b{re.escape(form)}\b{behind}"
        text = re.sub(named, " ", text, flags=re.IGNORECASE)
    money = lang.table("rewriting.phrases")["money"]
    if any(_is_money(slot, lang) for flow in flows for slot in flow.slots):
        text = lang.pattern("blank.amount").sub(f" {money} ", text)
    text = _blank_days(text, context)
    bare = " ".join(text.split())
    is_other = bare != " ".join(message.split())
    left = set(normalise(bare).split()) - set(money.split())
    return bare if is_other and len(left) >= _MIN_WORDS else None


def _blank_days(text: str, context: DialogueContext) -> str:
    slots = (slot for flow in context.available_flows for slot in flow.slots)
    asked = next((slot for slot in slots if slot.kind.dimension == "day"), None)
    if asked is None:
        return text
    env = SlotEnv(now=context.now, language=context.language)
    for day in reversed(find_values(text, asked, env)):
        text = f"{text[: day.start]} {text[day.end :]}"
    return text


def _is_money(slot: SlotBrief, lang: Language) -> bool:
    told = f"{slot.name} {slot.description}"
    currency = lang.pattern("blank.currency")
    return slot.kind.dimension == "money" or (
        slot.kind.dimension == "number" and currency.search(told.replace("_", " ")) is not None
    )


def _list_choice_forms(flows: Sequence[FlowBrief], message: str, lang: Language) -> list[str]:
    """What choices are called that the message may name, the longest first.

    Not the words that flows are known by, but names, though they stand in examples.
    """
    forms = {
        form
        for flow in flows
        for slot in flow.slots
        for form in list_forms(slot)
        if len(form) > 2 and normalise(form) in message
    }
    if not forms:
        return []
    texts = (text for flow in flows for text in (flow.name.replace("_", " "), *flow.examples))
    told = {stem_plural(word, lang) for text in texts for word in normalise(text).split()}
    common = {form for form in forms if not form[0].isupper()}
    forms -= {
        form
        for form in common
        if {stem_plural(word, lang) for word in normalise(form).split()} & told
    }
    return sorted(forms, key=lambda form: (-len(form), form))
