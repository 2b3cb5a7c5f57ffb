"""Which flow a message wants, and the values that it brings for it."""
