"""Rewordable: a sentence that a language model may reword."""

import re
from collections.abc import Iterable, Mapping


class Rewordable(str):
    """A sentence, together with the form that a model reads: values replaced by marks.

    The model never sees what users said or actions returned, and cannot change it.
    """

    marked: str
    values: Mapping[str, str]
    """Mark -> what it stands for."""

    @classmethod
    def from_parts(cls, parts: Iterable[str | tuple[str, str]]) -> "Rewordable":
        """Build a sentence from texts and from names with their values."""
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
        """Whether there is anything to reword.

        False if the author's text contains a mark, which would be mistaken for a value.
        """
        words = fill_marks(self.marked, dict.fromkeys(self.values, ""))
        clear = fill_marks(self.marked, self.values) == str(self)
        return clear and any(map(str.isalpha, words))


def fill_marks(text: str, values: Mapping[str, str]) -> str:
    """The text with every mark replaced by its value, in one pass."""
    if not values:
        return text
    marks = "|".join(re.escape(mark) for mark in sorted(values, key=len, reverse=True))
    return re.sub(marks, lambda found: values[found.group()], text)


def _make_mark(name: str, shown: str, values: dict[str, str]) -> str:
    """The mark of a value; a name with several values gets a number."""
    spoken = name.strip("_").replace("_", " ")
    number = 1
    while values.setdefault(mark := f"[{spoken}{f' {number}' if number > 1 else ''}]", shown) != (
        shown
    ):
        number += 1
    return mark
