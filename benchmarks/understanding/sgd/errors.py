"""What went wrong and why, to tune on: each mistake where it first shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.understanding.sgd.conversation import Held
from benchmarks.understanding.sgd.dialogues import Dialogue
from benchmarks.understanding.sgd.schema import Generated
from benchmarks.understanding.sgd.score import frame_score


@dataclass(frozen=True)
class Wrong:
    """One mistake."""

    reason: str
    text: str


def wrongs(dialogue: Dialogue, held: Sequence[Held], generated: Generated) -> list[Wrong]:
    """The mistakes of a dialogue; what stays wrong is told once."""
    found: list[Wrong] = []
    before: dict[str, set[str]] = {}
    for number, each in enumerate(held):
        for service in each.frames:
            now = dict(_reasons(service, each, generated))
            stays = before.get(service, set())
            for what, (reason, text) in now.items():
                if what not in stays:
                    place = f"{dialogue.id}/{number} {service}"
                    found.append(Wrong(reason, f"{place} {text}\n{_story(each)}"))
            before[service] = set(now)
    return found


def _reasons(service: str, held: Held, of: Generated) -> Iterator[tuple[str, tuple[str, str]]]:
    right, got = held.turn.state[service], held.frames[service]
    via = {
        spec["slot"]: spec["via"]
        for spec in held.turn.commands
        if spec["cmd"] in ("SetSlot", "CorrectSlot") and spec["service"] == service
    }
    kinds = {slot["name"]: slot["is_categorical"] for slot in of.services[service]["slots"]}
    for slot in frame_score(service, right, got, of).wrong:
        wanted, value = right["slot_values"].get(slot), got.slots.get(slot)
        how = "missing" if value is None else "extra" if wanted is None else "value"
        where = via.get(slot, "shown" if how == "missing" else "-")
        kind = "list" if kinds[slot] else "text"
        yield slot, (f"{how} {kind} {where}", f"{slot}: {wanted} got {value}")
    if got.intent != right["active_intent"]:
        names = right["active_intent"], got.intent
        kind = "NONE" if names[0] == "NONE" else "none" if names[1] == "NONE" else "other"
        yield "intent", (f"intent {kind}", f"{names[0]} got {names[1]}")
    for slot in sorted(got.requested ^ frozenset(right["requested_slots"])):
        how = "extra" if slot in got.requested else "missing"
        yield f"?{slot}", (f"requested {how}", slot)


def _story(held: Held) -> str:
    acts = [
        f"{act['act']}({act['slot']}={'/'.join(act['values'])})" for act in held.turn.system_acts
    ]
    said = [f"{command.type}({command.dump_args()})" for command in held.said]
    means = [
        f"{spec['cmd']}({spec.get('slot') or spec.get('flow') or spec.get('of') or ''}="
        f"{spec.get('values') or ''})"
        for spec in held.turn.commands
    ]
    lines = (
        f"    system: {held.turn.system}   {' '.join(acts)}",
        f"    user:   {held.turn.user}",
        f"    means:  {' '.join(means)}",
        f"    said:   {' '.join(said)}",
    )
    return "\n".join(lines)


def printed(wrong: Sequence[Wrong], count: int) -> str:
    """The mistakes by reason, the commonest first, some of each."""
    by_reason: dict[str, list[Wrong]] = defaultdict(list)
    for each in wrong:
        by_reason[each.reason].append(each)
    lines = []
    for reason, those in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        lines.append(f"\n{reason}: {len(those)}")
        every = max(1, len(those) // count)
        lines += [each.text for each in those[::every][:count]]
    return "\n".join(lines)
