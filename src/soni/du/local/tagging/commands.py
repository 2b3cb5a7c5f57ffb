"""From what the tagger has read in a message to commands."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from soni.commands import (
    AffirmConfirmation,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du.context import DialogueContext, SlotBrief
from soni.du.local.tagging.counting import (
    clean_name,
    extract_place,
    find_numbers,
    is_same_noun,
    list_counted_slots,
)
from soni.du.local.tagging.values import SlotValue, is_same_value, make_values
from soni.du.local.values.route import pair_ends
from soni.du.local.words.words import extract_words, normalise, speak_name, stem_plural
from soni.du.tagger.reading import Reading, SlotReading
from soni.language import Language, find_language

# "Drivable" is what still drives.
_ROOT_LENGTH: Final = 4
# Which of yes and no is meant, and that one of them is: the name of the slot says the rest.
_MIN_POLE: Final = 0.8
_MIN_INFORM: Final = 0.03


CarriedValues = Callable[[str], Mapping[str, tuple[Any, float]]]
"""For a flow that starts: known values that it takes over, and how likely each is."""

THRESHOLDS: Mapping[str, float] = MappingProxyType({
    "inform": 0.3,
    "asked": 0.25,
    "counted": 0.005,
    "dontcare": 0.4,
    "requested": 0.5,
    "carried": 0.5,
    "carried_optional": 0.9,
    "stay": 1.0,
    "affirm": 0.5,
    "deny": 0.5,
    "select": 0.5,
})  # fmt: skip


@dataclass(frozen=True)
class TaggerCommands:
    """The tagger's commands for a message."""

    commands: tuple[Command, ...]
    confidence: float
    """How sure it is of the least sure of them, and that there is nothing else to start."""

    flow: float = 0.0
    """How sure it is of the flow that starts, or that none does."""

    slots: Mapping[str, float] = field(default_factory=dict)
    """How sure it is of each value."""

    requested: Mapping[str, float] = field(default_factory=dict)
    """Slots that the user asks about, and how sure that is."""


def make_tagger_commands(
    reading: Reading,
    message: str,
    context: DialogueContext,
    carried: CarriedValues,
    thresholds: Mapping[str, float] = THRESHOLDS,
) -> TaggerCommands:
    """The commands of a message, and how sure each part of them is."""
    limits = {**THRESHOLDS, **thresholds}
    return _TaggedMessage(reading, message, context, limits).make_commands(carried)


@dataclass(frozen=True)
class _TaggedMessage:
    reading: Reading
    message: str
    context: DialogueContext
    limits: Mapping[str, float]

    def make_commands(self, carried: CarriedValues) -> TaggerCommands:
        """All commands together."""
        values = {one.slot: one for one in self._list_values()}
        skipped, asked = self._list_skipped(), self._list_requested()
        answer = self._read_answer()
        commands = [] if answer is None or self._takes_offer else [answer[0]]
        own = {n: one for n, one in values.items() if self._briefs[n].flow == self.started_flow}
        commands += [self._make_set(one) for n, one in values.items() if n not in own]
        if self.started_flow is not None:
            commands.append(self._make_start(own, carried))
        commands += [SkipSlot(slot_name=name) for name in skipped]
        commands += [Clarify(topic=name) for name in asked]
        slots = {name: one.confidence for name, one in values.items()} | skipped
        sure = self._sure_of_flow
        parts = [sure, *slots.values(), *asked.values(), *([answer[1]] if answer else [])]
        return TaggerCommands(tuple(commands), min(parts), sure, slots, asked)

    @cached_property
    def _lang(self) -> Language:
        return find_language(self.context.language)

    @cached_property
    def started_flow(self) -> str | None:
        """The flow that the user wants to start; not the one that is at work anyhow."""
        flows = self.reading.flows
        others = [name for name in flows if name not in (None, self.context.current_flow)]
        best = max(others, key=lambda name: flows[name], default=None)
        stays = sum(likely for name, likely in flows.items() if name not in others)
        offered = self.context.shown.flow
        if offered in others and self.reading.acts.get("affirm", 0.0) >= self.limits["affirm"]:
            # Who says yes to a flow, and to nothing else, means that one.
            return best if best and flows[best] > stays + flows[offered] else offered
        return best if best is not None and flows[best] > stays * self.limits["stay"] else None

    @property
    def _sure_of_flow(self) -> float:
        if self.started_flow is not None:
            return self.reading.flows[self.started_flow]
        named = (None, self.context.current_flow)
        return min(1.0, sum(self.reading.flows.get(name, 0.0) for name in named) or 1.0)

    @cached_property
    def _target_flow(self) -> str:
        return self.started_flow or self.context.current_flow

    @cached_property
    def _briefs(self) -> dict[str, SlotBrief]:
        target, flows = self._target_flow, self.context.available_flows
        known = (self.context.expected_slots, *(f.slots for f in flows if f.name == target))
        own = {b.name: b for briefs in known for b in briefs if b.flow == target}
        return {b.name: b for b in self.context.expected_slots if self._is_answer_slot(b)} | own

    def _is_answer_slot(self, brief: SlotBrief) -> bool:
        """ "The red one. And now I need a hotel": the answer is for the flow that asked."""
        shown = self.context.shown
        told = (self._asked, shown.offered, shown.confirmed)
        return brief.flow == self.context.current_flow and any(brief.name in t for t in told)

    @cached_property
    def _slot_readings(self) -> dict[str, SlotReading]:
        read = {(slot.flow, slot.name): slot for slot in self.reading.slots}
        places = {name: (brief.flow, name) for name, brief in self._briefs.items()}
        return {name: read[place] for name, place in places.items() if place in read}

    @cached_property
    def _asked(self) -> frozenset[str | None]:
        return frozenset({self.context.waiting_for_slot, *self.context.also_asked})

    @property
    def _takes_offer(self) -> bool:
        """Starting what was offered says the yes already, unless the engine waits for one."""
        waits = (self.context.asked or {}).get("kind") in ("confirm", "cancel", "limit")
        offered = self.started_flow is not None and self.started_flow == self.context.shown.flow
        return offered and not waits

    def _list_values(self) -> list[SlotValue]:
        counted = list_counted_slots(self.message, self._briefs.values(), self._lang)
        filled = {
            name: slot
            for name, slot in self._slot_readings.items()
            if slot.inform >= max(self._choose_limit(name, counted), slot.dontcare)
        }
        values = make_values(filled, self._briefs, self.message, self.context)
        found = map(self._correct_value, values)
        known = self.context.current_slots
        # Who says again what is known changes nothing, but a flow that starts knows nothing yet.
        return [
            one
            for one in found
            if self._briefs[one.slot].flow == self.started_flow
            or not (is_same_value(one.value, known.get(one.slot)) or self._is_counted_again(one))
        ]

    def _is_counted_again(self, one: SlotValue) -> bool:
        """ "3 hoodies" where a hoodie is ordered already: how many, and nothing else."""
        known = normalise(str(self.context.current_slots.get(one.slot) or "")).split()
        if one.place is None or not self._briefs[one.slot].kind.is_short_text:
            return False
        at = one.place[0]
        numbers = find_numbers(self.message, (), self._lang)
        counted = any(number.end + 1 == at for number in numbers)
        words = normalise(str(one.value)).split()
        return counted and all(
            any(
                is_same_noun(stem_plural(word, self._lang), stem_plural(other, self._lang))
                for other in known
            )
            for word in words
        )

    def _correct_value(self, one: SlotValue) -> SlotValue:
        """A yes where the tagger heard a no that nobody said; a name as it is called."""
        if one.value is False and affirms_slot(self._briefs[one.slot], self.message, self._lang):
            return replace(one, value=True)
        if self._briefs[one.slot].kind.is_short_text and isinstance(one.value, str):
            start = one.place[0] if one.place else 0
            name = clean_name(start, one.value, self.message, self._lang)
            return replace(one, value=extract_place(name, speak_name(one.slot), self._lang))
        return one

    def _choose_limit(self, name: str, counted: frozenset[str]) -> float:
        if name in counted:
            return self.limits["counted"]
        return self.limits["asked" if name in self._asked else "inform"]

    def _list_skipped(self) -> dict[str, float]:
        """What does not matter to the user; a slot that must be filled only if it was asked."""
        return {
            name: slot.dontcare
            for name, slot in self._slot_readings.items()
            if slot.dontcare >= self.limits["dontcare"]
            and slot.dontcare > slot.inform
            and (name in self._asked or not self._briefs[name].required)
        }

    def _list_requested(self) -> dict[str, float]:
        limit = self.limits["requested"]
        return {
            n: slot.requested for n, slot in self._slot_readings.items() if slot.requested >= limit
        }

    def _read_answer(self) -> tuple[Command, float] | None:
        shown = self.context.shown
        told = (shown.confirmed, shown.offered, shown.informed, shown.flow)
        if self.context.asked is None and not any(told):
            return None
        acts = self.reading.acts
        yes = max(acts.get(act, 0.0) / self.limits[act] for act in ("affirm", "select"))
        no = acts.get("deny", 0.0) / self.limits["deny"]
        if max(yes, no) < 1:
            return None
        if no > yes:
            return DenyConfirmation(), acts["deny"]
        return AffirmConfirmation(), max(acts.get("affirm", 0.0), acts.get("select", 0.0))

    def _make_start(self, values: Mapping[str, SlotValue], carried: CarriedValues) -> StartFlow:
        flow = self.started_flow or ""
        likely = {n: found for n, found in carried(flow).items() if n in self._briefs}
        known = {n: v for n, (v, p) in likely.items() if p >= self._choose_carry_limit(n)}
        said = {name: one.value for name, one in values.items()}
        ends = pair_ends(self._briefs, find_language(self.context.language))
        kept = {
            name: value
            for name, value in known.items()
            if name not in self._list_skipped() and not self._is_other_end(name, ends, likely)
        }
        return StartFlow(flow_name=flow, slots={**kept, **said})

    def _is_other_end(
        self, name: str, ends: Mapping[str, str], likely: Mapping[str, tuple[Any, float]]
    ) -> bool:
        """ "A flight there" goes to that place, and does not start from it as well."""
        other = likely.get(ends.get(name, ""))
        value, own = likely[name]
        return other is not None and is_same_value(value, other[0]) and other[1] > own

    def _choose_carry_limit(self, name: str) -> float:
        """What a flow can do without is taken over only if that is surely meant."""
        required = self._briefs[name].required
        return self.limits["carried" if required else "carried_optional"]

    def _make_set(self, one: SlotValue) -> Command:
        filled = self.context.current_slots.get(one.slot) is not None
        if filled and one.slot not in self._asked:
            return CorrectSlot(slot_name=one.slot, new_value=one.value)
        return SetSlot(slot_name=one.slot, value=one.value)


def affirms_slot(slot: SlotBrief, text: str, lang: Language) -> bool:
    """Whether a sentence names what a yes-or-no slot is about, and denies nothing."""
    said = normalise(text)
    if not slot.kind.is_polar or lang.pattern("polarity.denied").search(said):
        return False
    words = extract_words(speak_name(slot.name), lang)
    named = {word[:_ROOT_LENGTH] for word in words if len(word) >= _ROOT_LENGTH}
    return bool(named & {word[:_ROOT_LENGTH] for word in extract_words(said, lang)})


def find_polar_values(
    text: str, slots: Iterable[SlotBrief], reading: Reading, lang: Language
) -> dict[str, bool]:
    """ "I do want the paper bill": a yes or no for what is called by its whole name."""
    told = {(one.flow, one.name): one for one in reading.slots}
    said = extract_words(normalise(text), lang)
    found: dict[str, bool] = {}
    for slot in slots:
        read = told.get((slot.flow, slot.name))
        if not slot.kind.is_polar or read is None:
            continue
        value, likely = max(read.values.items(), key=lambda one: one[1], default=("", 0.0))
        named = extract_words(speak_name(slot.name), lang) <= said
        if named and likely >= _MIN_POLE and read.inform >= _MIN_INFORM:
            found[slot.name] = value == "true"
    return found
