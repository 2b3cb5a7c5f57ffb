"""Sentence: an encoded text, and a cache of them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock

from soni.du.encoder.weights import Floats

# About 100 MB: a thousand flows of a dozen texts each.
_MAX_PIECES = 1 << 17


@dataclass(frozen=True)
class Sentence:
    """A unit vector for a text, and one for each of its pieces."""

    vector: Floats
    pieces: tuple[int, ...]
    words: Floats
    """In half precision, since many are cached."""


EncodeTexts = Callable[[Sequence[str]], list[Sentence]]


class SentenceCache:
    """An LRU cache of encoded texts. Thread-safe."""

    def __init__(self, read: EncodeTexts, kept: int = _MAX_PIECES) -> None:
        """`kept`: the most pieces, of all texts together; the vector of a text counts as one."""
        self._read = read
        self._room = kept
        self._known: OrderedDict[str, Sentence] = OrderedDict()
        self._coming: dict[str, Future[Sentence]] = {}
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> list[Sentence]:
        """One for each text. A text that another thread is encoding is waited for."""
        found: dict[str, Sentence] = {}
        mine: dict[str, Future[Sentence]] = {}
        theirs: dict[str, Future[Sentence]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text in self._known:
                    found[text] = self._known[text]
                    self._known.move_to_end(text)
                elif text in self._coming:
                    theirs[text] = self._coming[text]
                else:
                    mine[text] = self._coming[text] = Future()
        # Encode before waiting: two threads that wait for each other would deadlock.
        found |= self._encode_missing(mine)
        found |= {text: coming.result() for text, coming in theirs.items()}
        return [found[text] for text in texts]

    def add(self, known: Mapping[str, Sentence]) -> None:
        """Take in texts that were encoded before, by the same model."""
        with self._lock:
            self._keep({text: one for text, one in known.items() if text not in self._known})

    def _encode_missing(self, asked: Mapping[str, "Future[Sentence]"]) -> dict[str, Sentence]:
        if not asked:
            return {}
        try:
            new = dict(zip(asked, self._read(list(asked)), strict=True))
        except BaseException as error:
            self._store_results(asked, {})
            for coming in asked.values():
                coming.set_exception(error)
            raise
        self._store_results(asked, new)
        for text, coming in asked.items():
            coming.set_result(new[text])
        return new

    def _store_results(self, asked: Mapping[str, object], new: Mapping[str, Sentence]) -> None:
        with self._lock:
            for text in asked:
                del self._coming[text]
            self._keep(new)

    def _keep(self, new: Mapping[str, Sentence]) -> None:
        for text, sentence in new.items():
            self._known[text] = sentence
            self._room -= _count_pieces(sentence)
        while self._room < 0:
            self._room += _count_pieces(self._known.popitem(last=False)[1])


def _count_pieces(sentence: Sentence) -> int:
    return 1 + len(sentence.pieces)
