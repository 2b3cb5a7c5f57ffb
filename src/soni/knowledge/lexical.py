"""LexicalKnowledge: an assistant's own entries, found by their words."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from soni.config.definitions import KnowledgeEntry
from soni.core.protocols import Passage
from soni.core.texts import list_variations
from soni.knowledge.index import Index
from soni.language import get_base_language, list_language_codes

# Questions inside a flow are most often about that flow.
_OWN_FLOW_BOOST: Final = 1.25

# An entry that fits much less than the best one is about something else.
_MIN_SHARE_OF_BEST: Final = 0.8


class LexicalKnowledge:
    """Searches entries by words, without model or network. Indexes are built on first use."""

    def __init__(self, entries: Iterable[KnowledgeEntry]) -> None:
        self._entries = tuple(entries)
        self._ids = [entry.id for entry in self._entries]
        texts = [text for entry in self._entries for text in (entry.question, entry.answer)]
        self._written = {name for text in texts if isinstance(text, dict) for name in text}
        self._indexes: dict[str, Index] = {}

    async def search(
        self, question: str, *, language: str, flows: Sequence[str] = (), limit: int = 5
    ) -> list[Passage]:
        """Entries that answer a question, best first.

        Entries of a flow are found only in that flow, and rank before general ones.
        """
        if not self._entries:
            return []
        spoken = self._choose_language(language)
        if spoken not in self._indexes:
            # Indexing thousands of entries takes time, and must not block other conversations.
            self._indexes[spoken] = await asyncio.to_thread(self._build_index, spoken)
        ranked: list[tuple[float, bool, int]] = []
        for found in self._indexes[spoken].search(question):
            entry = self._entries[found.entry]
            if entry.flow is None or entry.flow in flows:
                score = found.score * (_OWN_FLOW_BOOST if entry.flow is not None else 1.0)
                ranked.append((-score, entry.when is None, found.entry))
        ranked.sort()
        best = ranked[0][0] * _MIN_SHARE_OF_BEST if ranked else 0.0
        return [Passage(self._ids[at], -low) for low, _, at in ranked[:limit] if low <= best]

    def _choose_language(self, language: str) -> str:
        """The language of the index: one that the entries or the language files have."""
        base = get_base_language(language)
        known = self._written | list_language_codes()
        return next((name for name in (language, base) if name in known), "")

    def _build_index(self, language: str) -> Index:
        return Index(
            (
                (list_variations(entry.question, language), list_variations(entry.answer, language))
                for entry in self._entries
            ),
            language,
        )
