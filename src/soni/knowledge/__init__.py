"""Answers to what users ask beside the flows."""

from soni.core.passages import Passage
from soni.core.protocols import KnowledgeBase
from soni.knowledge.lexical import LexicalKnowledge

__all__ = ["KnowledgeBase", "LexicalKnowledge", "Passage"]
