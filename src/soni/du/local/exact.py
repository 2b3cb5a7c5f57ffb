"""What needs no guessing: a button, an example of the author's, a word of the lexicon."""

import re
from functools import lru_cache

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    Command,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SkipSlot,
    StartFlow,
)
from soni.commands.offers import commands_of
from soni.du.local.answers.answers import answered, plainly_answered
from soni.du.local.answers.given import given
from soni.du.local.command_examples import match_example
from soni.du.local.deeds.agreed import agreed
from soni.du.local.deeds.plainly import plainly
from soni.du.local.limits import STORY
from soni.du.local.view import View
from soni.du.local.words.lexicon import ORDINALS, is_cardinal, means
from soni.du.local.words.words import content, normal, spoken

_WITHOUT = re.compile(
    r"^(?:(?:i )?(?:don't|do not) (?:need|want)|no need for|without|no|sin)\s+"
    r"(?:an? |the |any |una? )?"
)
_HINT = re.compile(r"\b(?:skip|omitir)\b(.*)", re.IGNORECASE | re.DOTALL)
_PASSED = re.compile(
    r"(?P<why>(?:(?:i|we|they|there|it) (?:\w+ ){0,2})?"
    r"(?:\w+n't|dont|havent|didnt|isnt|not|never|nothing|none|no (?:idea|clue|limit|preference))\b"
    r"(?: \w+){0,7}?) (?:(?:and|so|but|then|just|let's|please|can we|we can|ok|to) )*"
    r"(?:move on|go on|carry on|continue|proceed|go ahead|next(?: one| question| step)?|"
    r"skip (?:it|that|this)|skip)"
)
_NONE = re.compile(
    r"(?:(?:no|nope|nah) )?(?:(?:i|we) )?"
    r"(?:haven't|havent|don't|dont|didn't|have not|do not|did not) "
    r"(?:\w+ ){0,2}?(?:one|any|about (?:it|that)|yet)(?: yet| really| sorry)?|"
    r"(?:(?:no|nope|nah|nothing) )?(?:that's (?:it|all)|nothing else|nothing more|no more)"
)
# "Whenever there's room", "whichever you have".
_EVER = re.compile(
    r"(?:any time |anywhere )?(?:whenever|wherever|whichever|whoever|whatever)"
    r"(?: (?:one|day|time|way|place))? "
    r"(?:there's|there is|it's|it is|you|you've|is|suits|works|fits|comes|seems|has)"
    r"(?: [\w']+){0,5}"
)
_MILD = frozenset(
    {"just", "right", "please", "it", "this", "a", "the", "only", "solo", "por", "favor"}
)


def exactly(message: str, view: View, *, cue: bool = False) -> Command | None:
    """The command, if the whole message is one that there is no doubt about.

    `cue`: something before it says that it is about what was said earlier.
    """
    text = normal(message)
    if len(message) > STORY:
        return pressed(text, view) or example(text, view)
    return (
        pressed(text, view)
        or (plainly_answered(message, view) if not cue else None)
        # With nothing open, "help" is what the author says it is.
        or (example(text, view) if view.is_idle else None)
        or offered(text, view)
        or short_answer(message, text, view)
        or plainly(message, view)
        or (example(text, view) if not view.is_idle else None)
    )


def example(text: str, view: View) -> Command | None:
    """The flow, or the command, whose example the message repeats."""
    for flow in view.context.available_flows:
        if text in _normal(flow.examples):
            return StartFlow(flow_name=flow.name, slots=given(text, flow.slots, view))
    return match_example(text, view)


@lru_cache(maxsize=4096)
def _normal(examples: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normal, examples))


def pressed(text: str, view: View) -> Command | None:
    """An option that was shown as numbered text: its number, or the words on it."""
    labels = [normal(option["label"]) for option in view.context.offered]
    place = labels.index(text) if text in labels else _place(text, labels, view)
    if place is None:
        return None
    found = commands_of(view.context.offered[place], view.context.waiting_for_slot)
    return found[0] if found else None


def _place(text: str, labels: list[str], view: View) -> int | None:
    """The place among some labels that the text names, from 0."""
    # The items of a list keep their numbers from page to page, and are picked by them.
    if view.is_listed or (is_cardinal(text) and any(map(str.isdecimal, labels))):
        return None
    number = int(text) if text.isdecimal() and len(text) < 6 else ORDINALS.get(text, 0)
    return number - 1 if 0 < number <= len(labels) else None


def offered(text: str, view: View) -> Command | None:
    """One of the flows that the user was just asked to choose from."""
    if view.kind != "disambiguate":
        return None
    names: list[str] = view.data["flow_names"]
    number = ORDINALS.get(text)
    if number is not None and number <= len(names):
        return StartFlow(flow_name=names[number - 1])
    said = content(text)
    scored = [(len(said & content(spoken(name))), name) for name in names]
    scored.sort(reverse=True)
    clear = scored and scored[0][0] and (len(scored) == 1 or scored[0][0] > scored[1][0])
    return StartFlow(flow_name=scored[0][1]) if clear else None


def short_answer(message: str, text: str, view: View) -> Command | None:
    """A word or two that mean the same to any assistant."""
    language = view.language
    decided = _decided(text, view) if view.asks_yes_or_no else None
    decided = decided or agreed(message, view)
    if decided is not None:
        return decided
    skips = not view.is_listed or text.split()[:1] in (["skip"], ["omitir"], ["omite"])
    if view.kind == "collect" and skips and _skipped(text, view):
        return SkipSlot()
    for meaning, command in (
        ("cancel", CancelFlow()),
        ("human", HumanHandoff()),
        ("repeat", RepeatLast()),
        ("why", Clarify(topic=message)),
    ):
        if means(text, meaning, language):
            return command
    if view.context.paused_flows and means(text, "resume", language):
        return ResumeFlow()
    return None


def _decided(text: str, view: View) -> Command | None:
    """A yes or a no, and nothing else."""
    if means(text, "affirm", view.language):
        return AffirmConfirmation()
    return DenyConfirmation() if means(text, "deny", view.language) else None


def _skipped(text: str, view: View) -> bool:
    if means(text, "skip", view.language) or _hinted(text, view) or _passed(text, view):
        return True
    if _EVER.fullmatch(text) and (view.asked is None or answered(text, view.asked, view) is None):
        return True
    optional = view.asked is not None and not view.asked.required
    no = _WITHOUT.sub("", text)
    named = (
        view.asked is not None and no != text and content(no) <= content(spoken(view.asked.name))
    )
    none = _NONE.fullmatch(text) is not None
    return optional and (named or none or means(text, "deny", view.language))


def _passed(text: str, view: View) -> bool:
    """ "We haven't set one, just move on"."""
    match, slot = _PASSED.fullmatch(text), view.asked
    if match is None or slot is None or slot.kind.is_polar:
        return False
    return answered(match["why"], slot, view) is None


def _hinted(text: str, view: View) -> bool:
    """ "Say skip for one way only": whoever says "one way" wants that, too."""
    if view.asked is None or view.asked.required:
        return False
    hint = _HINT.search(str((view.context.asked or {}).get("prompt", "")))
    words = [word for word in text.split() if word not in _MILD]
    return hint is not None and bool(words) and set(words) <= set(normal(hint[1]).split())
