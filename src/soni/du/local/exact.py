"""Messages read without a model: a button, an example of the author's, a lexicon phrase."""

from functools import lru_cache
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    Command,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.commands.offers import get_option_commands
from soni.du.context import DialogueContext
from soni.du.local.acts.consent import find_agreement
from soni.du.local.answers.answers import find_answer, read_bare_answer
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.answers.picks import pick_listed_item
from soni.du.local.command_examples import match_example
from soni.du.local.corrections.changes import find_changes, find_denied_slot, find_wrong_slot
from soni.du.local.lexical.acts import read_lexical_act, read_why
from soni.du.local.lexical.answers import find_plain_answer
from soni.du.local.lexical.stems import read_agreement
from soni.du.local.limits import STORY_LENGTH
from soni.du.local.view import View
from soni.du.local.words.lexicon import is_cardinal, means
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import extract_words, normalise, speak_name
from soni.language import has_language


def read_exact(message: str, view: View, *, cue: bool = False) -> Command | None:
    """The command, if the whole message is one that there is no doubt about.

    `cue`: the words before it announce a correction: "no, ...".
    """
    text = normalise(message)
    if len(message) > STORY_LENGTH:
        return match_option(text, view) or match_author_example(text, view)
    return (
        match_option(text, view)
        or (read_bare_answer(message, view) if not cue else None)
        # With nothing open, "help" is what the author says it is.
        or (match_author_example(text, view) if view.is_idle else None)
        or match_offered_flow(text, view)
        or match_short_answer(message, text, view)
        or read_by_words(message, view)
        or (match_author_example(text, view) if not view.is_idle else None)
    )


def read_plain_answer(message: str, context: DialogueContext) -> Command | None:
    """The command of a message that plainly answers the open question; it needs no model."""
    said = message.strip()
    if not said or context.asked is None:
        return None
    found = read_exact(said, View(context))
    return None if isinstance(found, StartFlow) and not _offers_flow(found, context) else found


def _offers_flow(found: StartFlow, context: DialogueContext) -> bool:
    return found.flow_name in (context.asked or {}).get("data", {}).get("flow_names", ())


def match_author_example(text: str, view: View) -> Command | None:
    """The flow, or the command, whose example the message repeats."""
    for flow in view.context.available_flows:
        if text in _normalise_examples(flow.examples):
            return StartFlow(flow_name=flow.name, slots=find_given_values(text, flow.slots, view))
    return match_example(text, view)


@lru_cache(maxsize=4096)
def _normalise_examples(examples: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalise, examples))


def match_option(text: str, view: View) -> Command | None:
    """An option that was shown as numbered text: its number, or the words on it."""
    labels = [normalise(option["label"]) for option in view.context.offered]
    place = labels.index(text) if text in labels else _find_option_place(text, labels, view)
    if place is None:
        return None
    found = get_option_commands(view.context.offered[place], view.context.waiting_for_slot)
    return found[0] if found else None


def _find_option_place(text: str, labels: list[str], view: View) -> int | None:
    # The items of a list keep their numbers from page to page, and are picked by them.
    if view.is_listed or (is_cardinal(text, view.lang) and any(map(str.isdecimal, labels))):
        return None
    ordinals = view.lang.table("lexicon.ordinals")
    number = int(text) if text.isdecimal() and len(text) < 6 else ordinals.get(text, 0)
    return number - 1 if 0 < number <= len(labels) else None


def match_offered_flow(text: str, view: View) -> Command | None:
    """One of the flows that the user was just asked to choose from."""
    if view.kind != "disambiguate":
        return None
    names: list[str] = view.data["flow_names"]
    number = view.lang.table("lexicon.ordinals").get(text)
    if number is not None and number <= len(names):
        return StartFlow(flow_name=names[number - 1])
    said = extract_words(text, view.lang)
    scored = [(len(said & extract_words(speak_name(name), view.lang)), name) for name in names]
    scored.sort(reverse=True)
    clear = scored and scored[0][0] and (len(scored) == 1 or scored[0][0] > scored[1][0])
    return StartFlow(flow_name=scored[0][1]) if clear else None


def match_short_answer(message: str, text: str, view: View) -> Command | None:
    """A short phrase that means the same to any assistant."""
    decided = _match_decision(text, view) if view.asks_yes_or_no else None
    decided = decided or find_agreement(message, view)
    if decided is not None:
        return decided
    skips = not view.is_listed or text.partition(" ")[0] in view.lang.words("skipping.listed")
    if view.kind == "collect" and skips and _is_skipped(text, view):
        return SkipSlot()
    for meaning, command in (
        ("cancel", CancelFlow()),
        ("human", HumanHandoff()),
        ("repeat", RepeatLast()),
        ("why", Clarify(topic=message)),
    ):
        if means(text, meaning, view.lang):
            return command
    if view.context.paused_flows and means(text, "resume", view.lang):
        return ResumeFlow()
    return None


def _match_decision(text: str, view: View) -> Command | None:
    if means(text, "affirm", view.lang):
        return AffirmConfirmation()
    return DenyConfirmation() if means(text, "deny", view.lang) else None


def _is_skipped(text: str, view: View) -> bool:
    if means(text, "skip", view.lang) or _is_hinted_skip(text, view) or _is_passed_over(text, view):
        return True
    if view.lang.pattern("skipping.ever").fullmatch(text) and (
        view.asked is None or find_answer(text, view.asked, view) is None
    ):
        return True
    optional = view.asked is not None and not view.asked.required
    no = view.lang.pattern("skipping.without").sub("", text)
    named = (
        view.asked is not None
        and no != text
        and extract_words(no, view.lang) <= extract_words(speak_name(view.asked.name), view.lang)
    )
    none = view.lang.pattern("skipping.none").fullmatch(text) is not None
    return optional and (named or none or means(text, "deny", view.lang))


def _is_passed_over(text: str, view: View) -> bool:
    """ "We haven't set one, just move on"."""
    match, slot = view.lang.pattern("skipping.passed").fullmatch(text), view.asked
    if match is None or slot is None or slot.kind.is_polar:
        return False
    return find_answer(match["why"], slot, view) is None


def _is_hinted_skip(text: str, view: View) -> bool:
    """ "Say skip for one way only": whoever says "one way" wants that, too."""
    if view.asked is None or view.asked.required:
        return False
    hint = view.lang.pattern("skipping.hint").search(view.prompt)
    mild = view.lang.words("skipping.mild")
    words = [word for word in text.split() if word not in mild]
    return hint is not None and bool(words) and set(words) <= set(normalise(hint[1]).split())


def read_by_words(message: str, view: View) -> Command | None:
    """The command of a clear message, in a language without models; None otherwise."""
    if view.lang.has_models:
        return None
    # What is asked as free text may have any words.
    if view.asked is not None and view.asked.kind.takes_message:
        return read_lexical_act(message, view)
    new = find_changes(message, view)
    if len(new) == 1:
        return new[0]
    return (
        _answer_yes_or_no(message, view)
        or read_lexical_act(message, view)
        or read_why(message, view.lang)
        or find_plain_answer(message, view)
    )


def _answer_yes_or_no(message: str, view: View) -> Command | None:
    is_flag = view.asked is not None and view.asked.kind.is_polar
    yes = read_agreement(message, view.lang) if is_flag or view.kind == "confirm" else None
    if yes is None or is_question(message, view.lang, answering=True):
        return None
    if view.asked is not None:
        return SetSlot(slot_name=view.asked.name, value=yes) if is_flag else None
    return AffirmConfirmation() if yes else DenyConfirmation()


_MAX_PICK_WORDS: Final = 4
"""Words of who picks an item: "the cheapest one that leaves after ten" says more."""


def read_certain(message: str, view: View) -> Command | None:
    """The command that a language model need not be asked for.

    A message that may answer the open question is left to the model. In a language whose words
    are not known, only an option that was shown counts.
    """
    text = normalise(message)
    shown = match_option(text, view)
    if shown is not None or not has_language(view.language) or len(message) > STORY_LENGTH:
        return shown
    if read_bare_answer(message, view) is not None:
        # It may answer the question: "pass" may be a name.
        return None
    return (
        (find_denied_slot(message, view) if view.asks_what_to_change else None)
        or match_offered_flow(text, view)
        or match_short_answer(message, text, view)
        or (find_wrong_slot(message, view) if view.kind == "confirm" else None)
        or (pick_listed_item(message, view) if len(text.split()) <= _MAX_PICK_WORDS else None)
    )
