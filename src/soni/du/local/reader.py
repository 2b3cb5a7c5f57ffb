"""Reads a message into commands: what is plain first, then its parts, then the whole of it."""

import re
from dataclasses import dataclass, replace
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du.local.acts.act import calls_for_person, find_flows_about_person
from soni.du.local.acts.consent import drop_reserved_yes
from soni.du.local.answers.answers import find_answer, is_hesitation, needs_words, strip_reassurance
from soni.du.local.answers.picks import pick_listed_item
from soni.du.local.clauses import ClauseReader
from soni.du.local.command_examples import match_likeness
from soni.du.local.confidence import ConfidenceFeatures
from soni.du.local.corrections.changes import (
    find_changes,
    find_changes_by_kind,
    find_denied_slot,
    switch_booleans,
)
from soni.du.local.corrections.replacement import replace_value
from soni.du.local.exact import read_exact
from soni.du.local.limits import STORY_LENGTH
from soni.du.local.parse import NOTHING, UNCLEAR, Parse, make_sure_parse
from soni.du.local.values.choices import find_choice
from soni.du.local.view import View
from soni.du.local.words.lexicon import Opening, is_greeting, is_yes_or_no, means, strip_opening
from soni.du.local.words.words import normalise

_GAPS: Final = re.compile(r"\s{3,}|[ \t]{2,}")

_SIGNS_ONLY: Final = re.compile(r"[\s.,;:!?…¡¿\"'“”]*")

# A message is taken apart at most so often: "no, wait, ...".
_MAX_DEPTH: Final = 3

_HALF: Final = 0.5


@dataclass(frozen=True)
class Reader(ClauseReader):
    """Reads one message in its moment."""

    def read(self, message: str) -> Parse:
        """The commands of a message, and how likely they are right."""
        signs = self.extract_features(message)
        return replace(signs.read, confidence=signs.confidence)

    def extract_features(self, message: str) -> ConfidenceFeatures:
        """The commands of a message, with the features of their confidence."""
        text = _GAPS.sub(" ", message.strip())
        read = drop_reserved_yes(text, self._read_whole(message, text), self.view)
        read = self._prefer_answer(read)
        thought = self.thoughts.get(text)
        return ConfidenceFeatures(text, self.view, read, thought.known_reading if thought else None)

    def _prefer_answer(self, read: Parse) -> Parse:
        """ "Hard to say... three days?": who gives an answer after all has not passed."""
        asked = self.view.context.waiting_for_slot
        given = any(isinstance(c, SetSlot) and c.slot_name == asked for c in read.commands)
        return read.without(SkipSlot) if given else read

    def _read_whole(self, message: str, text: str) -> Parse:
        if self.view.asked is not None and self.view.asked.kind.takes_message:
            piece = self.make_segment(message.strip())
            return (
                make_sure_parse(read_exact(message, self.view))
                or piece.act_reader.read_whole_message()
                or piece.read_free_text()
            )
        if len(text) > STORY_LENGTH:
            sure = make_sure_parse(read_exact(text, self.view))
            return sure or self.make_segment(text).read_long()
        return self._read_text(text, 0, cue=False)

    def _read_by_tagger(self, message: str) -> Parse:
        """The tagger decides alone for assistants without examples: it was trained on such."""
        flows = self.view.context.available_flows
        if not self.view.has_models or not flows or any(flow.examples for flow in flows):
            return NOTHING
        tagged = self.analyse(message).read_all_tags()
        text = normalise(message)
        passes = " " in text or means(text, "skip", self.view.lang)
        done = tuple(
            c
            for c in tagged.commands
            if not isinstance(c, Clarify) and (passes or not isinstance(c, SkipSlot))
        )
        if self._is_name_asked and " " not in message and not tagged.slots:
            # A single word where a name was asked is that name.
            return NOTHING
        about = tuple(tagged.requested)
        asked = (Clarify(topic=message),) if about else ()
        return Parse((*done, *asked), tagged.confidence, about)

    def _read_text(self, message: str, depth: int, *, cue: bool) -> Parse:
        text, lang = normalise(message), self.view.lang
        piece = self.make_segment(message, cue=cue)
        # Signs alone may still be an answer, but "..." is nobody's name.
        if not text:
            silent = self._is_name_asked and _SIGNS_ONLY.fullmatch(message)
            return NOTHING if silent else make_sure_parse(piece.make_free_answer())
        plain = read_exact(message, self.view, cue=cue)
        if plain is not None:
            return Parse((plain,))
        if is_hesitation(text, self.view):
            return NOTHING
        polite = is_greeting(text, lang) or strip_reassurance(text, self.view) == ""
        if polite and not self._is_name_asked and not self._names_choice(message):
            return Parse((ChitChat(),))
        if self.view.asked is not None and is_yes_or_no(text, lang):
            if needs_words(text, self.view):
                return NOTHING
            return make_sure_parse(piece.make_free_answer())
        about = find_flows_about_person(message, self.view)
        if calls_for_person(message, lang) and not about:
            return Parse((HumanHandoff(),))
        if len(about) == 1 and self.view.is_idle and piece.intent.flow is None:
            slots = piece.intent.find_start_slots(about[0])
            return Parse((StartFlow(flow_name=about[0], slots=slots),))
        pick = pick_listed_item(message, self.view)
        if pick is not None:
            return Parse((pick,))
        if depth == 0 and (own := match_likeness(piece.thought, self.view, self.limits)):
            return own
        tagged = self._read_by_tagger(message) if depth == 0 else NOTHING
        if tagged:
            return tagged
        deed = piece.act_reader
        if depth == 0 and (
            aside := piece.read_cancelled_task()
            or deed.read_small_talk()
            or deed.read_whole_message()
        ):
            return aside
        parts = self._read_parts(message, depth) if depth < _MAX_DEPTH else NOTHING
        return parts if parts or parts.settled else piece.read()

    def _names_choice(self, message: str) -> bool:
        """ "Morning" is a greeting, or the part of the day that a slot is about."""
        choices = (slot for slot in self.view.active if slot.kind.has_values)
        return any(find_choice(message, slot, self.view.lang) is not None for slot in choices)

    @property
    def _is_name_asked(self) -> bool:
        """Whether any word may be the answer."""
        return self.view.asked is not None and self.view.asked.kind.is_short_text

    def _read_parts(self, message: str, depth: int) -> Parse:
        turned = switch_booleans(message, self.view)
        if turned:
            return Parse(tuple(turned))
        if replace_value(message, self.view):
            # "Five, not three": the second part is no answer.
            return self.make_segment(message).read_change()
        after = self._read_after_done(message, depth)
        if after:
            return after
        opening = strip_opening(message, self.view.lang, asked=self.view.asks_yes_or_no)
        if opening is None:
            return self.read_joined(message)
        if opening.meaning == "sorry" and (new := self._read_renaming(message)):
            return new
        read = self._read_opening(opening, depth)
        return read if read or read.settled or opening.but else self.read_joined(message)

    def _read_renaming(self, message: str) -> Parse:
        """ "Actually, I'd rather be at Elm Park" where a day is asked: another name.

        Without its first word the tagger would hear less in it.
        """
        view, slot = self.view, self.view.asked
        if not view.has_models or slot is None or not view.asks_for_form:
            return NOTHING
        if find_changes(message, view) or find_changes_by_kind(message, view):
            return NOTHING
        names = {one.name for one in view.filled if one.kind.is_short_text}
        heard = self.make_segment(message, cue=True).read_values()
        new = [c for c in heard.commands if getattr(c, "slot_name", None) in names]
        only = len(new) == len(heard.commands) == 1 and heard.has(CorrectSlot)
        return heard if only and find_answer(message, slot, view) is None else NOTHING

    def _read_after_done(self, message: str, depth: int) -> Parse:
        """ "I ordered one, but ...": whoever did it already does not want to do it now."""
        match = self.view.lang.pattern("cues.done").fullmatch(message)
        if match is None or not self.view.is_idle or not self.view.has_models:
            return NOTHING
        done, likely = self.make_segment(match["done"]).intent.best
        if done is None or likely < self.limits.start:
            return NOTHING
        context = self.view.context
        others = tuple(flow for flow in context.available_flows if flow.name != done)
        left = View(context.model_copy(update={"available_flows": others}))
        apart = replace(self, view=left, thoughts={})
        return apart._read_text(match["now"], depth + 1, cue=False).only(StartFlow)

    def _read_opening(self, opening: Opening, depth: int) -> Parse:
        """ "Yes, and ...", "no, ...", "never mind, ...", "wait, ..."."""
        if opening.meaning == "before":
            # Something else is to be done: less is needed to hear what.
            eager = replace(self.limits, interrupt=self.limits.start)
            read = replace(self, limits=eager)._read_text(opening.rest, depth + 1, cue=False)
            return read if read.has(StartFlow, ResumeFlow, Clarify, CorrectSlot) else NOTHING
        if opening.meaning in ("sorry", "well"):
            return self._read_text(opening.rest, depth + 1, cue=opening.meaning == "sorry")
        if self.view.asked is not None and self.view.asked.kind.is_polar:
            return NOTHING
        if opening.meaning == "stop":
            rest = self._read_text(opening.rest, depth + 1, cue=False)
            goes_on = rest.has(StartFlow, Clarify, ResumeFlow)
            if rest.has(CancelFlow) or (not goes_on and self._gives_up(opening.rest)):
                return Parse((CancelFlow(),))
            return Parse((CancelFlow(),)) + rest if goes_on else NOTHING
        if opening.meaning == "yes":
            return self._read_after_yes(opening, depth)
        return self._read_after_no(opening.rest, depth)

    def _gives_up(self, rest: str) -> bool:
        """ "Never mind, I'll stay at home": nothing that could be an answer."""
        view = self.view
        if view.is_idle or not view.has_models:
            return False
        thought = self.analyse(rest)
        return not thought.read_tags().slots and thought.reading.acts.get("inform", 0.0) < _HALF

    def _read_after_yes(self, opening: Opening, depth: int) -> Parse:
        if not self.view.asks_yes_or_no:
            is_asked = self.view.asked is not None
            return NOTHING if is_asked else self._read_text(opening.rest, depth + 1, cue=False)
        more = self._read_text(opening.rest, depth + 1, cue=opening.but)
        # "Yes, but wait" agrees to nothing, nor does "yes no".
        if (opening.but and not more) or more.has(DenyConfirmation):
            return UNCLEAR
        kept = more.only(StartFlow, ResumeFlow, Clarify, CorrectSlot, SetSlot, HumanHandoff)
        return Parse((AffirmConfirmation(),)) + kept

    def _read_after_no(self, rest: str, depth: int) -> Parse:
        view = self.view
        if view.kind == "confirm":
            changes = find_changes(rest, view) or find_changes_by_kind(rest, view)
            slot = None if changes else find_denied_slot(rest, view)
            if slot is not None:
                return Parse((slot,))
        more = self._read_text(rest, depth + 1, cue=True).without(AffirmConfirmation)
        if not view.asks_yes_or_no:
            if self._needs_nothing(rest):
                return Parse((SkipSlot(),))
            return more if more.has(CorrectSlot, CancelFlow) else NOTHING
        if more.has(CancelFlow) and more.confidence < 1:
            # "No, don't" to a question is a no to what was asked, unless it surely is more.
            more = more.without(CancelFlow)
        if more.has(CorrectSlot, SetSlot, CancelFlow):
            return more
        return Parse((DenyConfirmation(),)) + more.only(StartFlow, HumanHandoff, Clarify)

    def _needs_nothing(self, rest: str) -> bool:
        """ "No, nothing" where an answer may be left out."""
        slot, text = self.view.asked, normalise(rest)
        none = any(means(text, meaning, self.view.lang) for meaning in ("deny", "skip"))
        return none and slot is not None and not slot.required
