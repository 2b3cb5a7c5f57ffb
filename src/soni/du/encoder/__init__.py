"""The sentence model that Soni comes with. Imports numpy, so it is imported where it is used."""

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import WeightsError

__all__ = ["Encoder", "WeightsError"]
