"""Knowledge: answers to what users ask beside the flows."""

from hashlib import blake2b

from soni.config.base import Config
from soni.core.texts import Text


class KnowledgeEntry(Config):
    """One answer and the questions that it answers."""

    question: Text
    """One way to ask, or several, or either per language."""

    answer: Text
    """What is said; `{name}` is replaced as in every text."""

    flow: str | None = None
    """Only while this flow, or one that it called, is running; then before general entries."""

    when: str | None = None
    """Only while this holds."""

    @property
    def id(self) -> str:
        """The same as long as the entry is: a store elsewhere may remember it."""
        content = self.model_dump_json().encode("utf-8", "surrogatepass")
        return blake2b(content, digest_size=8).hexdigest()
