"""What a text states that must not change when somebody else words it."""

from soni.core.grounding.check import answer_mistake, find_rewording_mistake

__all__ = ["answer_mistake", "find_rewording_mistake"]
