"""Dialogue acts: agreeing, cancelling, resuming, asking for a person, small talk."""
