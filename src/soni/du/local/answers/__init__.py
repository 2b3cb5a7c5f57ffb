"""What a message gives to the slots of this moment, told without a model.

Stands on `values` and `words`.
"""
