"""Words: how to compare them, short answers, questions, names of slots and flows.

The lowest folder: imports none of the others.
"""
