"""The dialogue act of a message: cancel, resume, repeat, skip, ask, chat, human, foreign."""

import re
from functools import cached_property

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.core.prompts import YES_NO_KINDS
from soni.du.context import FlowBrief
from soni.du.local.acts.tasks import find_paused_task, is_task_given_up
from soni.du.local.answers.answers import find_answer
from soni.du.local.intents.ranking import IntentReader
from soni.du.local.parse import NOTHING, UNCLEAR, Parse
from soni.du.local.values.codes import has_no_code
from soni.du.local.view import View
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import extract_words, list_forms, normalise, speak_name
from soni.language import Language

# A message of fewer words is no request that could be out of scope.
MIN_REQUEST_WORDS = 3
# Acts about the task; the others are said beside it.
_TASK_ACTS = ("cancel", "resume", "repeat", "skip", "human", "foreign")
_ANY_WORD = 0.01
_HALF = 0.5
_CLAUSES = re.compile(r"[,;.!]\s+")


class ActReader(IntentReader):
    """Reads the dialogue act of a message, or of a part of one."""

    def read_task_command(self) -> Parse:
        """An act about the task that is sure, whatever was asked."""
        if not self.view.has_models:
            return NOTHING
        act, likely = self.best_act
        # A single word is an act only by the lexicon.
        one = len(normalise(self.text).split()) < 2
        if one or act not in _TASK_ACTS or likely < self.limits.sure_act or not self._may_be(act):
            return NOTHING
        return self.make_reading(act, likely)

    def read_whole_message(self) -> Parse:
        """An act about the task, where the whole message says nothing else."""
        if not self.view.has_models or self.view.is_idle:
            return NOTHING
        acts = self.thought.reading.acts
        act = max(_TASK_ACTS, key=lambda one: acts.get(one, 0.0))
        likely, few = acts.get(act, 0.0), len(normalise(self.text).split()) < MIN_REQUEST_WORDS
        if few or likely < self.limits.whole_act or self._says_more or not self._may_be(act):
            return NOTHING
        return self.make_reading(act, likely)

    @property
    def _says_more(self) -> bool:
        informs = self.thought.reading.acts.get("inform", 0.0) >= 1 - self.limits.whole_act
        if informs or not self.starts_nothing:
            return True
        if self.view.lang.pattern("task.and_more").search(self.text) and self.wish.is_strong:
            return True
        said = self.thought.read_tags().commands
        return any(isinstance(one, SetSlot | CorrectSlot | StartFlow) for one in said)

    def _may_be(self, act: str) -> bool:
        match act:
            case "foreign":
                unlike = self.thought.flow.probabilities.get(None, 0.0) >= self.limits.start
                return unlike and self.wish.flow is None and not self.thought.read_tags().slots
            case "skip":
                ends = is_task_given_up(_CLAUSES.split(self.text)[-1], self.view)
                asks = self._is_yes_or_no or self.view.lang.pattern("task.asks").search(self.text)
                return self._may_skip and not ends and not asks
            case "human":
                refused = self.view.lang.pattern("cues.no_person").search(self.text) is not None
                return not refused and not find_flows_about_person(self.text, self.view)
            case "cancel":
                return (
                    not self._is_left_unchanged
                    and not self._is_no_to_asked
                    and (self.starts_nothing or not self.wish.is_strong)
                )
        return True

    @property
    def _is_left_unchanged(self) -> bool:
        lang, asks = self.view.lang, self.view.asks_yes_or_no
        left = lang.pattern("task.as_it_is").search(self.text) is not None
        return asks and left and not lang.pattern("task.not_after_all").search(self.text)

    @property
    def _is_no_to_asked(self) -> bool:
        """ "I won't need it" says no to what is asked, unless a word gives the task up."""
        asked = self.view.asked
        polar = asked is not None and asked.kind.is_polar
        return polar and self.view.lang.pattern("clues.cancel").search(self.text) is None

    @property
    def _is_yes_or_no(self) -> bool:
        """ "Not really, whenever you have time" answers what is asked."""
        asked = self.view.asked
        if asked is None or not asked.kind.is_polar:
            return False
        return find_answer(self.text, asked, self.view) is not None

    def read_small_talk(self) -> Parse:
        """Small talk and nothing else, where that is sure."""
        # A word or two are small talk by the lexicon, or noise.
        short = len(normalise(self.text).split()) < MIN_REQUEST_WORDS
        if short or not self.view.has_models or self.thought.acts["chat"] < self.limits.chat:
            return NOTHING
        meant = self.view.is_idle and self.wish.best[1] >= self.limits.question
        wanted = meant and self.wish.flow is not None
        if wanted or self.thought.read_tags().slots:
            return NOTHING
        return self.make_reading(*self.best_act)

    def read_aside(self) -> Parse:
        """Small talk or hesitation where a choice or a value with a form was asked.

        The tagger takes anything for an answer there, so the meaning of the words decides.
        """
        if not self.view.has_models or not (self.view.asks_for_form or self._has_no_code):
            return NOTHING
        sense = self.thought.sense
        if (
            len(normalise(self.text).split()) >= MIN_REQUEST_WORDS
            and sense["chat"] >= self.limits.chat
        ):
            return self.make_reading("chat", sense["chat"])
        return UNCLEAR if sense["pause"] >= self.limits.chat else NOTHING

    def read_act(self) -> Parse:
        """The act by the meaning of the message."""
        if self.view.lang.pattern("cues.human").search(self.text) and self._may_be("human"):
            return Parse((HumanHandoff(),))
        if not self.view.has_models:
            return NOTHING
        act, likely = self.best_act
        if act == "human" and not self._may_be("human"):
            return NOTHING
        clue = self.view.lang.pattern(f"clues.{act}").search(self.text)
        if likely < self.limits.sure_act and clue is None:
            return NOTHING
        # The answer to a question for a name may be any words.
        named = self.view.asked is not None and self.view.asked.kind.is_short_text
        free = named and not self._has_no_code
        # A single word is an act only by the lexicon.
        if len(normalise(self.text).split()) < 2:
            return NOTHING
        strong = free or act in ("ask", "chat")
        if likely < (self.limits.strong_act if strong else self.limits.act):
            return NOTHING
        return self.make_reading(act, likely)

    @property
    def _has_no_code(self) -> bool:
        asked = self.view.asked
        return asked is not None and has_no_code(self.text, asked, self.view.lang)

    @cached_property
    def best_act(self) -> tuple[str, float]:
        """The likeliest act and its probability."""
        acts = self.thought.acts
        act = max(acts, key=lambda one: acts[one])
        return act, acts[act]

    def make_reading(self, act: str, likely: float) -> Parse:
        command = self._make_command(act)
        return Parse((command,), likely) if command is not None else NOTHING

    def _make_command(self, act: str) -> Command | None:
        view = self.view
        match act:
            case "affirm" if view.asks_yes_or_no and self._is_heard_twice:
                return AffirmConfirmation()
            case "deny" if view.asks_yes_or_no:
                return DenyConfirmation()
            case "cancel" if not view.is_idle:
                return CancelFlow()
            case "resume" if view.context.paused_flows:
                return ResumeFlow(flow_name=find_paused_task(self.text, view, least=_ANY_WORD))
            case "foreign" if self._asks_or_wishes:
                return self.make_out_of_scope()
            case "skip" if view.kind == "collect" and self._may_skip:
                return SkipSlot()
            case "human":
                return HumanHandoff()
            case "repeat":
                return RepeatLast()
            case "ask":
                return Clarify(topic=self.text)
            case "chat" if not self.thought.is_noise:
                return ChitChat()
        return None

    @property
    def _is_heard_twice(self) -> bool:
        """Whether the tagger hears a yes too, which is needed where a yes carries something out."""
        heard = self.thought.reading.acts.get("affirm", 0.0)
        return self.view.kind not in YES_NO_KINDS or heard >= _HALF

    @property
    def _asks_or_wishes(self) -> bool:
        """Whether it can be a request at all: a word or two are none."""
        some = len(normalise(self.text).split()) >= MIN_REQUEST_WORDS and not self.thought.is_noise
        asks = self.view.is_idle or is_question(self.text, self.view.lang, answering=False)
        return some and (asks or self.best_act[1] >= self.limits.sure_act)

    def make_out_of_scope(self) -> Command:
        """Out of scope, or a question if the knowledge has a similar one."""
        if self.thought.likeness_to_questions >= self.limits.known:
            return Clarify(topic=self.text)
        return OutOfScope(topic=self.text)

    @property
    def is_foreign_question(self) -> bool:
        """Whether a question is out of scope.

        By the tagger and by meaning together: either alone is wrong twice as often.
        """
        if len(normalise(self.text).split()) < MIN_REQUEST_WORDS or self.thought.read_tags().slots:
            return False
        here, sense = self.thought.reading.acts, self.thought.sense
        foreign = here.get("foreign", 0.0) + sense["foreign"]
        asks = here.get("ask", 0.0) + sense["ask"]
        return foreign >= self.limits.act and foreign > asks

    @property
    def is_foreign_wish(self) -> bool:
        """Whether a request is out of scope."""
        foreign = self.thought.sense["foreign"] >= self.limits.start
        return self.wish.best[0] is None or (self.wish.is_doubted and foreign)

    @property
    def _may_skip(self) -> bool:
        asked = self.view.asked
        optional = asked is not None and not asked.required
        return optional or self.view.lang.pattern("clues.skip").search(self.text) is not None

    @property
    def starts_nothing(self) -> bool:
        """Whether the tagger is sure that no flow is wanted."""
        return self.thought.reading.flows.get(None, 0.0) >= self.limits.whole_act


def calls_for_person(message: str, lang: Language) -> bool:
    """Whether the user asks for a person, whatever else is said: "get me an agent"."""
    people, nobody = lang.pattern("cues.people"), lang.pattern("cues.no_person")
    called = lang.pattern("cues.person").search(message) and not people.search(message)
    return bool(called) and not nobody.search(message)


def find_flows_about_person(message: str, view: View) -> list[str]:
    """Flows about the person who is asked for: "talk to a therapist", where one can be booked."""
    match = view.lang.pattern("person.talks").search(message)
    who = extract_words(normalise(match["who"]), view.lang) if match else frozenset()
    if not who or who & view.lang.words("person.anybody"):
        return []
    return [
        flow.name
        for flow in view.context.available_flows
        if who <= _collect_flow_words(flow, view.lang)
    ]


def _collect_flow_words(flow: FlowBrief, lang: Language) -> frozenset[str]:
    values = [form.replace("_", " ") for slot in flow.slots for form in list_forms(slot)]
    texts = (speak_name(flow.name), flow.description, *flow.examples, *values)
    return frozenset().union(*(extract_words(normalise(text), lang) for text in texts))
