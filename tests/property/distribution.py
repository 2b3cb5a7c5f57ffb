"""What a run of walks was made of."""

from __future__ import annotations

from collections import Counter

from soni.steps.spelling import iter_steps
from tests.property.invariants import Step


class Distribution:
    """Counts over all walks of a run."""

    def __init__(self) -> None:
        self.walks = 0
        self.turns = 0
        self.steps: Counter[str] = Counter()
        """Step types that ran."""

        self.asked: Counter[str] = Counter()
        """Slot types that were asked."""

        self.prompts: Counter[str] = Counter()
        self.commands: Counter[tuple[str, str]] = Counter()
        """(command, decision)."""

        self.events: Counter[str] = Counter()
        self.endings: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self.reached: Counter[str] = Counter()
        """Walks that came to something at least once."""

    def share(self, what: str) -> float:
        """The part of all walks that came to something."""
        return self.reached[what] / self.walks if self.walks else 0.0

    def add(self, steps: list[Step]) -> None:
        """One more walk."""
        self.walks += 1
        self.turns += len(steps)
        reached: set[str] = set()
        for step in steps:
            self._count(step)
            reached |= landmarks(step)
        if {"confirm", "correction"} <= reached:
            reached.add("confirm and correction")
        self.reached.update(reached)

    def _count(self, step: Step) -> None:
        self.events[step.event.kind] += 1
        prompt = step.after["_pending_prompt"]
        if prompt is not None and step.after["_need_input"]:
            self.prompts[prompt["kind"]] += 1
            slot = step.made.config.slots.get(prompt["slot"] or "")
            self.asked.update([slot.type] if slot else [])
        for made in step.turn.commands:
            self.commands[made["command"], made["decision"]] += 1
        self.endings.update(ended["result"] for ended in step.after["turn"]["ended"])
        self.actions.update(call.outcome.partition(" ")[0] for call in step.calls)
        for flow in step.after["flow_stack"]:
            steps = iter_steps(step.made.config.flows[flow["flow_name"]].steps)
            kinds = {each.step: each.type for each in steps}
            self.steps.update(kinds[p["step"]] for p in flow["progress"]["history"])
            self.steps.update([kinds[flow["current_step"]]] if flow["current_step"] else [])

    def table(self) -> str:
        """The run in words and numbers."""
        shares = {name: f"{self.share(name):.0%}" for name in sorted(self.reached)}
        commands: dict[str, Counter[str]] = {}
        for (command, decision), count in sorted(self.commands.items()):
            commands.setdefault(command, Counter())[decision] = count
        lines = [
            f"{self.walks} walks, {self.turns} turns",
            _row("walks that reach", shares),
            _row("step types", self.steps),
            _row("slot types asked", self.asked),
            _row("questions", self.prompts),
            _row("events", self.events),
            _row("endings", self.endings),
            _row("actions", self.actions),
        ]
        return "\n".join([*lines, *(_row(f"  {name}", made) for name, made in commands.items())])


def landmarks(step: Step) -> set[str]:
    """What a turn is remembered for."""
    found: set[str] = set()
    if (step.after["_pending_prompt"] or {}).get("kind") == "confirm":
        found.add("confirm")
    if any(_is_correction(entry, step) for entry in step.logged):
        found.add("correction")
    if len(step.after["flow_stack"]) > 1:
        found.add("paused task")
    if step.after["metadata"].get("handoff"):
        found.add("handoff")
    if step.affirmed is not None:
        found.add("yes")
    return found


def _is_correction(entry: dict[str, object], step: Step) -> bool:
    """Another value for a slot that had one."""
    if entry["command"] == "SetSlot":
        return entry["result"] == "rewritten"
    if entry["command"] != "CorrectSlot" or entry["result"] != "success":
        return False
    args = entry["args"]
    assert isinstance(args, dict)
    own = step.before["flow_slots"].get(str(entry["flow_id"]), {})
    return args["slot_name"] in {**step.before["conversation_slots"], **own}


def _row(name: str, counts: object) -> str:
    assert isinstance(counts, dict)
    return f"{name:20} " + "  ".join(f"{key} {count}" for key, count in counts.items())
