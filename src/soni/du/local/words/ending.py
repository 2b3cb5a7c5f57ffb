"""What somebody has and needs no more, and the flows that end such a thing."""

from soni.du.context import FlowBrief
from soni.language import Language


def needs_no_more(message: str, lang: Language) -> bool:
    """ "I won't be needing the car I reserved": and nothing in its place."""
    said = message.replace("\u2019", "'")
    given_up = lang.pattern("ending.no_more").search(said)
    return given_up is not None and lang.pattern("ending.instead").search(said) is None


def is_ending(flow: FlowBrief, lang: Language) -> bool:
    """Whether a flow is there to end what somebody has."""
    texts = (flow.name.replace("_", " "), flow.description, *flow.examples)
    ends = lang.pattern("ending.ends")
    return any(ends.search(text.replace("\u2019", "'")) for text in texts)
