"""Two things in one message, each clear by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from soni.commands import CancelFlow, Clarify, CorrectSlot, HumanHandoff, SetSlot, StartFlow
from soni.du.local.analysis import Analysis
from soni.du.local.answers.answers import find_answer
from soni.du.local.corrections.changes import find_changes
from soni.du.local.corrections.replacement import has_correction_cue
from soni.du.local.exact import read_exact
from soni.du.local.intents.ranking import elaborates_request, join_intents
from soni.du.local.limits import LIMITS, Limits
from soni.du.local.parse import NOTHING, Parse, make_sure_parse
from soni.du.local.segment import Segment
from soni.du.local.view import View
from soni.du.local.words.lexicon import is_greeting, means
from soni.du.local.words.mentions import find_named_flow
from soni.du.local.words.questions import is_question, split_message, split_question
from soni.du.local.words.words import normalise

# An answer beside a question has few words.
_MAX_ANSWER_WORDS: Final = 4
# A part with no word of any flow starts none.
_ANY_WORD: Final = 0.01
_HALF: Final = 0.5


@dataclass(frozen=True)
class ClauseReader:
    """Reads the clauses of a message, each by itself."""

    view: View
    history: Sequence[Any]
    limits: Limits = LIMITS
    thoughts: dict[str, Analysis] = field(default_factory=dict)
    """The analyses of the message and its parts so far."""

    def make_segment(self, text: str, *, cue: bool = False) -> Segment:
        """A text as one; `cue`: the words before it announce a correction."""
        return Segment(text, self.view, self.analyse(text), self.limits, cue)

    def analyse(self, text: str) -> Analysis:
        """What the models say of a text."""
        return self.thoughts.setdefault(text, Analysis(text, self.history, self.view.context))

    def read_joined(self, message: str) -> Parse:
        """The commands of two clauses; none if they are no two."""
        if self.view.is_listed:
            return NOTHING
        for said, asked in split_question(message, self.view.lang):
            left = self._read_part(said) or self._read_short_answer(said)
            if means(normalise(said), "skip", self.view.lang):
                # "No idea, where do I find it?" asks, and passes over nothing yet.
                return self._read_part(asked) or Parse((Clarify(topic=asked),))
            if left and not elaborates_request(left, asked, self.view):
                return left + (self._read_part(asked) or Parse((Clarify(topic=asked),)))
        for first, second in split_message(message, self.view.lang):
            if self.view.lang.pattern("clauses.between").search(first):
                continue
            left, right = self._read_part(first), self._read_part(second)
            # Who is annoyed says so as well: "this is useless, get me a person".
            for one, other in ((left, right), (right, left)):
                if not other and one.has(HumanHandoff):
                    return one
            if not (left and right) and (self._ends_task(first) or self._ends_task(second)):
                return Parse((CancelFlow(),))
            if left and right and _list_kinds(left) != _list_kinds(right):
                if left.has(StartFlow) and right.has(StartFlow):
                    intents = (self.make_segment(one).intent for one in (message, first, second))
                    if wish := join_intents(*intents):
                        return wish
                if elaborates_request(left, second, self.view):
                    right = right.without(Clarify)
                both = self._drop_handoff(left + right, message)
                # Nothing is going on that could be given up.
                return both.without(CancelFlow) if self.view.is_idle else both
        return NOTHING

    def _ends_task(self, part: str) -> bool:
        """ "..., forget about the order": why it is given up may be said as well."""
        if self.view.is_idle:
            return False
        plain = means(normalise(part), "cancel", self.view.lang)
        if plain and self.view.lang.pattern("clauses.gives_up").search(part):
            return True
        return bool(self.make_segment(part).read_cancelled_task())

    def _drop_handoff(self, both: Parse, message: str) -> Parse:
        """ "..., can you send somebody?" wants somebody to come, not to talk."""
        if not self.view.has_models or not both.has(StartFlow):
            return both
        wanted = self.analyse(message).reading.acts.get("human", 0.0)
        return both if wanted >= _HALF else both.without(HumanHandoff)

    def _read_part(self, text: str) -> Parse:
        plain = read_exact(text, self.view)
        if plain is not None:
            return Parse((plain,))
        piece = self.make_segment(text)
        if is_question(text, self.view.lang, answering=True):
            return piece.read_question()
        lang = self.view.lang
        person = lang.pattern("clues.human").search(text)
        if self.view.has_models and person and not lang.pattern("cues.people").search(text):
            acted = piece.act_reader.read_act()
            if acted.has(HumanHandoff):
                return acted
        clear = piece.read_task_request() or Parse(tuple(find_changes(text, self.view)))
        if clear:
            return clear
        flows = self.view.context.available_flows
        if find_named_flow(text, flows, lang, least=_ANY_WORD) is not None:
            started = piece.intent.read_start() if piece.intent.is_strong else NOTHING
            if started:
                return started
        if has_correction_cue(text, lang):
            changed = self.make_segment(text, cue=True)
            return changed.read_change() or changed.read_values().only(CorrectSlot)
        return self._read_part_answer(text)

    def _read_short_answer(self, text: str) -> Parse:
        """A word or two before a question: "1234, and why do you need it?"."""
        said = normalise(text)
        if len(said.split()) > _MAX_ANSWER_WORDS or is_greeting(said, self.view.lang):
            return NOTHING
        return make_sure_parse(self.make_segment(text).make_free_answer())

    def _read_part_answer(self, text: str) -> Parse:
        slot = self.view.asked
        if slot is None or not slot.kind.has_form:
            return NOTHING
        value = find_answer(text, slot, self.view)
        return Parse((SetSlot(slot_name=slot.name, value=value),)) if value is not None else NOTHING


def _list_kinds(read: Parse) -> set[tuple[str, str]]:
    return {(one.type, str(getattr(one, "flow_name", ""))) for one in read.commands}
