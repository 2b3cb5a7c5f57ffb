"""An answer in free words: a name or a place, without what only leads to it."""

from soni.language import Language, find_language


def strip_lead(message: str, language: str) -> str:
    """An answer in free words, without what only leads to it."""
    lang = find_language(language)
    bare = without_closing(message, lang)
    lead = lang.pattern("lead.before").match(bare)
    end = lead.end() if lead else 0
    rest = bare[end:].strip()
    if len(rest) < 2 or (end and _is_title(bare, end, lang)):
        return bare
    return rest.strip(' "“”')


def without_closing(message: str, lang: Language) -> str:
    """A message without what people put behind an answer: "please", "I think"."""
    return lang.pattern("lead.after").sub("", message.strip())


def _is_title(text: str, end: int, lang: Language) -> bool:
    """Whether what seems to lead to a name is its beginning: "Call of Duty"."""
    match = lang.pattern("lead.title", cased=True).match(text)
    return match is not None and match.end() <= end
