"""Grounding: a text by a language model must state the same facts as its source."""

from soni.core.grounding.check import find_answer_mistake, find_rewording_mistake

__all__ = ["find_answer_mistake", "find_rewording_mistake"]
