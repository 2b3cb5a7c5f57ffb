"""What words stand for: how to compare them, short answers, questions, what a slot is called.

The lowest folder: imports none of the others.
"""
