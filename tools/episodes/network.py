"""The sentence model as torch tunes it: layers that stay, computed once, and layers that learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Floats
from tools.episodes.draw import NONE, Episode
from tools.tagger.network import NEVER, Layer, precision

# Messages are cut as they are when an assistant reads its examples.
TOKENS = 48
# Texts of like length are read together, so that little is padded.
BATCH = 48
TEMPERATURE, NO_FLOW = 15.0, 6.0
SMOOTHING = 0.05


class Network(nn.Module):
    """The last layers, and how a score is made of cosines."""

    def __init__(self, encoder: Encoder, tuned: int) -> None:
        super().__init__()
        self._encoder = encoder
        known = [Layer.like(one) for one in encoder.transformer.layers]
        self.first = len(known) - tuned
        # Not modules of this one: they do not learn.
        self._below = known[: self.first]
        self.layer = nn.ModuleList(known[self.first :])
        self.temperature = nn.Parameter(torch.tensor(TEMPERATURE))
        self.none = nn.Parameter(torch.tensor(NO_FLOW))
        self._known: dict[str, Tensor] = {}

    def remember_texts(self, texts: Sequence[str]) -> None:
        """Compute what the layers that stay make of texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        split = {text: self._encoder.wordpiece.encode_text(text, TOKENS) for text in new}
        with torch.inference_mode(), precision():
            for some in iter_batches(new, [len(split[text]) for text in new]):
                ids = [split[text] for text in some]
                longest = max(map(len, ids))
                padded = np.array([one + [0] * (longest - len(one)) for one in ids])
                hidden = torch.from_numpy(self._encoder.transformer.embed_tokens(padded))
                barred = _bar_padding([len(one) for one in ids])
                for layer in self._below:
                    hidden = layer(hidden, barred)
                for text, one, row in zip(some, ids, hidden, strict=True):
                    self._known[text] = row[: len(one)].to(torch.bfloat16).clone()

    def encode(self, texts: Sequence[str]) -> Tensor:
        """Unit vectors of texts, in their order."""
        self.remember_texts(texts)
        found: dict[str, Tensor] = {}
        every = list(dict.fromkeys(texts))
        for some in iter_batches(every, [len(self._known[text]) for text in every]):
            rows = [self._known[text] for text in some]
            lengths = [len(row) for row in rows]
            hidden = nn.utils.rnn.pad_sequence(rows, batch_first=True).float()
            with precision():
                for layer in self.layer:
                    hidden = layer(hidden, _bar_padding(lengths))
            seen = _see_tokens(lengths)[..., None]
            mean = (hidden.float() * seen).sum(1) / seen.sum(1)
            found.update(zip(some, F.normalize(mean, dim=1), strict=True))
        return torch.stack([found[text] for text in texts])

    def encode_plainly(self, texts: Sequence[str]) -> Floats:
        """The same as numbers to measure with."""
        with torch.inference_mode():
            vectors: Floats = self.encode(texts).numpy()
        return vectors

    def score_episodes(self, episodes: Sequence[Episode]) -> list[Tensor]:
        """Of each episode a row for each query: none first, then its flows."""
        texts = list(dict.fromkeys(text for one in episodes for text in one.list_texts()))
        vectors = self.encode(texts)
        places = {text: place for place, text in enumerate(texts)}
        return [self._score_queries(one, vectors, places) for one in episodes]

    def _score_queries(self, episode: Episode, vectors: Tensor, places: dict[str, int]) -> Tensor:
        asked = vectors[[places[text] for text, _ in episode.queries]]
        scores = []
        for texts in episode.flows:
            own = vectors[[places[text] for text in texts]]
            mean = F.normalize(own.mean(0), dim=0)
            scores.append((asked @ mean + (asked @ own.T).amax(1)) / 2)
        flows = self.temperature * torch.stack(scores, dim=1)
        return torch.cat([self.none.expand(len(asked), 1), flows], dim=1)

    def compute_loss(self, episodes: Sequence[Episode]) -> Tensor:
        """How far the scores are from what was meant, over all queries."""
        losses = [
            F.cross_entropy(scores, make_targets(one), reduction="sum", label_smoothing=SMOOTHING)
            for scores, one in zip(self.score_episodes(episodes), episodes, strict=True)
        ]
        return torch.stack(losses).sum() / sum(len(one.queries) for one in episodes)


def make_targets(episode: Episode) -> Tensor:
    """The column of what each query wants."""
    return torch.tensor([place - NONE for _, place in episode.queries])


def iter_batches(texts: Sequence[str], lengths: Sequence[int]) -> Iterator[list[str]]:
    """Texts of like length together."""
    order = sorted(range(len(texts)), key=lengths.__getitem__)
    for start in range(0, len(order), BATCH):
        yield [texts[place] for place in order[start : start + BATCH]]


def _see_tokens(lengths: Sequence[int]) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def _bar_padding(lengths: Sequence[int]) -> Tensor:
    return torch.where(_see_tokens(lengths), 0.0, NEVER)[:, None, None]
