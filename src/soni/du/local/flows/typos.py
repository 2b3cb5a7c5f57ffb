"""Words of a message that are misspelt words of the flows."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

_WORD = re.compile(r"[^\W\d_]+")
# Of three letters, any two words are alike.
_MIN_LENGTH = 4


class Typos:
    """The words that flows are told with, and how people may miss them by a letter."""

    def __init__(self, texts: Iterable[str]) -> None:
        words = {word for text in texts for word in _WORD.findall(text.casefold())}
        self._words = {word for word in words if len(word) >= _MIN_LENGTH}
        # Every word is found by what is left of it when a letter is left out.
        self._left: defaultdict[str, set[str]] = defaultdict(set)
        for word in self._words:
            for rest in _iter_deletions(word):
                self._left[rest].add(word)

    def correct_message(self, message: str, known: Callable[[str], bool]) -> str:
        """The message with words that are not known replaced by the only word they can be."""

        def right(found: re.Match[str]) -> str:
            word = found[0].casefold()
            if len(word) < _MIN_LENGTH or word in self._words or known(word):
                return found[0]
            meant = self._find_near_words(word)
            return meant.pop() if len(meant) == 1 else found[0]

        return _WORD.sub(right, message)

    def _find_near_words(self, word: str) -> set[str]:
        near = {one for rest in _iter_deletions(word) for one in self._left.get(rest, ())}
        return {one for one in near if _is_one_letter_off(word, one)}


def _iter_deletions(word: str) -> Iterator[str]:
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def _is_one_letter_off(one: str, other: str) -> bool:
    """Whether a letter is missing, too many, another, or has changed places with the next."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
