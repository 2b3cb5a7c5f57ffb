"""WordPiece: the tokeniser that the sentence model was trained with."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, normalize

# A longer word is unknown: splitting it would be slow and mean little.
_MAX_WORD_LENGTH = 100

# Scripts written without spaces: each ideograph is a word.
_IDEOGRAPHS = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)

# Control, format and private use; unassigned characters are kept.
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Co", "Cs")


class Piece(NamedTuple):
    """A token id and its span in the text."""

    id: int
    start: int
    end: int


class WordPiece:
    """Splits a text into pieces: lower case, no accents, longest match first.

    Equal to BertTokenizer, except that a `[SEP]` written by a user is text.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids: Mapping[str, int] = {piece: number for number, piece in enumerate(vocabulary)}
        self._reach = max(map(len, vocabulary))
        self.start = self._ids["[CLS]"]
        self.stop = self._ids["[SEP]"]
        self.padding = self._ids["[PAD]"]
        self.unknown = self._ids["[UNK]"]

    def split_text(self, text: str) -> list[Piece]:
        """The pieces of a text, without [CLS] and [SEP]."""
        found: list[Piece] = []
        for word in _iter_words(text):
            spelt = "".join(letter for letter, _ in word)
            places = [place for _, place in word]
            found += (
                Piece(number, places[begin], places[end - 1] + 1)
                for number, begin, end in self._split_word(spelt)
            )
        return found

    def encode_text(self, text: str, limit: int) -> list[int]:
        """The token ids with [CLS] and [SEP], at most `limit` of them."""
        inner = [piece.id for piece in self.split_text(text)[: limit - 2]]
        return [self.start, *inner, self.stop]

    def _split_word(self, word: str) -> list[tuple[int, int, int]]:
        whole = [(self.unknown, 0, len(word))]
        if len(word) > _MAX_WORD_LENGTH:
            return whole
        parts = []
        begin = 0
        while begin < len(word):
            part = self._find_longest_piece(word, begin)
            if part is None:
                return whole
            parts.append(part)
            begin = part[2]
        return parts

    def _find_longest_piece(self, word: str, begin: int) -> tuple[int, int, int] | None:
        prefix = "##" if begin else ""
        for end in range(min(len(word), begin + self._reach), begin, -1):
            number = self._ids.get(prefix + word[begin:end])
            if number is not None:
                return number, begin, end
        return None


def _iter_words(text: str) -> Iterator[list[tuple[str, int]]]:
    """The letters of each word, each with its index in the text."""
    word: list[tuple[str, int]] = []
    for place, character in enumerate(text):
        for letter, alone in _spell_character(character):
            if word and (alone or letter == " "):
                yield word
                word = []
            if alone:
                yield [(letter, place)]
            elif letter != " ":
                word.append((letter, place))
    if word:
        yield word


@lru_cache(maxsize=2048)
def _spell_character(character: str) -> tuple[tuple[str, bool], ...]:
    """The normalised letters of a character, and whether each is a word by itself."""
    if character not in "\t\n\r" and (
        character == "\ufffd" or category(character) in _INVISIBLE_CATEGORIES
    ):
        return ()
    if character.isspace():
        return ((" ", False),)
    alone = any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)
    return tuple(
        (small, alone or _is_punctuation(small))
        for letter in normalize("NFD", character)
        if category(letter) != "Mn"
        for small in letter.lower()
    )


def _is_punctuation(letter: str) -> bool:
    # In ASCII also what Unicode calls a symbol: "$", "+", "^".
    if letter.isascii():
        return not letter.isalnum()
    return category(letter)[0] == "P"
