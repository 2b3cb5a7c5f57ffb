"""Vectors of the texts that stand for slots, flows and values: an assistant has few, so kept."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Floats
from soni.du.tagger.network import STRETCH

# About 50 MB: the names of every town that a large assistant may be asked about.
_KEPT = 1 << 15
_TOKENS = 48


class Vectors:
    """Encodes a text once, and forgets the ones not used for long. Safe in many threads."""

    def __init__(self, encoder: Encoder, kept: int = _KEPT) -> None:
        self._encoder = encoder
        self._kept = kept
        self._known: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> Floats:
        """A row for each text."""
        if not texts:
            return np.zeros((0, self._encoder.transformer.width), dtype=np.float32)
        with self._lock:
            rows = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in rows]
        if new:
            rows.update(zip(new, self._encoder.encode(new, tokens=_TOKENS) * STRETCH, strict=True))
        with self._lock:
            for text in rows:
                self._known[text] = rows[text]
                self._known.move_to_end(text)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
        return np.array([rows[text] for text in texts], dtype=np.float32)
