"""Values that a message gives to slots, found without a model.

Stands on `values` and `words`.
"""
