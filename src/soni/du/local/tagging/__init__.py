"""From what the tagger has read to values and commands.

Stands on `words`; knows no rule of `values`.
"""
