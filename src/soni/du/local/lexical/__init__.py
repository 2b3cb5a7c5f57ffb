"""A language by its words alone: no model that comes with Soni knows it.

Stands on `answers`, `values` and `words`; `deeds` asks it beside the rules for every language.
"""
