"""Who is to be talked to: anybody at all, or somebody that a flow is about."""

from soni.du.context import FlowBrief
from soni.du.local.view import View
from soni.du.local.words.words import content, normal, speak_name
from soni.language import Language


def calls_somebody(message: str, lang: Language) -> bool:
    """Whether a person is called for, whatever else is said: "get me an agent"."""
    people, nobody = lang.pattern("cues.people"), lang.pattern("cues.no_person")
    called = lang.pattern("cues.person").search(message) and not people.search(message)
    return bool(called) and not nobody.search(message)


def flows_about(message: str, view: View) -> list[str]:
    """The flows that are about them: "talk to a therapist" where one can be booked."""
    match = view.lang.pattern("person.talks").search(message)
    who = content(normal(match["who"]), view.lang) if match else frozenset()
    if not who or who & view.lang.words("person.anybody"):
        return []
    return [
        flow.name
        for flow in view.context.available_flows
        if who <= _collect_flow_words(flow, view.lang)
    ]


def _collect_flow_words(flow: FlowBrief, lang: Language) -> frozenset[str]:
    values = [
        form.replace("_", " ")
        for slot in flow.slots
        for value, same in slot.values.items()
        for form in (value, *same)
    ]
    texts = (speak_name(flow.name), flow.description, *flow.examples, *values)
    return frozenset().union(*(content(normal(text), lang) for text in texts))
