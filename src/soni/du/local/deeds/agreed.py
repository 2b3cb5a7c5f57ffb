"""A yes or no in the words of what would be done: "yup, send it", "don't book it"."""

from soni.commands import AffirmConfirmation, Command, DenyConfirmation
from soni.du.local.view import View
from soni.du.local.words.words import content, normal, speak_name, stem_plural


def find_agreement(message: str, view: View) -> Command | None:
    """The answer to "shall I?" by who says the deed again, and nothing else."""
    if view.kind != "confirm" or not view.has_models:
        return None
    match = view.lang.pattern("consent.deed_again").fullmatch(normal(message))
    if match is None or not match["what"]:
        return None
    about = match["verb"] in view.lang.words("consent.about_it")
    if about and not (match["yes"] and _is_asked(match["verb"], view)):
        return None
    words = _collect_question_words(view)
    noun = match["what"].split()[1:]
    said = {stem_plural(word, view.lang) for word in (match["verb"], *noun)}
    if not said <= words:
        return None
    return DenyConfirmation() if match["no"] else AffirmConfirmation()


def _prompt(view: View) -> str:
    return normal(str((view.context.asked or {}).get("prompt", "")))


def _is_asked(verb: str, view: View) -> bool:
    return verb in _prompt(view).split()


def _collect_question_words(view: View) -> frozenset[str]:
    """The words of the question, and of the flow that asks it."""
    flow = view.context.current_flow
    flows = [one for one in view.context.available_flows if one.name == flow]
    texts = [_prompt(view), speak_name(flow)]
    texts += [normal(text) for one in flows for text in (one.description, *one.examples)]
    return frozenset().union(*(content(text, view.lang) for text in texts))
