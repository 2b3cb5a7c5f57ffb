"""Consent: whether the user's own words answer yes or no, whoever has understood them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from soni.commands.confirmed_question import NO_QUESTION, ConfirmedQuestion, parse_question
from soni.commands.consent_grammar import PlainAnswer, opens_with_yes, read_plainly
from soni.commands.consent_words import has_grammar, split_message, split_question
from soni.core.errors import Refusal
from soni.core.templates import parse_template
from soni.core.texts import Text, iter_sentences, list_variations
from soni.knowledge.words import extract_stems, is_filler, split_words
from soni.language import Language, find_language
from soni.slots import SlotEnv

if TYPE_CHECKING:
    from soni.commands.situation import Situation

NO_PLAIN_YES: Final = "not all of the message is a yes"
NO_PLAIN_ANSWER: Final = "not all of the message is a yes or a no"
PLAIN_ANSWER: Final = "all of the message is a plain answer"
CONSENT_REASONS: Final = frozenset({NO_PLAIN_YES, NO_PLAIN_ANSWER, PLAIN_ANSWER})
"""Reasons of decisions that the words of a message have caused."""

_ANSWERS: Final = {"AffirmConfirmation": "yes", "DenyConfirmation": "no"}


def read_plain_answer(situation: Situation) -> PlainAnswer | None:
    """The yes or no that the message is as a whole; None if it is neither, or more.

    Only an open question is answered: of a confirm, of the system, or for a boolean slot.
    """
    message = situation.spoken
    asks_flag = _asks_boolean(situation)
    if message is None or not (situation.asks_yes_or_no or asks_flag):
        return None
    if situation.prompt["data"].get("changing"):
        # A yes to "what would you like to change?" does nothing.
        return None
    chosen = _read_option(message, situation)
    if chosen is not None:
        return PlainAnswer("yes" if chosen else "no")
    lang = _get_language(situation)
    if not has_grammar(lang):
        # "No" is a yes in Czech: only the word that people are told is one.
        yes = situation.assistant.get_response("yes")
        told = [split_message(word) for word in _list_texts(yes, situation.context.language)]
        return PlainAnswer("yes") if split_message(message) in told else None
    question = NO_QUESTION if asks_flag else _describe_question(situation)
    return read_plainly(message, lang, question)


def sounds_like_yes(situation: Situation) -> bool:
    """Whether a message that is no plain yes begins like one: "ok, how do I pay"."""
    return opens_with_yes(situation.spoken or "", _get_language(situation))


def _get_language(situation: Situation) -> Language:
    return find_language(situation.context.language)


def read_boolean(slot: str, value: Any, situation: Situation) -> bool | None:
    """The value that the message gives a boolean slot, of which `value` was understood.

    None: it is no plain answer, and no word of it is about the slot.
    """
    asked = slot == situation.asked_slot
    plain = read_plain_answer(situation) if asked else None
    if plain is not None:
        return plain.says == "yes"
    understood = _coerce(slot, value, situation)
    return understood if understood is None or _mentions_slot(slot, situation) else None


def is_unsaid_boolean(slot: str, value: Any, situation: Situation) -> bool:
    """Whether a boolean slot would get a value that the message does not say.

    In a language without a grammar of consent nobody but the provider can tell.
    """
    polar = situation.assistant.get_slot_type(slot).is_polar
    if situation.spoken is None or not polar or not has_grammar(_get_language(situation)):
        return False
    understood = _coerce(slot, value, situation)
    return read_boolean(slot, value, situation) is not understood


def _asks_boolean(situation: Situation) -> bool:
    asked = situation.asked_slot
    return asked is not None and situation.assistant.get_slot_type(asked).is_polar


def _coerce(slot: str, value: Any, situation: Situation) -> bool | None:
    config = situation.assistant.get_slot_config(slot)
    env = SlotEnv(now=situation.context.clock(), language=situation.context.language)
    try:
        return bool(situation.assistant.get_slot_type(slot).coerce(value, config, env))
    except Refusal:
        return None


def _mentions_slot(slot: str, situation: Situation) -> bool:
    """Whether the message has a word of the slot: of its name, its question or its values.

    Values in the question do not count: "Ann" says nothing to "Does Ann check in a bag?".
    """
    language, config = situation.context.language, situation.assistant.get_slot_config(slot)
    own = _get_message(situation) if slot == situation.asked_slot else None
    texts = [slot.replace("_", " "), config.description, *config.examples]
    texts += [
        text for each in (config.prompt, config.help, own) for text in _list_texts(each, language)
    ]
    texts += [word for value, synonyms in config.values.items() for word in (value, *synonyms)]
    lang = find_language(language)
    # An author's "yes" as an example makes no answer of a yes with a condition.
    words = (text for text in texts if read_plainly(text, lang) is None)
    known = {stem for text in words for stem in extract_stems(text, language)}
    said = [word for word in split_words(situation.spoken or "") if not is_filler(word, lang)]
    return not known.isdisjoint(extract_stems(" ".join(said), language) if said else ())


def _list_texts(text: Text | None, language: str) -> list[str]:
    return list_variations(text, language) if text is not None else []


def _read_option(message: str, situation: Situation) -> bool | None:
    """The answer of an option that was shown, if the message is its label or its number."""
    offered: list[dict[str, Any]] = situation.state["metadata"].get("offered") or []
    said = split_message(message)
    for number, option in enumerate(offered, 1):
        if said and said in ([str(number)], split_message(str(option["label"]))):
            return _get_option_answer(option, situation)
    return None


def _get_option_answer(option: dict[str, Any], situation: Situation) -> bool | None:
    if "command" in option:
        answer = _ANSWERS.get(option["command"].get("type"))
        return None if answer is None else answer == "yes"
    asked = situation.asked_slot
    return _coerce(asked, option["value"], situation) if asked is not None else None


def _describe_question(situation: Situation) -> ConfirmedQuestion:
    prompt, active = situation.prompt, situation.active
    text = str(prompt["data"].get("ui", {}).get("message") or prompt["prompt"])
    asked = parse_question(text, _list_fixed_words(situation), _get_language(situation))
    task = active["flow_name"].replace("_", " ") if active else ""
    guarded = map(situation.assistant.get_slot_type, situation.find_guarded_slots())
    return replace(
        asked,
        names=frozenset(split_question(task)),
        is_dated=any(kind.is_dated for kind in guarded),
        gives_up=prompt.get("kind") == "cancel",
    )


def _list_fixed_words(situation: Situation) -> frozenset[str] | None:
    """The words of the question that come from its author; None: all of them."""
    message = _get_message(situation)
    if message is None:
        return None
    written = (parse_template(sentence) for _, sentence in iter_sentences(message))
    parts = (part for template in written for part in template.parts if isinstance(part, str))
    return frozenset(word for part in parts for word in split_question(part))


def _get_message(situation: Situation) -> Text | None:
    """The text of the step that asks, as its author wrote it."""
    active, step = situation.active, situation.prompt.get("step")
    plan = situation.get_plan(active["flow_name"]) if active else None
    planned = plan.steps.get(step or "") if plan else None
    return getattr(planned.step, "message", None) if planned else None
