"""Train the tagger anew, in src/soni/du/encoder/model/, and write docs/model-card.md.

Needs torch beside Soni's own dependencies, two cores, 8 GB of memory and about an hour; reads the
Schema-Guided Dialogue data from `$SONI_BENCH_DATA`, or from ../shared/data beside the checkout.

    pip install torch==2.13.0
    GOMP_SPINCOUNT=0 MALLOC_MMAP_MAX_=0 PYTHONPATH=src:. python -m tools.tagger

The seed fixes what is learnt from and in which order; with another number of threads the weights
differ in their last digits.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from soni.du.encoder.encoder import MODEL_FOLDER, Encoder
from tools.tagger import card, evaluate, export
from tools.tagger.corpus import Corpus
from tools.tagger.train import train

VERSION = "soni-tagger-5"
CARD = Path(__file__).parents[2] / "docs" / "model-card.md"
COMPARED = range(0, 2000, 40)
# Of half A of dev; a message takes longer to read than to learn from.
MEASURED = 3


def main() -> None:
    """Learn, write, check, tell."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--batches", type=int, default=6000)
    options.add_argument("--every", type=int, default=1, help="use every so-manieth dialogue")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--cache", type=Path, help="a folder to keep the prepared data in")
    options.add_argument("--to", type=Path, default=MODEL_FOLDER)
    options.add_argument("--card", type=Path, default=CARD)
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    began = time.time()
    encoder = Encoder.load()
    corpus = Corpus.load(encoder, given.seed, given.every, given.cache)
    print(f"{len(corpus.examples)} messages prepared in {(time.time() - began) / 60:.1f} min")
    network = train(encoder, corpus, given.seed, given.batches, given.threads)
    spent = (time.time() - began) / 60
    data = f"{len(corpus.examples)} messages of SGD train and of invented assistants"
    told = export.about(VERSION, given.seed, data)
    size = export.write(network, given.to, told)
    apart = export.parity(network, encoder, given.to, corpus, COMPARED)
    print(f"{size / 1e6:.1f} MB; probabilities differ by {apart:.3f} at most from those of torch")
    figures = evaluate.run(MEASURED, given.to).told()
    for name, figure in figures.items():
        print(f"{name:28} {figure:.4f}")
    text = card.written(told, figures, size, spent, apart)
    given.card.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
