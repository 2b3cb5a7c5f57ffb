"""The flow that a message is most like, by a classifier over the author's texts.

Stands on `values`, to leave them out, and on `words`.
"""
