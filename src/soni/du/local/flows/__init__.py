"""Which flow a message is most like, and how sure that is, learnt from what its author wrote.

Stands on `values`, to leave them out, and on `words`.
"""
