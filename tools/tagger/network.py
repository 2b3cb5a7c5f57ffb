"""The tagger as torch trains it; soni.du.tagger.network is the same in numpy."""

from __future__ import annotations

from math import sqrt
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.transformer import HEADS
from soni.du.encoder.transformer import Layer as Known
from soni.du.tagger.moment import CHOICE_FLAGS, FLOW_FLAGS, SLOT_FLAGS, TURN_FLAGS
from soni.du.tagger.network import _WIDTHS, ATTENTION_WIDTH, JOINT_LAYERS, PAIR_WIDTH, TUNED_LAYERS
from soni.du.tagger.tagger import PAIR_FLAGS
from soni.du.tagger.tokens import SHAPE_NAMES
from tools.tagger.examples import ACTS

WIDTH = 384
ELEMENT = 192
NEVER = -1e4


def precision() -> torch.autocast:
    """Numbers of half the width where the processor has units for them.

    Elsewhere they are emulated, and take twenty times as long as whole ones.
    """
    has_units = torch.cpu._is_avx512_bf16_supported()
    return torch.autocast("cpu", torch.bfloat16, enabled=has_units)


class Layer(nn.Module):
    """As soni.du.encoder.transformer has it."""

    def __init__(self, width: int, wide: int) -> None:
        super().__init__()
        self.attention = nn.Linear(width, 3 * width)
        self.joined = nn.Linear(width, width)
        self.joined_norm = nn.LayerNorm(width, eps=1e-12)
        self.wide = nn.Linear(width, wide)
        self.narrow = nn.Linear(wide, width)
        self.narrow_norm = nn.LayerNorm(width, eps=1e-12)

    @classmethod
    def like(cls, known: Known) -> Layer:
        """A copy of a layer of the sentence model."""
        made = cls(WIDTH, known.wide.matrix.shape[1])
        with torch.no_grad():
            for name in ("attention", "joined", "wide", "narrow"):
                old, new = getattr(known, name), getattr(made, name)
                new.weight.copy_(torch.from_numpy(old.matrix.T.copy()))
                new.bias.copy_(torch.from_numpy(old.bias.copy()))
            for name in ("joined_norm", "narrow_norm"):
                old, new = getattr(known, name), getattr(made, name)
                new.weight.copy_(torch.from_numpy(old.weight.copy()))
                new.bias.copy_(torch.from_numpy(old.bias.copy()))
        return made

    def forward(self, hidden: Tensor, barred: Tensor) -> Tensor:
        """`barred` is added to the scores of attention: (texts, 1, 1, tokens)."""
        texts, tokens, width = hidden.shape
        three = self.attention(hidden).view(texts, tokens, 3, HEADS, width // HEADS)
        query, key, value = three.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) / sqrt(width // HEADS) + barred
        mixed = scores.softmax(-1).to(value.dtype) @ value
        looked = self.joined(mixed.transpose(1, 2).reshape(texts, tokens, width))
        hidden = self.joined_norm(hidden + looked)
        thought = self.narrow(F.gelu(self.wide(hidden), approximate="tanh"))
        return self.narrow_norm(hidden + thought)


class Forget(nn.Module):
    """Dropout by dice of its own: those of torch are shared by all threads."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate, self.dice = rate, torch.Generator()

    def forward(self, seen: Tensor) -> Tensor:
        """Some of what is seen is not, while learning."""
        if not self.training:
            return seen
        kept = torch.rand(seen.shape, generator=self.dice) >= self.rate
        return seen * kept / (1 - self.rate)


class Network(nn.Module):
    """Tuned layers over tokens, heads over slots and flows."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        tuned = [Layer.like(known) for known in encoder.transformer.layers[-TUNED_LAYERS:]]
        together = [Layer(ELEMENT, 2 * ELEMENT) for _ in range(JOINT_LAYERS)]
        self.layer = nn.ModuleList([*tuned, *together])
        self.shape = nn.Linear(len(SHAPE_NAMES), WIDTH)
        nn.init.zeros_(self.shape.weight)
        nn.init.zeros_(self.shape.bias)
        self.tokens = nn.Linear(WIDTH, sum(_WIDTHS))
        self.slot = nn.Linear(WIDTH, ELEMENT)
        self.home = nn.Linear(WIDTH, ELEMENT)
        self.slot_flags = nn.Linear(len(SLOT_FLAGS), ELEMENT)
        self.flow = nn.Linear(WIDTH, ELEMENT)
        self.flow_flags = nn.Linear(len(FLOW_FLAGS), ELEMENT)
        self.turn = nn.Linear(len(TURN_FLAGS), ELEMENT)
        self.first = nn.Linear(WIDTH, ELEMENT)
        self.begun = nn.LayerNorm(ELEMENT, eps=1e-12)
        self.forget = Forget(0.1)
        self.asks = nn.Linear(ELEMENT, PAIR_WIDTH)
        self.scales = nn.Linear(ELEMENT, PAIR_WIDTH)
        self.look = nn.Linear(PAIR_WIDTH, 3)
        self.kept = nn.Linear(2 * PAIR_WIDTH, ELEMENT)
        self.seen = nn.LayerNorm(ELEMENT, eps=1e-12)
        self.slot_wide, self.slot_out = nn.Linear(ELEMENT, 128), nn.Linear(128, 4)
        self.flow_wide, self.flow_out = nn.Linear(ELEMENT, 128), nn.Linear(128, 1)
        self.turn_wide, self.turn_out = nn.Linear(ELEMENT, 128), nn.Linear(128, 1 + len(ACTS))
        self.span_starts = nn.Linear(ELEMENT, ATTENTION_WIDTH)
        self.span_ends = nn.Linear(ELEMENT, ATTENTION_WIDTH)
        self.choice = nn.Linear(WIDTH, PAIR_WIDTH)
        self.choice_slot = nn.Linear(ELEMENT, PAIR_WIDTH)
        self.choice_flags = nn.Linear(len(CHOICE_FLAGS), PAIR_WIDTH)
        self.choice_asks = nn.Linear(PAIR_WIDTH, ATTENTION_WIDTH)
        self.choice_wide, self.choice_out = nn.Linear(3 * PAIR_WIDTH, 128), nn.Linear(128, 1)
        self.pair_text = nn.Linear(WIDTH, ATTENTION_WIDTH)
        self.pair_slot = nn.Linear(ELEMENT, ATTENTION_WIDTH)
        self.pair_wide = nn.Linear(3 * ATTENTION_WIDTH + len(PAIR_FLAGS), 64)
        self.pair_out = nn.Linear(64, 1)

    def forward(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        """Scores of a padded batch."""
        tokens = batch["hidden"] + self.shape(batch["shapes"])
        barred = torch.where(batch["seen"], 0.0, NEVER)
        for layer in self.layer[:TUNED_LAYERS]:
            tokens = layer(tokens, barred[:, None, None])
        parts = self.tokens(tokens).split(_WIDTHS, dim=-1)
        plain, times, value, starts_of, ends_of, sought, given = parts
        begun = self.forget(self._begun(tokens, batch))
        seen = plain[:, None] + self.asks(begun)[:, :, None]
        seen = F.relu(seen + times[:, None] * self.scales(begun)[:, :, None])
        scores = self.look(seen)
        heed = (scores[..., 0] + barred[:, None]).softmax(-1).to(seen.dtype)
        pooled = torch.cat([heed @ value, (heed[:, :, None] @ seen)[:, :, 0]], dim=-1)
        thought = self.seen(begun + self.kept(self.forget(pooled)))
        there = torch.where(batch["there"], 0.0, NEVER)[:, None, None]
        for layer in self.layer[TUNED_LAYERS:]:
            thought = layer(thought, there)
        count = batch["slots"].shape[1]
        slots, flows, turn = thought[:, :count], thought[:, count:-1], thought[:, -1]
        unspoken = torch.where(batch["spoken"], 0.0, NEVER)[:, None]
        starts = self.span_starts(slots) @ starts_of.transpose(1, 2) / sqrt(ATTENTION_WIDTH)
        ends = self.span_ends(slots) @ ends_of.transpose(1, 2) / sqrt(ATTENTION_WIDTH)
        out = self.turn_out(F.relu(self.turn_wide(turn))).float()
        wanted = self.flow_out(F.relu(self.flow_wide(flows)))[..., 0].float()
        gone = torch.where(batch["there"][:, count:-1], 0.0, NEVER)
        return {
            "status": self.slot_out(F.relu(self.slot_wide(slots))).float(),
            "starts": (scores[:, :count, :, 1] + starts).float() + unspoken,
            "ends": (scores[:, :count, :, 2] + ends).float() + unspoken,
            "flows": torch.cat([wanted + gone, out[:, :1]], dim=1),
            "acts": out[:, 1:],
            "choices": self._chosen(slots, sought, given, barred, batch).float(),
            "pairs": self._carried(slots, batch).float(),
        }

    def _begun(self, tokens: Tensor, batch: dict[str, Any]) -> Tensor:
        slots = self.slot(batch["slots"]) + self.home(batch["homes"])
        slots = slots + self.slot_flags(batch["slot_flags"])
        flows = self.flow(batch["flows"]) + self.flow_flags(batch["flow_flags"])
        turn = self.turn(batch["turn"]) + self.first(tokens[:, 0])
        return self.begun(torch.cat([slots, flows, turn[:, None]], dim=1))

    def _chosen(
        self, slots: Tensor, sought: Tensor, given: Tensor, barred: Tensor, batch: dict[str, Any]
    ) -> Tensor:
        rows = batch["choice_rows"]
        at = slots[rows, batch["choice_slots"]]
        choices = self.choice(batch["choices"]) + self.choice_slot(at)
        choices = F.relu(choices + self.choice_flags(batch["choice_flags"]))
        asks = self.choice_asks(choices)
        scores = (asks[:, None] @ sought[rows].transpose(1, 2))[:, 0] / sqrt(ATTENTION_WIDTH)
        heed = (scores + barred[rows]).softmax(-1).to(given.dtype)
        found = (heed[:, None] @ given[rows])[:, 0]
        joined = torch.cat([choices, found, choices * found], dim=-1)
        return self.choice_out(F.relu(self.choice_wide(joined)))[:, 0]

    def _carried(self, slots: Tensor, batch: dict[str, Any]) -> Tensor:
        at = slots[batch["pair_rows"], batch["pair_slots"]]
        one, other = self.pair_text(batch["pair_targets"]), self.pair_text(batch["pair_sources"])
        given = [one * other, (one - other).abs(), self.pair_slot(at), batch["pair_flags"]]
        return self.pair_out(F.relu(self.pair_wide(torch.cat(given, dim=-1))))[:, 0]
