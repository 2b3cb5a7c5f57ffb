"""Whether a message asks for a flow, and for which."""

from typing import Final

from soni.du.local.answers.answers import find_answer
from soni.du.local.lexical.flows import (
    FlowMatch,
    find_flow_by_stems,
    has_known_word,
    rank_flow_matches,
    states_wish,
)
from soni.du.local.lexical.stems import fold_text, stem_text
from soni.du.local.view import View
from soni.du.local.words.questions import is_question

EXAMPLE_CONFIDENCE: Final = 0.9
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


def choose_flow_by_words(message: str, view: View) -> tuple[str | None, float]:
    """The flow a message is for, and how sure that is; None: for none."""
    context = view.context
    found = rank_flow_matches(message, context.available_flows, view.lang, context.current_flow)
    if not found:
        return None, EXAMPLE_CONFIDENCE
    best = found[0]
    if context.current_flow == "none":
        return _choose_when_idle(best, found[1:])
    if _answers_question(message, view) or best.fresh < _OWN:
        return None, EXAMPLE_CONFIDENCE
    free = view.asked is not None and view.asked.kind.is_short_text
    if best.share >= _ENOUGH and best.words > 1 and not free:
        return best.flow, EXAMPLE_CONFIDENCE
    return (best.flow, _CLEARLY) if states_wish(message, view.lang) else (None, EXAMPLE_CONFIDENCE)


def find_tied_flows(message: str, view: View) -> tuple[str, ...]:
    """The flows of which one is meant, where the words do not tell which."""
    context = view.context
    found = rank_flow_matches(message, context.available_flows, view.lang, context.current_flow)
    if not found:
        return ()
    best, *others = found
    is_open = best.evidence >= _START and best.share < _ENOUGH
    near = [match.flow for match in others if is_open and _is_near(best, match)]
    words = len(stem_text(message, view.lang))
    same = near or [match.flow for match in others if _shares_all_words(match, best, words)]
    return (best.flow, *same) if 0 < len(same) < _MANY else ()


def asks_for_flow(message: str, flow: str | None, view: View) -> bool:
    """ "¿Hay mesa para hoy?": whether a question is after the very thing that a flow gives."""
    match = view.lang.pattern("lexical_wishes.there_is").match(fold_text(message))
    flows = [brief for brief in view.context.available_flows if brief.name == flow]
    return match is not None and find_flow_by_stems(match["noun"], flows, view.lang) is not None


def is_foreign(message: str, view: View) -> bool:
    """Whether something is wanted that nothing of the author's has a word of."""
    context = view.context
    return (
        view.is_idle
        and len(fold_text(message).split()) >= _REQUEST
        and states_wish(message, view.lang)
        and not is_question(message, view.lang, answering=False)
        and not has_known_word(message, context.available_flows, context.expected_slots, view.lang)
    )


def _choose_when_idle(best: FlowMatch, others: list[FlowMatch]) -> tuple[str | None, float]:
    if best.share >= _ENOUGH:
        return best.flow, EXAMPLE_CONFIDENCE
    if best.evidence < _START or any(_is_near(best, other) for other in others[:1]):
        return None, EXAMPLE_CONFIDENCE
    return best.flow, _LIKELY


def _is_near(best: FlowMatch, other: FlowMatch) -> bool:
    return best.evidence + best.share - _CLOSE < other.evidence + other.share


def _shares_all_words(match: FlowMatch, best: FlowMatch, words: int) -> bool:
    """Whether all that was said is said of this flow as well; how long its examples are is not."""
    alike = best.evidence - match.evidence < _CLOSE and match.share >= best.share * _RIVAL
    return alike and 0 < match.own == best.own == words


def _answers_question(message: str, view: View) -> bool:
    """A choice or a yes that answers what was asked may have words of other flows."""
    slot = view.asked
    return (
        slot is not None
        and (slot.kind.is_polar or slot.kind.has_values)
        and not view.is_listed
        and find_answer(message, slot, view) is not None
    )
