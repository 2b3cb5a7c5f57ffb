"""Segment: a message, or a part of one, read as a whole."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from soni.commands import CancelFlow, Clarify, Command, CorrectSlot, ResumeFlow, SetSlot, StartFlow
from soni.du.local.acts.act import MIN_REQUEST_WORDS, ActReader
from soni.du.local.acts.tasks import find_resumed_task, is_task_given_up
from soni.du.local.analysis import Analysis
from soni.du.local.answers.answers import find_answer, strip_lead
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.answers.name_answer import NameAnswer
from soni.du.local.corrections.amendment import Amendment
from soni.du.local.corrections.changes import find_proposed_value, find_wrong_slot
from soni.du.local.intents.flow_values import FlowValues
from soni.du.local.intents.ranking import Intent
from soni.du.local.limits import Limits
from soni.du.local.parse import NOTHING, Parse, make_sure_parse
from soni.du.local.values.codes import has_no_code
from soni.du.local.view import View
from soni.du.local.words.lexicon import strip_polite_words
from soni.du.local.words.questions import asks_openly, is_question
from soni.du.local.words.words import extract_words, normalise

# Words beside the values; with more of them it is a sentence of its own.
_MAX_OTHER_WORDS: Final = 2
# So many values of one flow, and fewer of any other, tell which it is.
_MIN_VALUES: Final = 2
_MIN_INFORM = 0.3


@dataclass(frozen=True)
class Segment:
    """A message, or a part of one, in its moment."""

    text: str
    view: View
    thought: Analysis
    limits: Limits
    cue: bool = False
    """Whether the words before it announce a correction: "no, ..."."""

    def read(self) -> Parse:
        """The first way to read it that says something."""
        found = (
            self.read_task_request()
            or self.act_reader.read_task_command()
            or self.read_change()
            or _make_start(find_repeated_flow(self.text, self.view))
            or self.read_question()
            or self.read_new_flow()
            or self.read_answer()
            or self.intent.read_start()
            or _make_start(find_flow_by_values(self.text, self.view))
            or self.act_reader.read_act()
            or self.act_reader.read_aside()
        )
        if found or found.settled:
            return found
        return make_sure_parse(self.make_free_answer()) or self.read_other_request()

    def read_long(self) -> Parse:
        """A story: the flow it is about, or the answer to what was asked."""
        answer = make_sure_parse(self.make_free_answer())
        if answer or not self.view.has_models:
            return answer
        return self.intent.read_start()

    @cached_property
    def intent(self) -> Intent:
        """The flow it wants."""
        return Intent(self.thought, self.view, self.limits)

    @cached_property
    def act_reader(self) -> ActReader:
        """The reader of its dialogue act."""
        return ActReader(self.intent, self.view, self.limits)

    def read_task_request(self) -> Parse:
        """Resume, cancel or repeat a task."""
        back = find_resumed_task(self.text, self.view)
        if back is not None:
            return Parse((ResumeFlow(flow_name=back),))
        return self.read_cancelled_task() or self._read_repetition()

    def read_cancelled_task(self) -> Parse:
        """What is going on is given up by its name."""
        if not is_task_given_up(self.text, self.view):
            return NOTHING
        this = self.view.lang.pattern("cues.this").search(self.text)
        return Parse((CancelFlow(),)) if this or not self.intent.is_strong else NOTHING

    def _read_repetition(self) -> Parse:
        """ "Book another one in Porto"."""
        context = self.view.context
        tasks = [context.current_flow, *(task.flow for task in context.others)]
        known = [name for name in tasks if name != "none"]
        another = self.view.lang.pattern("cues.another").search(self.text)
        if not known or self.view.is_listed or not another or self._is_answer:
            return NOTHING
        if self.view.kind == "confirm" and find_wrong_slot(self.text, self.view):
            return NOTHING
        name, likely = self.intent.best
        if name is None or likely < self.limits.start:
            if not self.view.lang.pattern("cues.one_more").search(self.text):
                return NOTHING
            by_example = self.thought.flow.probabilities if self.view.has_models else {}
            name = max(known, key=lambda one: by_example.get(one, 0.0))
            likely = self.limits.start
        if name not in known:
            return NOTHING
        is_open = name in (context.current_flow, *context.paused_flows)
        slots = self.intent.find_start_slots(name)
        return Parse((StartFlow(flow_name=name, slots=slots, another=is_open),), likely)

    def read_new_flow(self) -> Parse:
        """Another flow, where the words are clearly not what was asked for."""
        if len(normalise(self.text).split()) < MIN_REQUEST_WORDS or not self.intent.is_strong:
            return NOTHING
        return NOTHING if self._is_answer or self._is_heard_here else self.intent.read_start()

    @property
    def _is_heard_here(self) -> bool:
        if not self.view.has_models or not self.act_reader.starts_nothing:
            return False
        likely = map(self.thought.score_slot, self.view.active)
        return any(one >= self.limits.whole_act for one in likely)

    @property
    def _is_answer(self) -> bool:
        slot = self.view.asked
        if slot is None or not slot.kind.has_form or not self.view.has_models:
            return False
        heard = self.thought.reading.flows.get(None, 0.0) >= self.limits.start
        return heard and find_answer(self.text, slot, self.view) is not None

    @cached_property
    def amendment(self) -> Amendment:
        """The reader of its corrections."""
        return Amendment(self.intent, self.view, self.limits, self.cue)

    def read_change(self) -> Parse:
        """Another value for a slot that has one, or that one is not right."""
        return self.amendment.read()

    def read_question(self) -> Parse:
        """A question: one that a flow answers, one that gives values, or one beside."""
        asks = is_question(self.text, self.view.lang, answering=self.view.asked is not None)
        if self.view.lang.pattern("cues.polite").match(self.text):
            asks = False
        offer = find_proposed_value(self.text, self.view) if asks else None
        if offer is not None:
            return Parse((offer,))
        about = self._requested_slots
        # A word or two that do not ask are an answer.
        is_short = len(normalise(self.text).split()) < MIN_REQUEST_WORDS
        if not asks and (is_short or not about):
            return NOTHING
        aside = self._read_aside()
        if aside:
            return aside
        lang = self.view.lang
        fact = lang.pattern("cues.fact").search(self.text)
        wishes = not fact and lang.pattern("cues.wishing").match(self.text)
        if self.intent.is_meant and (wishes or self.intent.may_be_question()):
            return self.intent.read_start()
        formed = NOTHING if asks_openly(self.text, lang) else self._read_values_by_form()
        if formed and not about:
            return formed
        return formed + Parse((Clarify(topic=self.text),), 1.0, about)

    def _read_aside(self) -> Parse:
        """Small talk in the form of a question, or a question that this assistant is not for."""
        if not self.view.has_models or self.intent.is_meant:
            return NOTHING
        act, likely = self.act_reader.best_act
        if act in ("chat", "foreign") and likely >= self.limits.sure_act:
            return self.act_reader.make_reading(act, likely)
        if not self.act_reader.is_foreign_question:
            return NOTHING
        return Parse((self.act_reader.make_out_of_scope(),), likely)

    def _read_values_by_form(self) -> Parse:
        """The values in "is there one on Friday?": only what has a form, or is named."""
        formed = {
            slot.name: value
            for slot in self.view.active
            if slot.kind.has_form and (value := find_answer(self.text, slot, self.view)) is not None
        }
        said = self.read_values().only(SetSlot, CorrectSlot)
        kept = tuple(c for c in said.commands if getattr(c, "slot_name", None) in formed)
        return Parse(kept, said.confidence)

    @property
    def _requested_slots(self) -> tuple[str, ...]:
        if not self.view.has_models:
            return ()
        asks = self.thought.reading.acts.get("request", 0.0) >= self.limits.start
        return tuple(self.thought.read_tags().requested) if asks else ()

    def read_answer(self) -> Parse:
        """The asked slot, and whatever else was given along with it."""
        slot = self.view.asked
        rest = self.read_values()
        if self.view.is_listed and len(normalise(self.text).split()) < MIN_REQUEST_WORDS:
            # A word that is none of the list was meant to be.
            names = {one.name for one in self.view.active if one.kind.is_short_text}
            kept = tuple(c for c in rest.commands if getattr(c, "slot_name", None) not in names)
            return Parse(kept, rest.confidence)
        if slot is None or self.view.is_listed or slot.kind.is_structured:
            return rest
        value = find_answer(self.text, slot, self.view)
        if value is None:
            named = NameAnswer(self.text, self.view, self.amendment.is_hinted)
            return Parse(tuple(map(named.complete_name, rest.commands)), rest.confidence)
        # An answer changes something else only where its words say so.
        but = slot.kind.is_polar and self.view.lang.pattern("clauses.but").search(self.text)
        hinted = self.amendment.is_hinted or but
        others = tuple(
            c
            for c in rest.commands
            if getattr(c, "slot_name", None) != slot.name
            and not self._is_within(c, value)
            and (hinted or not isinstance(c, CorrectSlot))
        )
        return Parse((SetSlot(slot_name=slot.name, value=value), *others), rest.confidence)

    def _is_within(self, command: Command, value: Any) -> bool:
        """Whether a command would take the answer again, or the only number in it."""
        said = command.get_touched_slots().values()
        words = normalise(str(value)).split()
        once = (str(one) for one in said if normalise(self.text).split().count(str(one)) == 1)
        return value in said or any(one.isdecimal() and one in words for one in once)

    def read_values(self) -> Parse:
        """What is said for the slots of the active flow."""
        return FlowValues(self.text, self.view, self.thought).read_values()

    def read_free_text(self) -> Parse:
        """A text as it is; of one that is put into quotes what they hold."""
        quoted = self.view.lang.pattern("clauses.quoted").fullmatch(self.text)
        slot = self.view.asked
        if quoted is None or slot is None:
            return make_sure_parse(self.make_free_answer())
        return Parse((SetSlot(slot_name=slot.name, value=quoted["text"]),))

    def make_free_answer(self) -> Command | None:
        """The text itself as the answer to the open question."""
        slot = self.view.asked
        if slot is None or not self.text:
            return None
        free = slot.kind.is_short_text and not self.view.is_listed
        asks = self.text.endswith("?") and normalise(self.text)
        if asks and slot.kind.has_form and not self.view.is_listed:
            return Clarify(topic=self.text)
        if free and has_no_code(self.text, slot, self.view.lang) and not self._has_answer:
            return None
        led = free or any(map(str.isdecimal, self.text))
        value = strip_lead(self.text, self.view.language) if led else self.text
        return SetSlot(slot_name=slot.name, value=value)

    @property
    def _has_answer(self) -> bool:
        acts = self.thought.reading.acts if self.view.has_models else {}
        return acts.get("inform", 0.0) >= _MIN_INFORM

    def read_other_request(self) -> Parse:
        """Nothing that the assistant does: a question, or a wish for something else."""
        if is_question(self.text, self.view.lang, answering=False):
            elsewhere = self.view.has_models and self.act_reader.is_foreign_question
            asked = self.act_reader.make_out_of_scope() if elsewhere else Clarify(topic=self.text)
            return Parse((asked,), 1.0, self._requested_slots)
        if not (self.view.has_models and self.view.is_idle):
            return NOTHING
        words, lang = normalise(self.text), self.view.lang
        # What is no word at all may be anything.
        is_word = extract_words(words, lang) and not self.thought.is_noise
        if words in lang.table("lexicon.ordinals") or not is_word:
            return NOTHING
        if self.act_reader.is_foreign_wish and len(words.split()) >= MIN_REQUEST_WORDS:
            return Parse((self.act_reader.make_out_of_scope(),), self.intent.best[1])
        return NOTHING


def _make_start(found: tuple[str, dict[str, Any]] | None) -> Parse:
    return Parse((StartFlow(flow_name=found[0], slots=found[1]),)) if found else NOTHING


def find_repeated_flow(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The flow that ended last, for something else: "and my savings?"."""
    match = view.lang.pattern("wish.once_more").fullmatch(message.strip())
    last = next((task.flow for task in view.context.others if not task.open), None)
    if match is None or last is None or not view.is_idle:
        return None
    values = find_given_values(match["rest"], view.list_slots(last), view)
    return (last, values) if values and _says_little_else(match["rest"], values, view) else None


def find_flow_by_values(message: str, view: View) -> tuple[str, dict[str, Any]] | None:
    """The one flow that asks for all that the message names."""
    if not view.is_idle:
        return None
    flows = view.context.available_flows
    told = {flow.name: find_given_values(message, flow.slots, view) for flow in flows}
    ranked = sorted(told, key=lambda name: -len(told[name]))
    if not ranked or len(told[ranked[0]]) < _MIN_VALUES:
        return None
    best, *others = ranked
    is_one = not others or len(told[best]) > len(told[others[0]])
    return (best, told[best]) if is_one and _says_little_else(message, told[best], view) else None


def _says_little_else(message: str, values: dict[str, Any], view: View) -> bool:
    words = extract_words(strip_polite_words(normalise(message), view.lang), view.lang)
    said = (extract_words(normalise(str(value)), view.lang) for value in values.values())
    return len(words.difference(view.lang.words("wish.joining"), *said)) <= _MAX_OTHER_WORDS
