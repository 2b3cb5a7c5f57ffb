"""Segment: a message, or a part of one, read as a whole."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from soni.commands import (
    CancelFlow,
    Clarify,
    Command,
    CorrectSlot,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from soni.du.local.acts.act import REQUEST, Act
from soni.du.local.acts.tasks import find_resumed_task, is_given_up
from soni.du.local.analysis import Analysis
from soni.du.local.answers.answers import find_answer, strip_lead
from soni.du.local.answers.given import find_given_values
from soni.du.local.answers.naming import Naming
from soni.du.local.corrections.amendment import Amendment
from soni.du.local.corrections.changes import find_proposed_value, is_wrong
from soni.du.local.intents.flow_values import Content
from soni.du.local.intents.ranking import Wish
from soni.du.local.limits import Limits
from soni.du.local.read import NOTHING, Read, sure
from soni.du.local.values.codes import tells_no_code
from soni.du.local.view import View
from soni.du.local.words.lexicon import strip_polite_words
from soni.du.local.words.questions import asks_openly, is_question
from soni.du.local.words.words import content, normal

# Words beside the values; with more of them it is a sentence of its own.
_BESIDE: Final = 2


# So many values of one flow, and fewer of any other, tell which it is.
_TELLING: Final = 2


_TOLD = 0.3


@dataclass(frozen=True)
class Segment:
    """A message, or a part of one, in its moment."""

    text: str
    view: View
    thought: Analysis
    limits: Limits
    cue: bool = False
    """Whether the words before it announce a correction: "no, ..."."""

    def read(self) -> Read:
        """The first way to read it that says something."""
        found = (
            self.about_tasks()
            or self.deed.read_task_command()
            or self.read_change()
            or _make_start(once_more(self.text, self.view))
            or self.read_question()
            or self.read_new_flow()
            or self.read_answer()
            or self.wish.started()
            or _make_start(find_flow_by_values(self.text, self.view))
            or self.deed.read_act()
            or self.deed.aside()
        )
        return found if found or found.settled else sure(self.free_answer()) or self.beside()

    def read_long(self) -> Read:
        """A story: the flow it is about, or the answer to what was asked."""
        answer = sure(self.free_answer())
        if answer or not self.view.has_models:
            return answer
        return self.wish.started()

    @cached_property
    def wish(self) -> Wish:
        """The flow it wants."""
        return Wish(self.thought, self.view, self.limits)

    @cached_property
    def deed(self) -> Act:
        """The reader of its dialogue act."""
        return Act(self.wish, self.view, self.limits)

    def about_tasks(self) -> Read:
        """Resume, cancel or repeat a task."""
        back = find_resumed_task(self.text, self.view)
        if back is not None:
            return Read((ResumeFlow(flow_name=back),))
        return self.read_cancelled_task() or self._again()

    def read_cancelled_task(self) -> Read:
        """What is going on is given up by its name."""
        ends = is_given_up(self.text, self.view)
        sure_ = ends and (
            self.view.lang.pattern("cues.this").search(self.text) or not self.wish.is_strong
        )
        return Read((CancelFlow(),)) if sure_ else NOTHING

    def _again(self) -> Read:
        """ "Book another one in Porto"."""
        context = self.view.context
        tasks = [context.current_flow, *(task.flow for task in context.others)]
        known = [name for name in tasks if name != "none"]
        if (
            not known
            or self.view.is_listed
            or not self.view.lang.pattern("cues.another").search(self.text)
        ):
            return NOTHING
        if self._is_answer or (self.view.kind == "confirm" and is_wrong(self.text, self.view)):
            return NOTHING
        name, likely = self.wish.best
        if name is None or likely < self.limits.start:
            if not self.view.lang.pattern("cues.one_more").search(self.text):
                return NOTHING
            by_example = self.thought.flow.probabilities if self.view.has_models else {}
            name = max(known, key=lambda one: by_example.get(one, 0.0))
            likely = self.limits.start
        if name not in known:
            return NOTHING
        is_open = name in (context.current_flow, *context.paused_flows)
        slots = self.wish.slots(name)
        return Read((StartFlow(flow_name=name, slots=slots, another=is_open),), likely)

    def read_new_flow(self) -> Read:
        """Another flow, where the words are clearly not what was asked for."""
        words = len(normal(self.text).split())
        if words < REQUEST or not self.wish.is_strong or self._is_answer or self._is_heard_here:
            return NOTHING
        return self.wish.started()

    @property
    def _is_heard_here(self) -> bool:
        """Whether the tagger hears a value for the flow at work, and no wish for another."""
        if not self.view.has_models or not self.deed.starts_nothing:
            return False
        return any(self.thought.informs(one) >= self.limits.whole_act for one in self.view.active)

    @property
    def _is_answer(self) -> bool:
        """Whether it has what was asked for, and the tagger hears no wish in it."""
        slot = self.view.asked
        if slot is None or not slot.kind.has_form or not self.view.has_models:
            return False
        heard = self.thought.reading.flows.get(None, 0.0) >= self.limits.start
        return heard and find_answer(self.text, slot, self.view) is not None

    @cached_property
    def amendment(self) -> Amendment:
        """The reader of its corrections."""
        return Amendment(self.wish, self.view, self.limits, self.cue)

    def read_change(self) -> Read:
        """Another value for a slot that has one, or that one is not right."""
        return self.amendment.read()

    def read_question(self) -> Read:
        """A question: one that a flow answers, one that gives values, or one beside."""
        asks = is_question(self.text, self.view.lang, answering=self.view.asked is not None)
        if self.view.lang.pattern("cues.polite").match(self.text):
            asks = False
        offer = find_proposed_value(self.text, self.view) if asks else None
        if offer is not None:
            return Read((offer,))
        about = self._requested_slots
        # A word or two that do not ask are an answer.
        is_short = len(normal(self.text).split()) < REQUEST
        if not asks and (is_short or not about):
            return NOTHING
        aside = self._aside()
        if aside:
            return aside
        wishes = self.view.lang.pattern("cues.wishing").match(
            self.text
        ) and not self.view.lang.pattern("cues.fact").search(self.text)
        if self.wish.is_meant and (wishes or self.wish.asks()):
            return self.wish.started()
        formed = (
            self._read_values_by_form() if not asks_openly(self.text, self.view.lang) else NOTHING
        )
        if formed and not about:
            return formed
        return formed + Read((Clarify(topic=self.text),), 1.0, about)

    def _aside(self) -> Read:
        """Small talk in the form of a question, or a question that this assistant is not for."""
        if not self.view.has_models:
            return NOTHING
        if self.wish.is_meant:
            return NOTHING
        act, likely = self.deed.act
        if act in ("chat", "foreign") and likely >= self.limits.sure_act:
            return self.deed.make_reading(act, likely)
        return Read((self.deed.foreign(),), likely) if self.deed.asks_elsewhere else NOTHING

    def _read_values_by_form(self) -> Read:
        """The values in "is there one on Friday?": only what has a form, or is named."""
        formed = {
            slot.name: value
            for slot in self.view.active
            if slot.kind.has_form and (value := find_answer(self.text, slot, self.view)) is not None
        }
        said = self.values().only(SetSlot, CorrectSlot)
        kept = tuple(c for c in said.commands if getattr(c, "slot_name", None) in formed)
        return Read(kept, said.confidence)

    @property
    def _requested_slots(self) -> tuple[str, ...]:
        """The slots whose values the user wants to know."""
        if not self.view.has_models:
            return ()
        asks = self.thought.reading.acts.get("request", 0.0) >= self.limits.start
        return tuple(self.thought.tagged().requested) if asks else ()

    def read_answer(self) -> Read:
        """The asked slot, and whatever else was given along with it."""
        slot = self.view.asked
        rest = self.values()
        if self.view.is_listed and len(normal(self.text).split()) < REQUEST:
            # A word that is none of the list was meant to be.
            names = {one.name for one in self.view.active if one.kind.is_short_text}
            kept = tuple(c for c in rest.commands if getattr(c, "slot_name", None) not in names)
            return Read(kept, rest.confidence)
        if slot is None or self.view.is_listed or slot.kind.is_structured:
            return rest
        value = find_answer(self.text, slot, self.view)
        if value is None:
            named = Naming(self.text, self.view, self.amendment.is_hinted)
            return Read(tuple(map(named.whole, rest.commands)), rest.confidence)
        # An answer changes something else only where its words say so.
        hinted = self.amendment.is_hinted or (
            slot.kind.is_polar
            and self.view.lang.pattern("clauses.but").search(self.text) is not None
        )
        others = tuple(
            c
            for c in rest.commands
            if getattr(c, "slot_name", None) != slot.name
            and not self._is_within(c, value)
            and (hinted or not isinstance(c, CorrectSlot))
        )
        return Read((SetSlot(slot_name=slot.name, value=value), *others), rest.confidence)

    def _is_within(self, command: Command, value: Any) -> bool:
        """Whether a command would take the answer again, or the only number in it."""
        said = command.slots_touched().values()
        words = normal(str(value)).split()
        once = (str(one) for one in said if normal(self.text).split().count(str(one)) == 1)
        return value in said or any(one.isdecimal() and one in words for one in once)

    def values(self) -> Read:
        """What is said for the slots of the active flow."""
        return Content(self.text, self.view, self.thought).values()

    def read_free_text(self) -> Read:
        """A text as it is; of one that is put into quotes what they hold."""
        quoted = self.view.lang.pattern("clauses.quoted").fullmatch(self.text)
        slot = self.view.asked
        if quoted is None or slot is None:
            return sure(self.free_answer())
        return Read((SetSlot(slot_name=slot.name, value=quoted["text"]),))

    def free_answer(self) -> Command | None:
        """The text itself as the answer to the open question."""
        slot = self.view.asked
        if slot is None or not self.text:
            return None
        free = slot.kind.is_short_text and not self.view.is_listed
        asks = self.text.endswith("?") and normal(self.text)
        if asks and slot.kind.has_form and not self.view.is_listed:
            return Clarify(topic=self.text)
        if free and tells_no_code(self.text, slot, self.view.lang) and not self._is_told:
            return None
        led = free or any(map(str.isdecimal, self.text))
        return SetSlot(
            slot_name=slot.name,
            value=strip_lead(self.text, self.view.language) if led else self.text,
        )

    @property
    def _is_told(self) -> bool:
        """Whether the tagger hears an answer in it."""
        acts = self.thought.reading.acts if self.view.has_models else {}
        return acts.get("inform", 0.0) >= _TOLD

    def beside(self) -> Read:
        """Nothing that the assistant does: a question, or a wish for something else."""
        if is_question(self.text, self.view.lang, answering=False):
            elsewhere = self.view.has_models and self.deed.asks_elsewhere
            asked = self.deed.foreign() if elsewhere else Clarify(topic=self.text)
            return Read((asked,), 1.0, self._requested_slots)
        if not (self.view.has_models and self.view.is_idle):
            return NOTHING
        words, lang = normal(self.text), self.view.lang
        # What is no word at all may be anything.
        if words in lang.table("lexicon.ordinals") or self.thought.is_noise:
            return NOTHING
        if not content(words, lang):
            return NOTHING
        if self.deed.wishes_elsewhere and len(words.split()) >= REQUEST:
            return Read((self.deed.foreign(),), self.wish.best[1])
        return NOTHING


def _make_start(found: tuple[str, dict[str, Any]] | None) -> Read:
    return Read((StartFlow(flow_name=found[0], slots=found[1]),)) if found else NOTHING


def once_more(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The flow that ended last, for something else: "and my savings?"."""
    match = view.lang.pattern("wish.once_more").fullmatch(message.strip())
    last = next((task.flow for task in view.context.others if not task.open), None)
    if match is None or last is None or not view.is_idle:
        return None
    values = find_given_values(match["rest"], view.slots_of(last), view)
    return (last, values) if values and _says_little_else(match["rest"], values, view) else None


def find_flow_by_values(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The one flow that asks for all that the message names."""
    if not view.is_idle:
        return None
    flows = view.context.available_flows
    told = {flow.name: find_given_values(message, flow.slots, view) for flow in flows}
    ranked = sorted(told, key=lambda name: -len(told[name]))
    if not ranked or len(told[ranked[0]]) < _TELLING:
        return None
    best, *others = ranked
    is_one = not others or len(told[best]) > len(told[others[0]])
    return (best, told[best]) if is_one and _says_little_else(message, told[best], view) else None


def _says_little_else(message: str, values: dict[str, Any], view: View) -> bool:
    words = content(strip_polite_words(normal(message), view.lang), view.lang) - view.lang.words(
        "wish.joining"
    )
    said = frozenset(
        word for value in values.values() for word in content(normal(str(value)), view.lang)
    )
    return len(words - said) <= _BESIDE
