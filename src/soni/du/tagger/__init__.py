"""The tagger that Soni comes with: reads a message against any assistant's flows and slots.

Imports numpy, so it is imported where it is used.
"""

from soni.du.tagger.moment import Moment, moment_of
from soni.du.tagger.reading import Reading, SlotReading, Span
from soni.du.tagger.tagger import Tagger

__all__ = ["Moment", "Reading", "SlotReading", "Span", "Tagger", "moment_of"]
