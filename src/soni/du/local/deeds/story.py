"""What went wrong, and the one thing that is wanted: two parts of a message, but one wish."""

from typing import Final

from soni.commands import StartFlow
from soni.du.local.deeds.wish import Wish
from soni.du.local.read import NOTHING, Read
from soni.du.local.view import View

# Each of two wishes is said so clearly by itself; an "and" alone adds none.
_CLEARLY: Final = 0.95


def one_wish(whole: Wish, first: Wish, second: Wish) -> Read:
    """ "It never came. I want my money back": the flow of one part, with the values of both."""
    if not (whole.view.is_idle and whole.view.has_models):
        return NOTHING
    adds = whole.view.lang.pattern("wish.adds").search(whole.thought.text)
    vague = min(_score_examples(first), _score_examples(second)) < _CLEARLY
    meant = None if adds and not vague else _choose_intent(whole, first, second)
    if meant is None and vague:
        meant = whole.flow
    if meant is None:
        return NOTHING
    return Read((StartFlow(flow_name=meant, slots=whole.slots(meant)),), whole.likely[meant])


def says_how(wish: Read, asked: str, view: View) -> bool:
    """ "My permit runs out, could I get a new one?": it only says how a wish is meant."""
    wished = view.is_idle and view.has_models and wish.has(StartFlow)
    if not wished:
        return False
    request, how_to = view.lang.pattern("cues.request"), view.lang.pattern("cues.how_to")
    return (request.match(asked) or how_to.search(asked)) is not None


def _choose_intent(whole: Wish, first: Wish, second: Wish) -> str | None:
    wanted = whole.thought.reading.flows.get(second.flow, 0.0) >= whole.limits.question
    says_so = wanted or second.view.lang.pattern("cues.want").search(second.thought.text)
    failed = whole.view.lang.pattern("wish.failed")
    if says_so and failed.search(first.thought.text):
        return second.flow
    # A part that is like no flow by itself tells more about the other one.
    least, best = sorted((first, second), key=_score_examples)
    if _score_examples(least) < whole.limits.interrupt <= _score_examples(best):
        return best.flow
    return None


def _score_examples(wish: Wish) -> float:
    """How like the examples of its flow a part is."""
    return wish.thought.flow.probabilities.get(wish.flow, 0.0)
