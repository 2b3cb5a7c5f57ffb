"""A yes that is none yet: "not yes", "sure, once I say so"."""

import re
from typing import Final

_NOT_YES: Final = re.compile(
    r"\b(?:not|never|no)\s+(?:an?\s+)?(?:yes|yeah|yep|ok|okay|sure|yet)\b|"
    r"\bno\s+(?:un\s+)?s[ií]\b|\btodav[ií]a\s+no\b",
    re.IGNORECASE,
)
_PROVIDED: Final = re.compile(
    r"\b(?:if|unless|until|till|once|as soon as|provided|on condition|after|when)\s+"
    r"(?:i|i'm|i've|my|we|our|she|he|they|hell|pigs)\b|"
    r"\b(?:si|cuando|en cuanto|hasta que|a menos que|siempre que)\s+(?:yo|lo|te|mi)\b",
    re.IGNORECASE,
)
# "Yes. When I get home, what do I do?" agrees, and then asks.
_ASKS: Final = re.compile(r"\?\s*$")


def is_reserved(text: str) -> bool:
    """Whether words that sound like a yes take it back, or wait for something."""
    if _NOT_YES.search(text):
        return True
    return _PROVIDED.search(text) is not None and _ASKS.search(text) is None
