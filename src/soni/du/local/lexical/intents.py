"""Whether a message asks for a flow, and for which."""

from typing import Final

from soni.du.local.answers.answers import find_answer
from soni.du.local.lexical.flows import Match, find_named_flow, is_known, matches, wishes
from soni.du.local.lexical.stems import fold, stems
from soni.du.local.view import View
from soni.du.local.words.questions import is_question

BY_EXAMPLE: Final = 0.9
"""How sure a message is that says what an example says."""

_CLEARLY, _LIKELY = 0.8, 0.6
# How much of an example a message must be to be read as it.
_ENOUGH: Final = 0.55
# To start a flow when nothing is going on; and in the middle of another, where a word is easily
# said about what is going on, one that is the flow's own.
_START: Final = 0.45
_OWN: Final = 0.6
# Nearer than this two flows are the same by their words.
_CLOSE: Final = 0.04
# A flow whose examples are less like what was said is not meant, whatever words it shares.
_RIVAL: Final = 0.4
# Of so many flows nobody can be asked which.
_MANY: Final = 5
# Fewer words are no request that could be for something else.
_REQUEST: Final = 3
# A choice or a yes that answers what was asked may have words of other flows.


def by_words(message: str, view: View) -> tuple[str | None, float]:
    """The flow a message is for, and how sure that is; None: for none."""
    context = view.context
    found = matches(message, context.available_flows, view.lang, context.current_flow)
    if not found:
        return None, BY_EXAMPLE
    best = found[0]
    if context.current_flow == "none":
        return _when_idle(best, found[1:])
    if _answers_question(message, view) or best.fresh < _OWN:
        return None, BY_EXAMPLE
    free = view.asked is not None and view.asked.kind.is_short_text
    if best.share >= _ENOUGH and best.words > 1 and not free:
        return best.flow, BY_EXAMPLE
    return (best.flow, _CLEARLY) if wishes(message, view.lang) else (None, BY_EXAMPLE)


def find_tied_flows(message: str, view: View) -> tuple[str, ...]:
    """The flows of which one is meant, where the words do not tell which."""
    context = view.context
    found = matches(message, context.available_flows, view.lang, context.current_flow)
    if not found:
        return ()
    best, *others = found
    is_open = best.evidence >= _START and best.share < _ENOUGH
    near = [match.flow for match in others if is_open and _is_near(best, match)]
    words = len(stems(message, view.lang))
    same = near or [match.flow for match in others if _has_all(match, best, words)]
    return (best.flow, *same) if 0 < len(same) < _MANY else ()


def asks_for(message: str, flow: str | None, view: View) -> bool:
    """ "¿Hay mesa para hoy?": whether a question is after the very thing that a flow gives."""
    match = view.lang.pattern("lexical_wishes.there_is").match(fold(message))
    flows = [brief for brief in view.context.available_flows if brief.name == flow]
    return match is not None and find_named_flow(match["noun"], flows, view.lang) is not None


def is_foreign(message: str, view: View) -> bool:
    """Whether something is wanted that nothing of the author's has a word of."""
    context = view.context
    return (
        view.is_idle
        and len(fold(message).split()) >= _REQUEST
        and wishes(message, view.lang)
        and not is_question(message, view.lang, answering=False)
        and not is_known(message, context.available_flows, context.expected_slots, view.lang)
    )


def _when_idle(best: Match, others: list[Match]) -> tuple[str | None, float]:
    if best.share >= _ENOUGH:
        return best.flow, BY_EXAMPLE
    if best.evidence < _START or any(_is_near(best, other) for other in others[:1]):
        return None, BY_EXAMPLE
    return best.flow, _LIKELY


def _is_near(best: Match, other: Match) -> bool:
    return best.evidence + best.share - _CLOSE < other.evidence + other.share


def _has_all(match: Match, best: Match, words: int) -> bool:
    """Whether all that was said is said of this flow as well; how long its examples are is not."""
    alike = best.evidence - match.evidence < _CLOSE and match.share >= best.share * _RIVAL
    return alike and 0 < match.own == best.own == words


def _answers_question(message: str, view: View) -> bool:
    slot = view.asked
    return (
        slot is not None
        and (slot.kind.is_polar or slot.kind.has_values)
        and not view.is_listed
        and find_answer(message, slot, view) is not None
    )
