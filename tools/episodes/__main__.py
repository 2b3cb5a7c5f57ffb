"""Tune vectors to choose flows by, write them with their model card, and measure them.

    pip install torch==2.13.0
    GOMP_SPINCOUNT=0 PYTHONPATH=src:. python -m tools.episodes learn --to FOLDER
    PYTHONPATH=src:. python -m tools.episodes measure --of FOLDER

Reads the data from `$SONI_BENCH_DATA`, or from ../shared/data beside the checkout, and the
businesses of tools/tagger. The seed fixes what is learnt from and in which order.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from soni.du.encoder.encoder import Encoder
from tools.episodes.sources import READERS

VERSION = "soni-flows-1"
CARD = "flow-model-card.md"


def main() -> None:
    """Learn or measure."""
    given = make_parser().parse_args()
    if given.verb == "learn":
        learn(given)
    else:
        measure(given)


def make_parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = options.add_subparsers(dest="verb", required=True)
    learning = verbs.add_parser("learn", help="tune, write and tell")
    learning.add_argument("--without", action="append", default=[], choices=tuple(READERS))
    learning.add_argument("--layers", type=int, default=3, help="how many of the last layers")
    learning.add_argument("--near", action="store_true", help="intents that are alike together")
    learning.add_argument("--steps", type=int, default=420)
    learning.add_argument("--seed", type=int, default=7)
    learning.add_argument("--mixed", type=float, default=1.0, help="the share of what was tuned")
    learning.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    learning.add_argument("--threads", type=int, default=1)
    measuring = verbs.add_parser("measure", help="tell how well flows are chosen by vectors")
    measuring.add_argument("--of", type=Path, nargs="*", default=[], help="folders of layers")
    measuring.add_argument("--mixed", type=float, nargs="*", default=[1.0], help="shares of them")
    return options


def learn(given: argparse.Namespace) -> None:
    """Tune, write, compare, tell."""
    import torch

    from tools.episodes import export
    from tools.episodes.card import write_card
    from tools.episodes.train import Options, draw_exam, format_figures, measure_exam, train

    torch.set_num_threads(given.threads)
    encoder, exam = Encoder.load(), draw_exam()
    chosen = Options(tuple(given.without), given.layers, given.near, given.steps, given.seed)
    network, figures = train(encoder, chosen, lambda line: print(line, flush=True))
    if given.mixed < 1:
        export.mix_layers(network, encoder, given.mixed)
        figures |= measure_exam(network, exam)
    learnt = ["businesses", *(name for name in READERS if name not in given.without)]
    told = {"seed": given.seed, "mixed": given.mixed, "data": " ".join(learnt)}
    about = export.describe_model(VERSION, network, told)
    figures["size"] = export.write_layers(network, given.to, about) / 1e6
    texts = [text for one in exam[:5] for text in one.list_texts()]
    figures["near"] = export.compare_file(network, encoder, given.to, texts)
    print(format_figures(figures))
    (given.to / CARD).write_text(write_card(about, figures), encoding="utf-8")


def measure(given: argparse.Namespace) -> None:
    """Print shares, never a sentence: of the shipped vectors, and of those of each folder."""
    from tools.episodes.measure import load_encode, measure_all

    pairs = [(None, 0.0), *((folder, share) for folder in given.of for share in given.mixed)]
    for folder, share in pairs:
        print(f"{folder or 'shipped'} {share:g}", flush=True)
        for name, figure in measure_all(load_encode(folder, share)).items():
            print(f"  {name:24} {figure:.4f}", flush=True)


if __name__ == "__main__":
    main()
