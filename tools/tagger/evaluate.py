"""How well the tagger does on half A of dev, with a plain tracker and no engine.

python -m tools.tagger.evaluate [--every 3] [--errors 20]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.understanding.sgd.dialogues import Dialogue, Turn, dialogues, half, schema
from soni.du.context import DialogueContext
from soni.du.encoder.encoder import MODEL_FOLDER, Encoder
from soni.du.tagger.moment import make_moment
from soni.du.tagger.reading import Reading, SlotReading
from soni.du.tagger.tagger import Tagger
from tools.tagger.examples import SAID, bot
from tools.tagger.schema import Assistant, Style, assistant
from tools.tagger.stage import Stage
from tools.tagger.tracker import DONTCARE, Meaning, Tracker

WORKERS = 2
# As the benchmark has it: strings, and nothing shared between services.
STYLE = Style(typed=False, shared=False)


class Evaluation:
    """Counts of what was right."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.agreed = 0.0
        """F1 of the slots asked about, summed over frames; 1 where nothing is asked."""

        self.wrong: list[str] = []
        self.seconds = 0.0

    def add(self, other: Evaluation) -> None:
        """Together with another part."""
        self.counts += other.counts
        self.agreed += other.agreed
        self.wrong += other.wrong
        self.seconds += other.seconds

    def told(self) -> dict[str, float]:
        """The figures."""
        count = self.counts
        hit, missed, extra = (count[f"requested {k}"] for k in ("hit", "missed", "extra"))
        found = {
            f"joint goal accuracy {part}": count[f"joint {part}"] / max(1, count[f"frames {part}"])
            for part in ("all", "seen", "unseen")
        }
        for name in ("intent", "status", "span", "value", "flow", "carried"):
            found[name] = count[name] / max(1, count[f"{name}s"])
        for act in ("affirm", "select", "deny"):
            found[act] = count[act] / max(1, count[f"{act}s"])
        found["requested F1"] = self.agreed / max(1, count["frames all"])
        found["requested F1 over all"] = 2 * hit / max(1, 2 * hit + missed + extra)
        found["ms a message"] = 1000 * self.seconds / max(1, count["turns"])
        return found


def meaning(
    reading: Reading,
    context: DialogueContext,
    message: str,
    known: Assistant,
    limits: Mapping[str, float],
) -> Meaning:
    """What is most likely meant, by service."""
    best = max(reading.flows, key=lambda name: reading.flows[name])
    started = best if best and best != context.current_flow else None
    home = started or context.current_flow
    service = known.origins[home].split(".")[0] if home in known.origins else ""
    own = {name: slot for (owner, slot), name in known.names.items() if owner == service}
    asked = {context.waiting_for_slot, *context.also_asked}
    given = Meaning(flow=known.origins[started] if started else None)
    given.acts = {act for act, likely in reading.acts.items() if likely > 0.5}
    surest = claims(reading)
    for slot in reading.slots:
        if slot.name not in own:
            continue
        if slot.requested > limits["requested"]:
            given.requested.add((service, own[slot.name]))
        limit = limits["asked" if slot.name in asked else "inform"]
        if slot.dontcare > limits["dontcare"] and slot.dontcare > slot.inform:
            given.values[service, own[slot.name]] = DONTCARE
        elif slot.inform > limit and not (slot.spans and slot.inform < surest[slot.spans[0][:2]]):
            value = said(slot, message)
            if value is not None:
                given.values[service, own[slot.name]] = value
    return given


def claims(reading: Reading) -> dict[tuple[int, int], float]:
    """How sure the surest slot is of each part of the message: two do not share one."""
    found: dict[tuple[int, int], float] = {}
    for slot in reading.slots:
        for span in slot.spans[:1]:
            found[span[:2]] = max(slot.inform, found.get(span[:2], 0.0))
    return found


def said(slot: SlotReading, message: str) -> str | None:
    """The likeliest value, as the data writes it."""
    if slot.values:
        value = max(slot.values, key=lambda name: slot.values[name])
        return {"true": "True", "false": "False"}.get(value, value)
    return message[slot.spans[0].start : slot.spans[0].end] if slot.spans else None


def evaluate(dialogue: Dialogue, services: Any, seen: set[str], tagger: Tagger) -> Evaluation:
    """A dialogue from its beginning, on what was understood so far."""
    result = Evaluation()
    known = assistant(dialogue.services, services, STYLE)
    stage, tracker = Stage(known), Tracker(services)
    for turn in dialogue.turns:
        stage.hear(turn)
        context = stage.context(turn, tracker.state)
        began = time.perf_counter()
        moment = make_moment(turn.user, [bot(turn.system)], context)
        reading = tagger.read(moment)
        result.seconds += time.perf_counter() - began
        told = meaning(reading, context, turn.user, known, tagger.thresholds)
        if told.flow:
            service = told.flow.split(".")[0]
            own = {name: slot for (owner, slot), name in known.names.items() if owner == service}
            flow = known.titles[told.flow]
            for name, (value, likely) in tagger.find_carried_values(moment, reading, flow).items():
                if likely > tagger.thresholds["carried"] and name in own:
                    told.values.setdefault((service, own[name]), value)
        tracker.take(turn, told)
        stage.follow(turn, told.flow, "deny" in told.acts)
        result.counts["turns"] += 1
        score(result, turn, told, tracker, seen, dialogue.id)
        parts(result, turn, reading, known, told)
    return result


def score(
    result: Evaluation, turn: Turn, told: Meaning, tracker: Tracker, seen: set[str], name: str
) -> None:
    """The frames of a turn."""
    for service, frame in turn.state.items():
        gold, got = frame["slot_values"], tracker.state.get(service, {})
        wrong = [s for s in {*gold, *got} if not same(gold.get(s), got.get(s))]
        part = "seen" if service in seen else "unseen"
        for which in ("all", part):
            result.counts[f"frames {which}"] += 1
            result.counts[f"joint {which}"] += not wrong
        intent = tracker.intents.get(service, "NONE")
        result.counts["intents"] += 1
        result.counts["intent"] += intent == frame["active_intent"]
        asked = {slot for owner, slot in told.requested if owner == service}
        wanted = set(frame["requested_slots"])
        named = len(asked) + len(wanted)
        result.agreed += 2 * len(asked & wanted) / named if named else 1.0
        result.counts["requested hit"] += len(asked & wanted)
        result.counts["requested missed"] += len(wanted - asked)
        result.counts["requested extra"] += len(asked - wanted)
        if wrong or intent != frame["active_intent"]:
            result.wrong.append(
                f"{name} {service}\n  S: {turn.system}\n  U: {turn.user}\n"
                f"  said: {dict(told.values)} {told.flow} {sorted(told.acts)}\n"
                f"  wrong: { {s: (gold.get(s), got.get(s)) for s in wrong} }"
                f" intent {intent} for {frame['active_intent']}"
            )


def parts(
    result: Evaluation, turn: Turn, reading: Reading, known: Assistant, told: Meaning
) -> None:
    """What was said in this turn alone."""
    count = result.counts
    flow = next((c["flow"] for c in turn.commands if c["cmd"] == "StartFlow"), None)
    count["flows"] += 1
    count["flow"] += told.flow == flow
    for name, kind in (("affirm", "Affirm"), ("select", "Select"), ("deny", "Deny")):
        gold = any(command["cmd"] == kind for command in turn.commands)
        count[f"{name}s"] += 1
        count[name] += (reading.acts[name] > 0.5) == gold
    slots = {slot.name: slot for slot in reading.slots}
    for command in turn.commands:
        if command["cmd"] not in ("SetSlot", "CorrectSlot"):
            continue
        slot = slots.get(known.names[command["service"], command["slot"]])
        if slot is None:
            continue
        if command["via"] == "carryover":
            count["carrieds"] += 1
            got = told.values.get((command["service"], command["slot"]))
            count["carried"] += same(command["values"], got)
        elif command["via"] in SAID and command["values"][0] != DONTCARE:
            count["statuss"] += 1
            count["status"] += slot.inform > 0.35
            kind = "value" if slot.values else "span"
            count[f"{kind}s"] += 1
            count[kind] += same(command["values"], said(slot, turn.user))


def same(gold: list[str] | None, got: Any) -> bool:
    """As the official evaluation compares: nearly, by the words in any order."""
    if gold is None or got is None:
        return gold is got
    return max(_near(value, str(got)) for value in gold) > 0.9


def _near(one: str, other: str) -> float:
    if DONTCARE in (one, other):
        return float(one == other)
    a, b = (" ".join(sorted(text.lower().split())) for text in (one, other))
    return SequenceMatcher(None, a, b).ratio()


def _part(task: tuple[int, int, Path]) -> Evaluation:
    worker, every, folder = task
    tagger = Tagger.load(Encoder.load(), folder)
    services, seen, result = schema("dev"), set(schema("train")), Evaluation()
    tuned = [dialogue for dialogue in dialogues("dev") if half(dialogue.id) == "A"][::every]
    for dialogue in tuned[worker::WORKERS]:
        result.add(evaluate(dialogue, services, seen, tagger))
    return result


def run(every: int, folder: Path = MODEL_FOLDER) -> Evaluation:
    """Half A of dev, or every so-manieth dialogue of it, by the weights of a folder."""
    result = Evaluation()
    with ProcessPoolExecutor(WORKERS) as pool:
        for part in pool.map(_part, [(worker, every, folder) for worker in range(WORKERS)]):
            result.add(part)
    return result


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--every", type=int, default=3)
    options.add_argument("--errors", type=int, default=0)
    given = options.parse_args()
    result = run(given.every)
    for name, figure in result.told().items():
        print(f"{name:28} {figure:.4f}")
    for text in result.wrong[:: max(1, len(result.wrong) // max(1, given.errors))][: given.errors]:
        print(text)


if __name__ == "__main__":
    main()
