"""What people say to businesses that nobody runs, written by hand: the files of spoken/.

Those of apart/ are of the same form. The tagger does not learn from them, so that what is weighed
beside its reading (tools/wishes.py) can be: on what it has learnt it is surer than it should be.

@ idle                        nothing is going on
@ FLOW, asked: SLOT           a slot is asked for;  ", below: FLOW" adds a task that waits
@ FLOW, confirm               a yes would carry it out
words {slot:value} words      what is said, with the words that give a slot its value
{slot=value:words}            a choice or yes and no, and the words that mean it
{slot~:value}                 the slot had another value before
... > FLOW, !act, ?slot       and what else it does: starts a flow, an act, asks about a slot
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tools.tagger.scene import Errand, Field

ACTS = {
    *("affirm", "deny", "cancel", "resume", "repeat", "skip", "pause", "human", "ask", "chat"),
    "foreign",
}
KINDS = {*("string", "integer", "number", "money", "date", "time", "duration", "phone", "email")}
_MARK = re.compile(
    r"\{(?P<slot>[^{}:=~]+)(?P<changed>~?)(?:=(?P<value>[^{}:]+))?:(?P<words>[^{}]+)\}"
)


@dataclass(frozen=True)
class Place:
    """When something is said: the flow at work, the slot it asks for or its confirmation."""

    flow: str | None = None
    asked: str | None = None
    confirm: bool = False
    below: str | None = None


@dataclass(frozen=True)
class Part:
    """Some words, and the slot they are for."""

    words: str
    slot: str | None = None
    value: str | None = None
    changed: bool = False


@dataclass(frozen=True)
class Remark:
    """One message with its meaning."""

    place: Place
    parts: tuple[Part, ...]
    starts: str | None
    acts: frozenset[str]
    requested: frozenset[str]


@dataclass
class Business:
    """An assistant, and what was said to it."""

    flows: dict[str, Errand] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    def owner(self, slot: str) -> str:
        """The flow that has a slot."""
        for name, flow in self.flows.items():
            if any(one.names[0] == slot for one in flow.fields):
                return name
        raise ValueError(f"unknown slot {slot!r}")

    def field(self, slot: str) -> Field:
        """A slot by its first name."""
        fields = self.flows[self.owner(slot)].fields
        return next(one for one in fields if one.names[0] == slot)


@cache
def businesses() -> tuple[Business, ...]:
    """All of spoken/: what the tagger learns from."""
    files = sorted(Path(__file__).with_name("spoken").glob("*.txt"))
    return tuple(read(file.read_text(encoding="utf-8")) for file in files)


def read(text: str) -> Business:
    """A file; raises ValueError with the number of the line that is wrong."""
    made, place = Business(), Place()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.startswith("@ "):
                place = _place(line[2:], made)
            elif line.startswith("- "):
                _add_slot(line[2:], made)
            elif " | " in line and not made.remarks and place == Place():
                names, description = line.split(" | ")
                made.flows[names.split("/")[0]] = Errand(names.split("/"), description, [])
            elif line.strip() and not line.startswith("#"):
                made.remarks.append(_remark(line.strip(), place, made))
        except (ValueError, IndexError) as error:
            raise ValueError(f"line {number}: {error}: {line}") from error
    return made


def _add_slot(line: str, made: Business) -> None:
    names, description, kind = line.split(" | ")
    if kind != "?" and kind[0] != "=" and kind.partition(": ")[0] not in KINDS:
        raise ValueError(f"unknown kind {kind!r}")
    if any(one.names[0] == names.split("/")[0] for f in made.flows.values() for one in f.fields):
        raise ValueError("the slot's name is taken")
    flow = list(made.flows.values())[-1]
    flow.fields.append(Field(names.split("/"), description, kind, []))


def _place(line: str, made: Business) -> Place:
    if line.strip() == "idle":
        return Place()
    flow, *rest = line.strip().split(", ")
    told = dict(one.split(": ") if ": " in one else (one, "") for one in rest)
    if told.keys() - {"asked", "confirm", "below"} or not told.keys() & {"asked", "confirm"}:
        raise ValueError("not a moment")
    for name in (flow, told.get("below", flow)):
        if name not in made.flows:
            raise ValueError(f"unknown flow {name!r}")
    if "asked" in told and made.owner(told["asked"]) != flow:
        raise ValueError("the slot belongs to another flow")
    return Place(flow, told.get("asked"), "confirm" in told, told.get("below"))


def _remark(line: str, place: Place, made: Business) -> Remark:
    said, _, does = line.partition(" > ")
    marks = [one.strip() for one in does.split(",")] if does else []
    starts = [one for one in marks if one[0] not in "!?"]
    acts = {one[1:] for one in marks if one[0] == "!"}
    if acts - ACTS or len(starts) > 1 or (starts and starts[0] not in made.flows):
        raise ValueError(f"unknown {does!r}")
    requested = {one[1:] for one in marks if one[0] == "?"}
    parts = tuple(_parts(said, made))
    here = {place.flow, *starts}
    for slot in (*requested, *(part.slot for part in parts if part.slot)):
        if made.owner(slot) not in here and slot not in requested:
            raise ValueError(
                f"{slot!r} belongs to neither the flow at work nor the one that starts"
            )
    if not (marks or any(part.slot for part in parts)):
        raise ValueError("it means nothing")
    return Remark(
        place, parts, starts[0] if starts else None, frozenset(acts), frozenset(requested)
    )


def _parts(said: str, made: Business) -> Iterator[Part]:
    at = 0
    for mark in _MARK.finditer(said):
        yield Part(said[at : mark.start()])
        at, slot, value = mark.end(), mark["slot"], mark["value"]
        one = made.field(slot)
        allowed = ["true", "false"] if one.values == "?" else one.choices
        if (allowed or value) and value not in allowed:
            raise ValueError(f"{slot!r} cannot be {value!r}")
        yield Part(mark["words"], slot, value or mark["words"], bool(mark["changed"]))
    yield Part(said[at:])
    if "{" in _MARK.sub("", said) or "}" in _MARK.sub("", said):
        raise ValueError("a mark is not closed")
