"""What the model learns from: a moment as numbers, and what its message means."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.understanding.sgd.dialogues import Dialogue, Turn
from soni.du.encoder.wordpiece import WordPiece
from soni.du.tagger.mentions import format_words, normalise_words
from soni.du.tagger.moment import FLOW_FLAGS, SLOT_FLAGS, Moment, make_moment
from soni.du.tagger.tagger import PAIR_FLAGS, find_pairs
from soni.du.tagger.tokens import Tokens, make_tokens
from tools.tagger.schema import Assistant, assistant, style
from tools.tagger.stage import Stage

ACTS = (
    *("affirm", "deny", "select", "alternatives", "thank", "bye", "inform", "request"),
    *("correct", "skip", "cancel", "resume", "repeat", "pause", "human", "ask", "chat", "foreign"),
)
SAID = ("inform", "select")
NONE, DONTCARE, INFORM = range(3)

# So many of the messages with neither flow nor slot are enough: they are much alike.
THANKS = 0.6
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_ACTS = {
    **{"Affirm": "affirm", "Deny": "deny", "Select": "select", "Thank": "thank"},
    **{"RequestAlternatives": "alternatives", "Goodbye": "bye", "RequestInfo": "request"},
}
_SMALL_TALK = {"Thank", "Goodbye"}


@dataclass
class Gold:
    """What a message means, by the assistant's names."""

    values: dict[str, list[str]] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    requested: set[str] = field(default_factory=set)
    acts: set[str] = field(default_factory=set)
    flow: str | None = None
    carried: dict[str, list[str]] = field(default_factory=dict)
    """All that is known of the flow that starts, afterwards."""

    @classmethod
    def of(cls, turn: Turn, known: Assistant) -> Gold:
        """The answer of a turn of the data."""
        gold = cls()
        for command in turn.commands:
            gold._add(command, known)
        if turn.commands and {command["cmd"] for command in turn.commands} <= _SMALL_TALK:
            gold.acts.add("chat")
        gold.spans = {
            known.names[span["service"], span["slot"]]: (span["start"], span["end"])
            for span in turn.spans
        }
        if gold.flow:
            service = known.origins[gold.flow].split(".")[0]
            after = turn.state.get(service, {}).get("slot_values", {})
            gold.carried = {known.names[service, slot]: given for slot, given in after.items()}
        return gold

    def _add(self, command: Mapping[str, Any], known: Assistant) -> None:
        kind = command["cmd"]
        self.acts.add(_ACTS.get(kind, ""))
        if kind in ("SetSlot", "CorrectSlot") and command["via"] in SAID:
            self.values[known.names[command["service"], command["slot"]]] = command["values"]
            self.acts.add("inform")
            if kind == "CorrectSlot":
                self.acts.add("correct")
            if "dontcare" in command["values"]:
                self.acts.add("skip")
        elif kind == "RequestInfo":
            self.acts.add("ask")
            self.requested.add(known.names[command["service"], command["slot"]])
        elif kind == "StartFlow":
            self.flow = known.titles[command["flow"]]
            if command["via"] == "offer":
                self.acts.add("affirm")


@dataclass
class Example:
    """Arrays of one moment. Texts are strings until they are numbered."""

    ids: npt.NDArray[Any]
    shapes: npt.NDArray[Any]
    first: int
    slot_texts: Any
    homes: Any
    slot_flags: npt.NDArray[Any]
    status: npt.NDArray[Any]
    requested: npt.NDArray[Any]
    spans: npt.NDArray[Any]
    choice_slots: npt.NDArray[Any]
    choice_texts: Any
    choice_flags: npt.NDArray[Any]
    choice: npt.NDArray[Any]
    """For each slot the place of the meant value among all choices of the moment, or -1."""

    flow_texts: Any
    flow_flags: npt.NDArray[Any]
    flow: int
    turn_flags: npt.NDArray[Any]
    acts: npt.NDArray[Any]
    pair_slots: npt.NDArray[Any]
    pair_texts: Any
    pair_flags: npt.NDArray[Any]
    pair_gold: npt.NDArray[Any]


def human(text: str) -> Any:
    """A message of the user in a history."""
    return SimpleNamespace(type="human", content=text)


def bot(text: str) -> Any:
    """A message of the system in a history."""
    return SimpleNamespace(type="ai", content=text)


def examples(
    dialogue: Dialogue, schema: Mapping[str, Mapping[str, Any]], wordpiece: WordPiece, seed: int
) -> Iterator[Example]:
    """The moments of a dialogue, in an assistant written in some style."""
    dice = random.Random(f"{seed} {dialogue.id}")
    how = style(dice)
    services = list(dialogue.services)
    if dice.random() < 0.1:
        services.append(dice.choice([name for name in schema if name not in services]))
    dice.shuffle(services)
    stage = Stage(assistant(services, schema, how))
    ends = dice.random() < 0.3
    again = dice.random() < 0.7
    state: dict[str, dict[str, Any]] = {}
    for turn in dialogue.turns:
        stage.hear(turn)
        if ends and any(act["act"] == "NOTIFY_SUCCESS" for act in turn.system_acts):
            stage.ended = True
        context = stage.context(turn, state, again=again)
        system = turn.system if dice.random() < 0.94 else ""
        moment = make_moment(turn.user, [bot(system)], context)
        made = example(moment, Gold.of(turn, stage.assistant), wordpiece)
        if dice.random() < (1 if _teaches(made) else THANKS):
            yield made
        starts = [command["flow"] for command in turn.commands if command["cmd"] == "StartFlow"]
        denies = any(command["cmd"] == "Deny" for command in turn.commands)
        stage.follow(turn, starts[-1] if starts else None, denies)
        # A turn has frames only of the services it is about; the others stay as they were.
        state |= {
            service: {slot: values[0] for slot, values in frame["slot_values"].items()}
            for service, frame in turn.state.items()
        }


def example(moment: Moment, gold: Gold, wordpiece: WordPiece) -> Example:
    """A moment with its answer."""
    tokens = make_tokens(wordpiece, moment.system, moment.message)
    choices = [(n, one) for n, slot in enumerate(moment.slots) for one in slot.choices]
    places = {(n, normalise_words(one.value)): place for place, (n, one) in enumerate(choices)}
    count = len(moment.slots)
    status, requested = np.zeros(count, np.int8), np.zeros(count, np.int8)
    spans, choice = np.full((count, 2), -1, np.int16), np.full(count, -1, np.int16)
    for n, slot in enumerate(moment.slots):
        requested[n] = slot.name in gold.requested
        values = gold.values.get(slot.name)
        if values is None:
            continue
        status[n] = DONTCARE if "dontcare" in values else INFORM
        if status[n] == INFORM and slot.choices:
            choice[n] = max(places.get((n, normalise_words(value)), -1) for value in values)
        elif status[n] == INFORM:
            found = gold.spans.get(slot.name) or _found(moment.message, values)
            spans[n] = _pieces(tokens, found)
    flows = [flow.name for flow in moment.flows]
    return Example(
        ids=tokens.ids.astype(np.int32),
        shapes=tokens.shapes.astype(np.uint8),
        first=tokens.first,
        slot_texts=[slot.text for slot in moment.slots],
        homes=[slot.home for slot in moment.slots],
        slot_flags=_rows([slot.flags for slot in moment.slots], len(SLOT_FLAGS)),
        status=status,
        requested=requested,
        spans=spans,
        choice_slots=np.array([n for n, _ in choices], np.int16),
        choice_texts=[one.text for _, one in choices],
        choice_flags=_rows([one.flags for _, one in choices], 7),
        choice=choice,
        flow_texts=[flow.text for flow in moment.flows],
        flow_flags=_rows([flow.flags for flow in moment.flows], len(FLOW_FLAGS)),
        flow=flows.index(gold.flow) if gold.flow in flows else -1,
        turn_flags=np.array(moment.flags, np.float16),
        acts=np.array([act in gold.acts for act in ACTS], np.int8),
        **_carried(moment, gold),
    )


def _teaches(made: Example) -> bool:
    """Whether something is said that only this message says."""
    return bool(made.flow >= 0 or made.status.any() or made.requested.any())


def _carried(moment: Moment, gold: Gold) -> dict[str, Any]:
    found = []
    if gold.flow:
        given = find_pairs(moment, gold.flow, normalise_words(moment.message))
        found = [pair for pair in given if moment.slots[pair.slot].name not in gold.values]
    labels = [
        format_words(moment.sources[pair.source].value)
        in [normalise_words(value) for value in gold.carried.get(moment.slots[pair.slot].name, ())]
        for pair in found
    ]
    return {
        "pair_slots": np.array([pair.slot for pair in found], np.int16),
        "pair_texts": [moment.sources[pair.source].text for pair in found],
        "pair_flags": _rows([pair.flags for pair in found], len(PAIR_FLAGS)),
        "pair_gold": np.array(labels, np.int8),
    }


def _rows(rows: list[tuple[float, ...]], width: int) -> npt.NDArray[Any]:
    return np.array(rows, np.float16).reshape(len(rows), width)


def _found(message: str, values: list[str]) -> tuple[int, int] | None:
    """Where one of the values stands, if it stands there once; numbers also as words."""
    small = message.lower()
    for value in values:
        forms = [value.lower()]
        if value.isdigit() and int(value) < len(WORDS):
            forms.append(WORDS[int(value)])
        for form in forms:
            padded = f" {''.join(c if c.isalnum() else ' ' for c in small)} "
            sought = f" {form} "
            if padded.count(sought) == 1:
                start = padded.index(sought)
                return start, start + len(form)
    return None


def _pieces(tokens: Tokens, span: tuple[int, int] | None) -> tuple[int, int]:
    """The pieces of the user that a span of characters covers."""
    if span is None:
        return -1, -1
    within = [n for n, p in enumerate(tokens.pieces) if p.start < span[1] and p.end > span[0]]
    return (within[0], within[-1]) if within else (-1, -1)
