"""Random flows: every type of step, guards, jumps to and fro, error paths, tight confirms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from tests.property.functions import OUTPUT

Draw = st.DrawFn

FLOW_NAMES = ("book", "ask_around", "report", "leave")

SLOTS = {
    "city": "string",
    "count": "integer",
    "price": "number",
    "agreed": "boolean",
    "size": "choice",
    "day": "date",
    "pin": "string",
}

# May be sensitive: no step copies them to another slot, and no flow hands them out.
SECRET = ("pin", "size", "agreed")
_PUBLIC = tuple(slot for slot in SLOTS if slot not in SECRET)

# The last ones cannot be evaluated for most values: a failure that the flow must survive.
_CONDITIONS = (
    "count > 3", "not agreed", "city == 'Ann'", "size in ['small']", "price + 1 < 5",
    "day > today()", "times != 2", "session.vip", "_error", "len(count) > 1", "city < 3",
)  # fmt: skip
_EXPRESSIONS = (
    "{{ coalesce(times, 0) + 1 }}", "{{ count }}", "{{ price * 2 }}", "{{ upper(city) }}",
    "{{ today() }}", "{{ [count, 1] }}", "{{ 1 / count }}", "{{ null }}",
    "plain", 0, False, "", None, 61,
)  # fmt: skip
# Written by steps beside the declared slots.
_DERIVED = ("times", "total")
_KINDS = ("say", "set", "branch", "collect", "action", "action", "confirm")
# Asked for and used by actions more often: changing what an action used is what goes wrong.
USED = ("city", "count")
_ASKED = (*SLOTS, *USED * 2)


@st.composite
def flow(draw: Draw, earlier: Mapping[str, Any]) -> dict[str, Any]:
    """Asks a few things, does a few, often confirms and commits, then does a few more."""
    slots = draw(st.lists(st.sampled_from(_ASKED), min_size=1, max_size=2, unique=True))
    front: list[dict[str, Any]] = [{"type": "collect", "slot": slot} for slot in slots]
    if _sometimes(draw):
        # Done with the first answer before the rest is known: then it is too late to change it.
        given = {slots[0]: f"{{{{ {slots[0]} }}}}"}
        front.insert(1, {"type": "action", "call": "record", "inputs": given})
    middle = draw(st.lists(_step(), max_size=3))
    commits = draw(st.sampled_from((True, True, True, False)))
    pair = draw(_tight_pair(slots)) if commits else []
    back = draw(st.lists(_step(), max_size=2))
    steps = [*front, *middle, *pair, *back]
    behind_yes = len(front) + len(middle) + 1 if commits else None
    for index, step in enumerate(steps):
        step["step"] = f"{step['type']}{index}"
    # Only its confirm leads to what must be confirmed, and the confirm's yes only there.
    targets = [(at, step["step"]) for at, step in enumerate(steps) if at != behind_yes]
    for index, step in enumerate(steps):
        if index + 1 != behind_yes:
            draw(_ways(step, _target(index, targets)))
    ends = ("end", "error", "cancel_flow", *(name for _, name in targets))
    on_error = draw(st.sampled_from(ends)) if _sometimes(draw) else None
    return {
        "description": draw(st.sampled_from(("", "What it is about."))),
        "trigger": draw(_trigger(FLOW_NAMES[len(earlier)])),
        "inputs": draw(_inputs(earlier)),
        "outputs": [slot for slot in slots if slot in _PUBLIC and draw(st.booleans())],
        "steps": steps,
        "on_error": on_error,
        "interruptible": not _rarely(draw),
        "resumable": not _sometimes(draw),
        "hidden": _rarely(draw),
    }


@st.composite
def _tight_pair(draw: Draw, slots: list[str]) -> list[dict[str, Any]]:
    """A confirm that shows what was collected, and right behind its yes what it guards."""
    shown = " ".join(f"{{{slot}}}" for slot in slots)
    confirm: dict[str, Any] = {"type": "confirm", "message": f"All right: {shown}?"}
    on_no = draw(st.sampled_from((None, None, "end", "cancel_flow", "error")))
    if on_no is not None:
        confirm["on_no"] = on_no
    if _sometimes(draw):
        confirm["on_yes"] = "continue"
    return [confirm, {"type": "action", "call": draw(st.sampled_from(("pay", "renew")))}]


@st.composite
def _step(draw: Draw) -> dict[str, Any]:
    kind = draw(st.sampled_from(_KINDS))
    slot = draw(st.sampled_from(tuple(SLOTS)))
    match kind:
        case "say":
            return {"type": kind, "message": f"So {{{slot}}} and {{times}}."}
        case "set":
            name = draw(st.sampled_from((*_DERIVED, *_DERIVED, "count", "size")))
            return {"type": kind, "values": {name: draw(st.sampled_from(_EXPRESSIONS))}}
        case "branch":
            return {"type": kind}
        case "collect":
            own = {"message": f"Say {slot}, {{city}}?"} if draw(st.booleans()) else {}
            return {"type": kind, "slot": slot, **own}
        case "confirm":
            return {"type": kind, "message": f"Sure about {{{slot}}}?"}
    return draw(_call())


@st.composite
def _call(draw: Draw) -> dict[str, Any]:
    step: dict[str, Any] = {"type": "action", "call": draw(st.sampled_from(("lookup", "record")))}
    if _sometimes(draw):
        step["inputs"] = {"count": draw(st.sampled_from((3, "{{ pin }}", "{{ price }}")))}
    if _sometimes(draw):
        step["map_outputs"] = {OUTPUT: draw(st.sampled_from((*_DERIVED, "count", "city")))}
    if _sometimes(draw):
        step["retry"] = {"max_attempts": 2, "delay": 0}
    return step


@st.composite
def _ways(draw: Draw, step: dict[str, Any], to: st.SearchStrategy[str]) -> None:
    """Give a step its guard and its ways on; most of them lead forward."""
    if step["type"] == "branch":
        step.update(draw(_arms(to)))
    elif _sometimes(draw):
        step["when"] = draw(st.sampled_from(_CONDITIONS))
    if step["type"] == "confirm":
        for edge in ("on_yes", "on_no"):
            if draw(st.booleans()):
                step[edge] = draw(to)
        if _sometimes(draw):
            step["max_retries"] = 2
    if step["type"] == "action" and draw(st.booleans()):
        step["on_error"] = draw(to)
    if _rarely(draw):
        step["jump_to"] = draw(to)


@st.composite
def _arms(draw: Draw, to: st.SearchStrategy[str]) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"input": "size", "cases": {"small": draw(to), "else": draw(to)}}
    conditions = draw(st.lists(st.sampled_from(_CONDITIONS), min_size=1, max_size=2))
    arms: list[dict[str, Any]] = [{"condition": c, "then": draw(to)} for c in conditions]
    return {"when": [*arms, {"else": draw(to)}] if draw(st.booleans()) else arms}


def _target(index: int, targets: list[tuple[int, str]]) -> st.SearchStrategy[str]:
    forward = [name for at, name in targets if at > index]
    words = ["continue", "end", "error", "cancel_flow"]
    return st.sampled_from([*words, *forward * 6, *(name for _, name in targets)])


@st.composite
def _trigger(draw: Draw, name: str) -> dict[str, Any] | None:
    if _rarely(draw):
        return None
    condition = draw(st.sampled_from((None, None, None, "not session.vip")))
    return {"examples": [f"let us {name}"], "condition": condition}


@st.composite
def _inputs(draw: Draw, earlier: Mapping[str, Any]) -> dict[str, Any]:
    """`times` may be given from outside although no step asks for it."""
    given: dict[str, Any] = {"times": None}
    handed_out = [f"{name}.{output}" for name in earlier for output in earlier[name]["outputs"]]
    if handed_out and draw(st.booleans()):
        source = draw(st.sampled_from(handed_out))
        # Mostly the slot of the same name; another may refuse what it gets.
        name = draw(st.sampled_from((source.partition(".")[2],) * 3 + tuple(SLOTS)))
        given[name] = {"from": source}
    return given


def _sometimes(draw: Draw) -> bool:
    return draw(st.sampled_from((False, False, False, True)))


def _rarely(draw: Draw) -> bool:
    chosen: bool = draw(st.sampled_from((False,) * 9 + (True,)))
    return chosen
