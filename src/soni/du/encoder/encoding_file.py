"""EncodingFile: an assistant's encoded texts, kept from one start to the next."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import structlog

from soni.du.encoder.sentence import Sentence
from soni.du.encoder.weights import Floats, Weights, WeightsError

FILE_NAME: Final = "encodings.safetensors"
_FORMAT: Final = "1"
_KEY_BYTES: Final = 16

_log = structlog.get_logger("soni.understand")

Key = bytes
"""What stands for a text in the file: its digest. The file holds no text."""


@dataclass(frozen=True)
class Encodings:
    """Encoded texts by their keys: as the flows are compared with, and as the tagger sees them."""

    sentences: Mapping[Key, Sentence] = field(default_factory=dict)
    vectors: Mapping[Key, Floats] = field(default_factory=dict)


class EncodingFile:
    """A file of encodings by one version of the models.

    It is only a cache: one that is damaged, or by other models, is the same as none, and one that
    cannot be written is done without.
    """

    def __init__(self, path: Path, models: str) -> None:
        """`models`: the version of the models; others encode differently."""
        self._path = path
        self._about = {"format": _FORMAT, "models": models}

    def load(self) -> Encodings:
        """What is stored; nothing, if there is no whole file of these models."""
        try:
            stored = Weights.read(self._path)
            if {**stored.about, "digest": ""} != {**self._about, "digest": ""}:
                return Encodings()
            # Copied: a file that stays mapped could not be replaced on Windows.
            tensors = {name: np.array(stored[name]) for name in _TENSORS}
            if stored.about.get("digest") != _hash_tensors(tensors):
                raise WeightsError(f"{self._path} is damaged")
            return _read_tensors(tensors)
        except (WeightsError, TypeError, ValueError):  # whatever stands in a file of others
            return Encodings()

    def store(self, encodings: Encodings) -> None:
        """Replace what is stored, in one step: who reads it meanwhile sees the old file."""
        tensors = _make_tensors(encodings)
        weights = Weights(tensors, {**self._about, "digest": _hash_tensors(tensors)})
        # Another process may be doing the same.
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            weights.write(beside)
            beside.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            _log.warning("encodings_not_kept", reason=error.strerror)


def make_key(text: str) -> Key:
    """What stands for a text in the file."""
    said = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=_KEY_BYTES).digest()


_TENSORS = ("keys", "lengths", "pieces", "sentences", "titles", "vectors", "words")


def _make_tensors(encodings: Encodings) -> dict[str, npt.NDArray[Any]]:
    sentences = list(encodings.sentences.values())
    return {
        "keys": _join_keys(encodings.sentences),
        "sentences": _stack([one.vector for one in sentences], np.float32),
        "lengths": np.array([len(one.pieces) for one in sentences], dtype=np.int64),
        "pieces": np.array([piece for one in sentences for piece in one.pieces], dtype=np.int64),
        "words": _stack([row for one in sentences for row in one.words], np.float16),
        "titles": _join_keys(encodings.vectors),
        "vectors": _stack(list(encodings.vectors.values()), np.float32),
    }


def _read_tensors(tensors: Mapping[str, npt.NDArray[Any]]) -> Encodings:
    ends = np.cumsum(tensors["lengths"]).tolist()
    pieces, words = tensors["pieces"].tolist(), tensors["words"]
    sentences = {
        key: Sentence(vector, tuple(pieces[begin:end]), words[begin:end])
        for key, vector, begin, end in zip(
            _read_keys(tensors["keys"]), tensors["sentences"], [0, *ends], ends, strict=False
        )
    }
    return Encodings(
        sentences, dict(zip(_read_keys(tensors["titles"]), tensors["vectors"], strict=True))
    )


def _join_keys(keys: Iterable[Key]) -> npt.NDArray[np.int8]:
    return np.frombuffer(b"".join(keys), dtype=np.int8).reshape(-1, _KEY_BYTES)


def _read_keys(rows: npt.NDArray[Any]) -> list[Key]:
    return [row.tobytes() for row in rows]


def _stack(rows: list[Any], dtype: type[np.floating[Any]]) -> npt.NDArray[Any]:
    return np.array(rows, dtype=dtype).reshape(len(rows), -1) if rows else np.zeros((0, 0), dtype)


def _hash_tensors(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.blake2b(digest_size=_KEY_BYTES)
    for name in _TENSORS:
        digest.update(f"{name} {tensors[name].shape}".encode())
        digest.update(np.ascontiguousarray(tensors[name]).data)
    return digest.hexdigest()
