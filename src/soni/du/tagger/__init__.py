"""The tagger that comes with Soni: flows, slots and acts of a message for any assistant.

Imports numpy, so it is imported where it is used.
"""

from soni.du.tagger.moment import Moment, make_moment
from soni.du.tagger.reading import Reading, SlotReading, Span
from soni.du.tagger.tagger import Tagger

__all__ = ["Moment", "Reading", "SlotReading", "Span", "Tagger", "make_moment"]
