"""Improving an understanding with sentences whose meaning is known."""

from soni.optimize.optimization import Optimization, Optimized

__all__ = ["Optimization", "Optimized"]
