"""The dialogue act of a message, by its words without accents."""

from typing import Final

from soni.commands import (
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    ResumeFlow,
    SkipSlot,
)
from soni.du.local.lexical.flows import find_flow_by_stems, has_known_word, states_wish
from soni.du.local.lexical.mentions import find_slot_by_stems
from soni.du.local.lexical.stems import fold_text, stem_text
from soni.du.local.view import View
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import strip_accents
from soni.language import Language

_MIN_SENTENCE_WORDS: Final = 4
"""Fewer words are a name."""


def read_lexical_act(message: str, view: View) -> Command | None:
    """The act of a whole message; None if the words show none."""
    said = fold_text(message)
    if not said:
        return None
    lang = view.lang
    if lang.pattern("lexical_acts.human").search(said):
        return HumanHandoff()
    if view.context.paused_flows and (back := _find_resumed_task(said, view)) is not None:
        return back
    if view.kind == "collect" and not view.is_listed and is_skip(message, view):
        return SkipSlot()
    if not view.is_idle and _gives_up_task(message, said, view):
        return CancelFlow()
    if lang.pattern("lexical_acts.repeat").fullmatch(said):
        return RepeatLast()
    if _is_chat(said, view):
        return ChitChat()
    return _find_out_of_scope(message, said, view)


def read_why(message: str, lang: Language) -> Command | None:
    """ "¿Y eso por qué lo preguntan?": about the question itself."""
    is_why = lang.pattern("lexical_acts.why").fullmatch(fold_text(message))
    return Clarify(topic=message) if is_why else None


def is_skip(message: str, view: View) -> bool:
    """Whether what was asked is to be left out: "no tengo correo" where a mail was asked."""
    said = fold_text(message)
    if "?" in message:
        return False
    if view.lang.pattern("lexical_acts.skip").fullmatch(said):
        return True
    slot = view.asked
    lacking = view.lang.pattern("lexical_acts.lacking").fullmatch(said)
    if slot is None or slot.required or lacking is None:
        return False
    return find_slot_by_stems(lacking["what"], [slot], view.lang) is not None


def _gives_up_task(message: str, said: str, view: View) -> bool:
    lang = view.lang
    if view.asks_yes_or_no and _says_yes(said, view):
        return False
    first, *rest = lang.pattern("lexical_acts.clause").split(strip_accents(message.casefold()))
    while rest and not lang.pattern("lexical_acts.attention").sub("", fold_text(first)).strip():
        first, *rest = rest
    leave = lang.pattern("lexical_acts.leave")
    if leave.fullmatch(said):
        return True
    lead = fold_text(first)
    if not rest:
        return _names_active_flow(said, view)
    last = fold_text(rest[-1])
    given_up = leave.fullmatch(last) or _names_active_flow(last, view)
    if given_up and not is_question(first, lang, answering=True):
        return not any(sign.isdigit() for sign in first)
    gives_up = leave.fullmatch(lead) is not None or _names_active_flow(lead, view)
    return gives_up and not _wants_instead(" ".join(rest), lang)


def _says_yes(said: str, view: View) -> bool:
    """Whether it answers a question of yes or no, even by "no need"."""
    if view.lang.pattern("lexical_acts.agreed").match(said):
        return True
    return bool(view.asked and view.lang.pattern("lexical_acts.no_need").search(said))


def _wants_instead(reason: str, lang: Language) -> bool:
    """Whether something else is wanted instead: "déjalo, mejor el martes"."""
    denied = lang.pattern("lexical_acts.denied").match(reason)
    wanted = states_wish(reason, lang) and not denied
    changed = lang.pattern("lexical_acts.change").search(reason)
    return bool(wanted or changed or is_question(reason, lang, answering=False))


def _names_active_flow(said: str, view: View) -> bool:
    match = view.lang.pattern("lexical_acts.leave_named").fullmatch(said)
    active = [f for f in view.context.available_flows if f.name == view.context.current_flow]
    if match is None or len(match["what"].split()) > _MIN_SENTENCE_WORDS:
        return False
    return find_flow_by_stems(match["what"], active, view.lang) is not None


def _find_resumed_task(said: str, view: View) -> Command | None:
    match = view.lang.pattern("lexical_acts.return").fullmatch(said)
    if match is None:
        return None
    what = match["what"]
    if not what or view.lang.pattern("lexical_acts.before").fullmatch(what):
        return ResumeFlow()
    paused = [f for f in view.context.available_flows if f.name in view.context.paused_flows]
    flow = find_flow_by_stems(what, paused, view.lang)
    return ResumeFlow(flow_name=flow.name) if flow is not None else None


def _is_chat(said: str, view: View) -> bool:
    # Thanks behind an answer are no message of their own.
    thanks = view.asked is None and view.lang.pattern("lexical_acts.thanks").fullmatch(said)
    chats = thanks or view.lang.pattern("lexical_acts.chat").fullmatch(said)
    named = view.asked is not None and view.asked.kind.is_short_text
    return bool(chats) and not (named and len(said.split()) < _MIN_SENTENCE_WORDS)


def _find_out_of_scope(message: str, said: str, view: View) -> Command | None:
    """Something of the wide world, where the author wrote nothing about it."""
    match = view.lang.pattern("lexical_acts.world").search(said)
    if match is None:
        return None
    if not (is_question(message, view.lang, answering=False) or states_wish(message, view.lang)):
        return None
    if view.asked is not None and view.asked.kind.is_short_text and "?" not in message:
        return None
    context = view.context
    topic = " ".join(stem_text(match[0], view.lang))
    told = has_known_word(topic, context.available_flows, context.expected_slots, view.lang)
    return None if told else OutOfScope(topic=message)
