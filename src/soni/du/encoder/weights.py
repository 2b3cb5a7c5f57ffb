"""Weights: a safetensors file, its matrices quantised to 8 bits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from soni.core.errors import SoniError

Floats = npt.NDArray[np.float32]

_DTYPES = {"I8": "i1", "F16": "<f2", "F32": "<f4", "I64": "<i8"}
_DTYPE_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}
_REMEDY = "Install Soni anew, or run `python tools/encoder.py` in a checkout."

# The file begins with the length of its header, in eight bytes.
_LENGTH_BYTES = 8


class WeightsError(SoniError):
    """A file of the model is missing, damaged or of another kind."""

    @classmethod
    def for_unreadable_file(cls, path: Path, error: OSError) -> "WeightsError":
        """The error of a file that cannot be opened."""
        return cls(f"{path} cannot be read ({error.strerror}). {_REMEDY}")


class Weights:
    """Tensors by name, read from one file when they are asked for."""

    def __init__(self, tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, str]) -> None:
        self._tensors = tensors
        self.about = about

    @classmethod
    def read(cls, path: Path) -> "Weights":
        """Map a file into memory; tensors that are not used are never read from disk."""
        try:
            content = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
            length = int.from_bytes(content[:_LENGTH_BYTES].tobytes(), "little")
            header = json.loads(content[_LENGTH_BYTES : _LENGTH_BYTES + length].tobytes())
            about = header.pop("__metadata__", {})
            raw = content[_LENGTH_BYTES + length :]
            return cls({name: _view_tensor(raw, entry) for name, entry in header.items()}, about)
        except OSError as error:
            raise WeightsError.for_unreadable_file(path, error) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise WeightsError(f"{path} is not a whole file of weights. {_REMEDY}") from error

    def write(self, path: Path) -> None:
        """Write a file for `read`; equal tensors give equal bytes."""
        header: dict[str, Any] = {"__metadata__": dict(sorted(self.about.items()))}
        place = 0
        for name, tensor in sorted(self._tensors.items()):
            end = place + tensor.nbytes
            kind, shape = _DTYPE_NAMES[tensor.dtype], list(tensor.shape)
            header[name] = {"dtype": kind, "shape": shape, "data_offsets": [place, end]}
            place = end
        text = json.dumps(header, separators=(",", ":")).encode()
        # Tensors begin at a multiple of eight, as the format advises.
        text += b" " * (-len(text) % 8)
        # Written beside it first: another process may have the old file mapped.
        beside = path.with_name(f"{path.name}.new")
        with beside.open("wb") as file:
            file.write(len(text).to_bytes(_LENGTH_BYTES, "little") + text)
            for _, tensor in sorted(self._tensors.items()):
                file.write(np.ascontiguousarray(tensor).tobytes())
        beside.replace(path)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        try:
            return self._tensors[name]
        except KeyError:
            known = ", ".join(sorted(self._tensors))
            raise WeightsError(f"There is no tensor {name!r}; there are: {known}.") from None

    def dequantise(self, name: str) -> Floats:
        """A quantised matrix as floats."""
        return scale_rows(self[name], self[f"{name}.scale"])


def _view_tensor(raw: npt.NDArray[np.uint8], entry: Mapping[str, Any]) -> npt.NDArray[Any]:
    begin, end = entry["data_offsets"]
    return raw[begin:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])


def scale_rows(whole: npt.NDArray[Any], scale: npt.NDArray[Any]) -> Floats:
    """Dequantise rows; a row is cut into as many blocks as it has scales."""
    blocks: Floats = whole.reshape(*scale.shape, -1).astype(np.float32)
    blocks *= scale[..., None].astype(np.float32)
    return blocks.reshape(whole.shape)


def softmax(scores: Floats) -> Floats:
    """Softmax along the last axis, which may be empty."""
    likely: Floats = scores - scores.max(axis=-1, keepdims=True, initial=-np.inf)
    np.exp(likely, out=likely)
    likely /= likely.sum(axis=-1, keepdims=True)
    return likely
