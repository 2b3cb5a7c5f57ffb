"""Yes and no in more words than one."""

from soni.du.local.lexical.stems import fold
from soni.language import Language


def agrees(message: str, lang: Language) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    said = fold(message)
    if lang.pattern("lexical_assent.no").fullmatch(said):
        return False
    return True if lang.pattern("lexical_assent.yes").fullmatch(said) else None
