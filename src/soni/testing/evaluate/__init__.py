"""Measuring an understanding: sentences with their meaning, and what is made of them."""

from soni.testing.evaluate.curve import Curve
from soni.testing.evaluate.evaluation import Evaluation, Outcome
from soni.testing.evaluate.figures import Figures
from soni.testing.evaluate.probe import EvaluationError
from soni.testing.evaluate.sample import is_held_out

__all__ = ["Curve", "Evaluation", "EvaluationError", "Figures", "Outcome", "is_held_out"]
