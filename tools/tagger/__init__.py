"""Trains the tagger: `python -m tools.tagger --help`."""
