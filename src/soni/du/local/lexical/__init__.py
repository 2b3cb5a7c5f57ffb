"""Understanding by words alone, for languages that the models do not know.

Stands on `answers`, `values` and `words`; `intents` and `corrections` ask it too.
"""
