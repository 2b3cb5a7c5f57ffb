"""Journals summed up: what people came for, what became of it, and where they got stuck."""
