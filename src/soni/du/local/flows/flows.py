"""Which flow a message wants, and how sure that is."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from soni.du.context import FlowBrief
from soni.du.encoder.sentence import EncodeTexts, Sentence
from soni.du.encoder.weights import Floats
from soni.du.local.flows.calibration import compute_probabilities
from soni.du.local.flows.likeness import NEAREST_COLUMN, FlowLikeness

# Sets of flows are kept ready: what may start changes from moment to moment, but not often. About
# 100 MB: five sets of a hundred flows of a dozen texts each, or a hundred sets of a few.
_MAX_VECTORS = 1 << 16

_Key = tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class FlowChoice:
    """How likely each flow is meant."""

    probabilities: Mapping[str | None, float]
    """Calibrated, summing to 1; None: nothing that these flows do."""

    similarity: Mapping[str, float]
    """Of each flow, to the text most like the message: from -1 to 1, not calibrated."""

    def exclude_flows(self, flows: Sequence[FlowBrief]) -> "FlowChoice":
        """The choice without these flows; their probability goes to none."""
        barred = {flow.name for flow in flows}
        likely = {n: p for n, p in self.probabilities.items() if n not in barred}
        likely[None] += sum(p for n, p in self.probabilities.items() if n in barred)
        return FlowChoice(likely, {n: x for n, x in self.similarity.items() if n not in barred})

    @property
    def ranked(self) -> list[tuple[str, float]]:
        """The flows with their probabilities, the likeliest first."""
        flows = [(name, value) for name, value in self.probabilities.items() if name is not None]
        return sorted(flows, key=lambda one: -one[1])

    @property
    def best(self) -> str | None:
        """What is likeliest, a flow or nothing of them."""
        return max(self.probabilities, key=lambda name: self.probabilities[name])


class FlowChooser:
    """Compares messages with flows by examples, descriptions and names. Safe in many threads."""

    def __init__(
        self,
        read: EncodeTexts,
        known: Callable[[str], bool] | None = None,
        fresh: EncodeTexts | None = None,
        kept: int = _MAX_VECTORS,
    ) -> None:
        """`read` gives texts as the encoder sees them, and had better remember them.

        `known` says of a word in lower case that it is one: others may be typos, and are put right
        where they are nearly a word of a flow. Without it nothing is. `fresh` reads messages that
        were put right, and had better forget them. `kept`: how many vectors, of all sets of flows
        together.
        """
        self._read = read
        self._known = known
        self._fresh = fresh or read
        self._room = kept
        self._ready: OrderedDict[_Key, FlowLikeness] = OrderedDict()
        self._lock = Lock()

    def choose(self, said: Sentence, flows: Sequence[FlowBrief], message: str = "") -> FlowChoice:
        """The probability of each flow, by meaning and, if the text is given, by spelling."""
        if not flows:
            return FlowChoice({None: 1.0}, {})
        likeness = self._get_likeness(flows)
        if self._known:
            right = likeness.correct_typos(message, self._known)
            if right != message:
                message, said = right, self._fresh([right])[0]
        parts = likeness.compute_features(said, message)
        names = [flow.name for flow in flows]
        likely = compute_probabilities(parts, likeness.texts, likeness.way)
        return FlowChoice(
            dict(zip((None, *names), likely.tolist(), strict=True)),
            dict(zip(names, parts[:, NEAREST_COLUMN].tolist(), strict=True)),
        )

    def find_nearest(
        self, vector: Floats, flows: Sequence[FlowBrief], limit: int
    ) -> list[FlowBrief]:
        """The flows most worth looking at, the most alike first."""
        if not flows:
            return []
        order = np.argsort(-self._get_likeness(flows).compare_nearest(vector), kind="stable")
        return [flows[place] for place in order[:limit]]

    def _get_likeness(self, flows: Sequence[FlowBrief]) -> FlowLikeness:
        key = tuple((flow.name, flow.description, flow.examples) for flow in flows)
        with self._lock:
            if key in self._ready:
                self._ready.move_to_end(key)
                return self._ready[key]
        # Not under the lock: a set that takes long to fit must not hold up the others.
        made = FlowLikeness(flows, self._read)
        with self._lock:
            # Another thread may have made it meanwhile.
            if key not in self._ready:
                self._ready[key] = made
                self._room -= made.size
            # The newest is in use, however large it is.
            while self._room < 0 and len(self._ready) > 1:
                self._room += self._ready.popitem(last=False)[1].size
            return self._ready[key]
