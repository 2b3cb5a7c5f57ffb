"""Rewordable: a sentence that a language model may put into other words."""

import re
from collections.abc import Iterable, Mapping


class Rewordable(str):
    """A sentence as it is said, and as a model reads it: with marks in the place of values.

    What people said and what systems found is never shown to the model, and cannot be changed.
    """

    marked: str
    values: Mapping[str, str]
    """Mark -> what it stands for."""

    @classmethod
    def of(cls, parts: Iterable[str | tuple[str, str]]) -> "Rewordable":
        """Put together from words, and from names with their values."""
        values: dict[str, str] = {}
        said, marked = "", ""
        for part in parts:
            name, shown = part if isinstance(part, tuple) else ("", part)
            said += shown
            marked += _make_mark(name, shown, values) if name else shown
        sentence = cls(said)
        sentence.marked, sentence.values = marked, values
        return sentence

    @property
    def has_words(self) -> bool:
        """Whether anything in it could be said otherwise; a mark that the author wrote forbids it.

        There would be no telling it from one that stands for a value.
        """
        words = fill_marks(self.marked, dict.fromkeys(self.values, ""))
        clear = fill_marks(self.marked, self.values) == str(self)
        return clear and any(map(str.isalpha, words))


def fill_marks(text: str, values: Mapping[str, str]) -> str:
    """The text with every mark replaced once; what replaces it is never read again."""
    if not values:
        return text
    marks = "|".join(re.escape(mark) for mark in sorted(values, key=len, reverse=True))
    return re.sub(marks, lambda found: values[found.group()], text)


def _make_mark(name: str, shown: str, values: dict[str, str]) -> str:
    """The mark of a value; the same name for another value gets a number."""
    spoken = name.strip("_").replace("_", " ")
    number = 1
    while values.setdefault(mark := f"[{spoken}{f' {number}' if number > 1 else ''}]", shown) != (
        shown
    ):
        number += 1
    return mark
