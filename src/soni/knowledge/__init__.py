"""Answers to what users ask beside the flows."""

from soni.core.protocols import KnowledgeBase, Passage
from soni.knowledge.lexical import LexicalKnowledge

__all__ = ["KnowledgeBase", "LexicalKnowledge", "Passage"]
