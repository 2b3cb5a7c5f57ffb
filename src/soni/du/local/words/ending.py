"""What somebody has and needs no more, and the flows that end such a thing."""

import re
from typing import Final

from soni.du.context import FlowBrief

_NEED: Final = r"(?:need(?:ing|ed)?|want(?:ed)?|us(?:e|ing)|require)"
_NOT: Final = r"(?:\bnot|n't|\b(?:wo|do|does|is|are)nt)"
_ADVERBS: Final = r"(?: (?:really|actually|be|going|gonna|to|even|now))*"
_OWN: Final = r"(?:the|my|our|it|that|this|them|those|these)"
_NO_MORE: Final = re.compile(
    rf"(?:{_NOT}|\bno longer){_ADVERBS} {_NEED}\b(?:"
    # "I won't need child seats" tells how something is to be, not that it is given up.
    rf"(?<=needing)(?= {_OWN}\b)|[^.;!?]*\b(?:any ?more|any longer|after all)\b|"
    r"[^,.;!?]*\b(?:booked|reserved|ordered)\b)|"
    rf"\bno longer{_ADVERBS} {_NEED}\b|\bwo(?:n'?t| not) need {_OWN}\b",
    re.IGNORECASE,
)
# Beside a new wish it only tells what that is not.
_INSTEAD: Final = re.compile(r"\b(?:instead|but|only|rather|just|what i)\b", re.IGNORECASE)
_ENDS: Final = re.compile(
    r"\b(?:cancel\w*|clos(?:e|ing)|stop|end|terminate|delete|remove|unsubscribe|call off|"
    r"withdraw|give up|get rid)\b|(?:n't|not|no longer) (?:need|want)",
    re.IGNORECASE,
)


def needs_no_more(message: str) -> bool:
    """ "I won't be needing the car I reserved": and nothing in its place."""
    said = message.replace("\u2019", "'")
    return _NO_MORE.search(said) is not None and _INSTEAD.search(said) is None


def is_ending(flow: FlowBrief) -> bool:
    """Whether a flow is there to end what somebody has."""
    texts = (flow.name.replace("_", " "), flow.description, *flow.examples)
    return any(_ENDS.search(text.replace("\u2019", "'")) for text in texts)
