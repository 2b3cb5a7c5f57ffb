"""A yes or no in the words of what would be done: "yup, send it", "don't book it"."""

import re
from typing import Final

from soni.commands import AffirmConfirmation, Command, DenyConfirmation
from soni.du.local.view import View
from soni.du.local.words.words import content, normal, spoken, stem

_DOES: Final = re.compile(
    r"(?P<yes>(?:(?:yes|yeah|yep|yup|yea|ya|sure|ok|okay|alright|right|great|perfect|fine|cool|"
    r"(?:that |it )?(?:sounds|looks) (?:good|great|fine|right)|that's fine)(?: and)? )*)"
    r"(?:(?:please|just|now|then|so|you can|you may|go (?:on|ahead)(?: and)?|do) )*"
    r"(?P<no>(?:don't|dont|do not|never|better not|rather not) )?(?:please )?"
    r"(?P<verb>[a-z]+)"
    r"(?P<what>(?: (?:it|that|this|them|him|her|me|us|those|these|(?:the|my|our) [a-z]+))?)"
    r"(?: (?:over|up|in|off|out|through|down))?"
    r"(?: (?:please|now|then|thanks|thank you|for me|right away|already|yet))*"
)
# Alone these are not said to what would be done, but about it.
_ABOUT: Final = frozenset({
    *("change", "correct", "update", "edit", "fix", "cancel", "stop", "drop", "leave", "move"),
    *("end", "quit", "forget", "repeat", "skip", "switch", "try", "help", "want", "need", "have"),
    *("is", "be", "are", "was", "get", "make", "put", "take", "see", "look", "find", "out"),
})  # fmt: skip


def agreed(message: str, view: View) -> Command | None:
    """The answer to "shall I?" by who says the deed again, and nothing else."""
    match = _DOES.fullmatch(normal(message)) if view.kind == "confirm" and view.is_english else None
    if match is None or not match["what"]:
        return None
    if match["verb"] in _ABOUT and not (match["yes"] and _is_asked(match["verb"], view)):
        return None
    words = _words(view)
    noun = match["what"].split()[1:]
    said = {stem(word, view.lang) for word in (match["verb"], *noun)}
    if not said <= words:
        return None
    return DenyConfirmation() if match["no"] else AffirmConfirmation()


def _prompt(view: View) -> str:
    return normal(str((view.context.asked or {}).get("prompt", "")))


def _is_asked(verb: str, view: View) -> bool:
    return verb in _prompt(view).split()


def _words(view: View) -> frozenset[str]:
    """The words of the question, and of the flow that asks it."""
    flow = view.context.current_flow
    flows = [one for one in view.context.available_flows if one.name == flow]
    texts = [_prompt(view), spoken(flow)]
    texts += [normal(text) for one in flows for text in (one.description, *one.examples)]
    return frozenset().union(*(content(text, view.lang) for text in texts))
