"""Values as people say them, of every kind, whatever was asked: days, numbers, choices, people.

Stands on `words`.
"""
