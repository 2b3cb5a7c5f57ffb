"""A text as the model sees it."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from soni.du.encoder.weights import Floats

_KEPT = 4096


@dataclass(frozen=True)
class Sentence:
    """One vector for the whole of a text, and one for each of its pieces; all of length 1."""

    vector: Floats
    pieces: tuple[int, ...]
    words: Floats
    """In half precision: many are kept."""


Read = Callable[[Sequence[str]], list[Sentence]]


class Sentences:
    """Reads a text once, and forgets the ones not used for long. Safe in many threads."""

    def __init__(self, read: Read, kept: int = _KEPT) -> None:
        self._read = read
        self._kept = kept
        self._known: OrderedDict[str, Sentence] = OrderedDict()
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> list[Sentence]:
        """One for each text."""
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found.update(zip(new, self._read(new), strict=True))
        with self._lock:
            for text in found:
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
        return [found[text] for text in texts]
