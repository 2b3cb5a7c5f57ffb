"""Spanish by words alone: no model that comes with Soni knows the language.

Stands on `answers`, `values` and `words`; `deeds` asks it beside the rules for every language.
"""
