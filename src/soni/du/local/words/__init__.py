"""Words and what they stand for: how to compare them, short answers, cues, what a slot is called.

The lowest folder: imports none of the others.
"""
