"""The model card: what the tagger is, what it has learnt from, how good it is, what it cannot."""

from __future__ import annotations

from collections.abc import Mapping

TEXT = """\
# Model card: the tagger

Written by `python -m tools.tagger`, which trains the model; change it there.

**What it is.** A reader of messages that works for any assistant: it is told the names and
descriptions of the flows and slots at hand, and says which slots a message fills and where, what
it asks about, which flow it starts, and what is done with it: agree, decline, choose, correct,
skip, give up, come back, ask, chat. It runs in numpy on one thread, without network. Version
`{version}`, {size:.1f} MB, in
`src/soni/du/encoder/model/tagger.safetensors`, beside the sentence encoder whose first three
layers it shares.

**How it is made.** The last three layers of all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0)
are copied and tuned; heads over them compare each token with the vectors of each slot's and
flow's text.
Learnt from {data}; seed {seed}, {minutes:.0f} minutes on two CPU cores, preparing
the data included.
The weights are whole numbers of eight bits: its probabilities differ from the trained network's
by {apart:.3f} at most on fifty messages.

**Data.** Schema-Guided Dialogue (Google Research), train split, CC BY-SA 4.0, and messages to
assistants that nobody runs, because the data has few words for slots, few ways to say what is
wanted, and none for giving up, coming back, asking for a person, hesitating and the like: made
from `tools/tagger/invented.txt` and `tools/phrases.yaml`, some 10,900 written by hand for 162
businesses (`tools/tagger/spoken`), and what answers nothing (`tools/tagger/asides.txt`). No
conversation of any user. Moments are varied: other names, shorter or missing descriptions, fewer
slots, no capitals, letters that changed places, other types, missing facts.

**Figures.** A third of half A of the dev split (dialogues whose id's SHA-256 begins with an even
byte), on which thresholds were chosen, read by a plain tracker without the engine. Eight of the
17 services do not occur in train. `python -m benchmarks.understanding.sgd` reports the other
half, with the real engine.

| figure | value |
|---|---|
{rows}

**Limits.** English; the dialogues were paraphrased by crowd workers, so they are cleaner than
what people type. Tasks are bookings, searches, payments and the like. Only the system's last
words (40 pieces) and the first 72 pieces of the message are read. Values that stand nowhere in the
message are guessed only among a slot's choices or the values already known. It was never taught
to resist people who mean harm; whatever it reads is data, checked like any other input.

**Licence.** The weights are derived from Apache-2.0 weights; the data they have learnt from is
CC BY-SA 4.0 and is not part of Soni.
"""

NAMES = {
    "flow": "the flow that starts, or none, by message",
    "intent": "active intent, by frame",
    "status": "slots said that were noticed",
    "span": "their places, if free text",
    "value": "their values, if choices",
    "carried": "values carried over to a flow that starts",
    "affirm": "agreeing or not",
    "select": "choosing what was offered or not",
    "deny": "declining or not",
    "requested F1": "slots asked about, F1 by frame as in the official evaluation",
    "requested F1 over all": "the same over all slots at once",
}


def written(
    about: Mapping[str, str], figures: Mapping[str, float], size: int, minutes: float, apart: float
) -> str:
    """The card of weights with these figures."""
    # How long it took is told by the benchmark, beside the encoder in the same run.
    told = {name: figure for name, figure in figures.items() if not name.startswith("ms")}
    rows = "\n".join(f"| {NAMES.get(name, name)} | {figure:.3f} |" for name, figure in told.items())
    return TEXT.format(
        version=about["version"],
        data=about["data"],
        seed=about["seed"],
        size=size / 1e6,
        minutes=minutes,
        apart=apart,
        rows=rows,
    )
