"""Flows of which a message means one, and nothing in it tells which: better to ask than to guess.

What is alike to a model may still be told apart by it, but only by what is said: of "send a parcel"
all words are those of "send a parcel abroad" and of "send a parcel within the country".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from soni.du.local.limits import Limits
from soni.du.local.view import View
from soni.du.local.words.telling import words_of
from soni.du.local.words.words import content, normal

# A flow that is less likely is not meant, whatever words it shares.
_POSSIBLE: Final = 0.1


@dataclass(frozen=True)
class Rivals:
    """A message, and how likely each flow is that may start now."""

    text: str
    likely: Mapping[str | None, float]
    view: View
    limits: Limits

    def alike(self) -> tuple[str, ...]:
        """The flows that have all the words that were said, if there are several."""
        said = content(normal(self.text), self.view.lang) - self.view.lang.words("wish.around")
        if not said:
            return ()
        lang = self.view.lang
        words = {one.name: words_of(one, lang) for one in self.view.context.available_flows}
        have = {name for name, own in words.items() if said <= own}
        ranked = _rank_flows(self.likely)
        both = [(p, name) for p, name in ranked if p >= _POSSIBLE and name in have]
        is_meant = len(both) > 1 and sum(p for p, _ in both) >= self.limits.start
        # If all is said of others, what is likeliest is so for another reason.
        is_best = is_meant and both[0] == ranked[0]
        return tuple(name for _, name in both) if is_best else ()


def near(likely: Mapping[str | None, float], limits: Limits) -> tuple[str, ...]:
    """The two likeliest of flows that are all too unlikely, if they are as likely as each other."""
    ranked = _rank_flows(likely)
    if len(ranked) < 2:
        return ()
    (first, name), (second, other) = ranked[:2]
    meant = first + second >= limits.start and first - second <= limits.close
    return (name, other) if meant else ()


def _rank_flows(likely: Mapping[str | None, float]) -> list[tuple[float, str]]:
    return sorted(((p, name) for name, p in likely.items() if name is not None), reverse=True)
