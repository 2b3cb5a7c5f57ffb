"""The trained network as a file of eight-bit weights, and how near it is to what was trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Weights, softmax
from soni.du.tagger.moment import FLOW_FLAGS, SLOT_FLAGS
from soni.du.tagger.network import NetworkOutput
from soni.du.tagger.tagger import PAIR_FLAGS, TAGGER_FILE, Tagger
from tools.tagger.batches import Batch
from tools.tagger.corpus import Corpus
from tools.tagger.examples import ACTS
from tools.tagger.network import Network

BLOCK = 64
THRESHOLDS = (
    "inform=0.5 asked=0.35 counted=0.005 dontcare=0.4 requested=0.6 carried=0.3 "
    "carried_optional=0.9"
)


def tensors(state: Mapping[str, torch.Tensor]) -> dict[str, npt.NDArray[Any]]:
    """By the names the runtime has for them; matrices in whole numbers with scales."""
    given: dict[str, npt.NDArray[Any]] = {}
    for name, tensor in state.items():
        array = tensor.detach().float().numpy()
        if array.ndim == 1:
            given[name] = array
        else:
            whole, scale = quantised(array)
            short = name.removesuffix(".weight")
            given[short], given[f"{short}.scale"] = whole, scale
    return given


def quantised(array: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Whole numbers from -127 to 127, and a scale for each block of a row."""
    width = array.shape[1]
    block = next(size for size in range(min(BLOCK, width), 0, -1) if width % size == 0)
    blocks = array.reshape(len(array), -1, block)
    scale = (np.abs(blocks).max(axis=2) / 127).astype(np.float16)
    # A block of zeros is zeros by any scale.
    scale[scale == 0] = 1
    whole = np.rint(blocks / scale[..., None].astype(np.float32)).clip(-127, 127)
    return whole.astype(np.int8).reshape(array.shape), scale


def about(version: str, seed: int, data: str) -> dict[str, str]:
    """What the file says of itself."""
    flags = (len(SLOT_FLAGS), len(FLOW_FLAGS), len(PAIR_FLAGS))
    return {
        "version": version,
        "seed": str(seed),
        "data": data,
        "acts": " ".join(ACTS),
        "flags": " ".join(map(str, flags)),
        "thresholds": THRESHOLDS,
        "license": "Apache-2.0 (model it was tuned from), CC BY-SA 4.0 (data it has learnt from)",
    }


def write(network: Network, to: Path, told: Mapping[str, str]) -> int:
    """The file and its checksum beside the others; how many bytes it has."""
    Weights(tensors(network.state_dict()), told).write(to / TAGGER_FILE)
    content = (to / TAGGER_FILE).read_bytes()
    sums = to / "SHA256SUMS"
    lines = sums.read_text(encoding="utf-8").splitlines() if sums.is_file() else []
    kept = [line for line in lines if not line.endswith(f"  {TAGGER_FILE}")]
    kept.append(f"{sha256(content).hexdigest()}  {TAGGER_FILE}")
    sums.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return len(content)


def parity(
    network: Network, encoder: Encoder, to: Path, corpus: Corpus, places: Sequence[int]
) -> float:
    """The largest difference of probabilities of slots, flows and acts, file against network."""
    tagger = Tagger.load(encoder, to)
    worst = 0.0
    for place in places:
        batch = Batch(corpus, np.array([place]), Still())
        with torch.inference_mode():
            said = network.eval()(batch.tensors)
        answer = _answer(tagger, batch)
        exact = said["status"][0, : len(answer.status), :3].softmax(-1).numpy()
        worst = max(worst, float(np.abs(exact - softmax(answer.status[:, :3])).max(initial=0)))
        flows = said["flows"][0].softmax(-1).numpy()
        worst = max(worst, float(np.abs(flows - softmax(answer.flows)).max()))
    return worst


class Still:
    """Dice that never change an example."""

    def random(self, size: int | None = None) -> Any:
        """Never small enough for a change."""
        return 1.0 if size is None else np.ones(size)

    def choice(self, options: Sequence[float]) -> float:
        """The first: no change."""
        return options[0]

    def permutation(self, given: Any) -> Any:
        """As it was."""
        return given


def _answer(tagger: Tagger, batch: Batch) -> NetworkOutput:
    from soni.du.tagger.network import MomentArrays

    given = batch.given
    asked = MomentArrays(
        slots=given["slots"][0],
        homes=given["homes"][0],
        slot_flags=given["slot_flags"][0],
        choices=given["choices"],
        choice_flags=given["choice_flags"],
        choice_slots=given["choice_slots"],
        flows=given["flows"][0],
        flow_flags=given["flow_flags"][0],
        flags=given["turn"][0],
    )
    first = int(given["spoken"][0].argmax())
    return tagger._network(given["hidden"][0], given["shapes"][0], first, asked)
