"""The name that was asked for, where the tagger has taken a part of it or too much."""

import re
from dataclasses import dataclass

from soni.commands import Command, CorrectSlot, SetSlot
from soni.du.local.answers.given import given
from soni.du.local.answers.leads import whole
from soni.du.local.values.codes import is_code
from soni.du.local.values.route import route
from soni.du.local.view import View
from soni.du.local.words.words import normal

# Asked like this, the whole of a message is the answer.
_OPEN = re.compile(
    r"\b(?:what happened|tell (?:me|us)|describe|explain|qué ha pasado|cuéntame)\b",
    re.IGNORECASE,
)
# No sentence has such signs: whoever types them means them.
_SIGNS = re.compile(r"[{}<>%\\^*=|~\[\]]")
# "My sister Clara Lopez" is a name; what is longer is a sentence.
_NAME_WORDS = 5
# "My son can't have peanuts" says what, and not only whose.
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|must|does|do|did|needs?|"
    r"wants?|likes?|loves?|hates?|eats?|takes?|reacts?)\b|\w+n['\u2019]?t\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;!?]|\.\s|\b(?:and|but)\b", re.IGNORECASE)
# Beside these, words are a sentence about a name, and not a part of it.
_FUNCTION = frozenset({
    *("a", "an", "the", "is", "are", "was", "were", "be", "it", "its", "it's", "this", "that", "i"),
    *("i'm", "i'd", "i'll", "we", "you", "he", "she", "they", "my", "your", "our", "me", "us"),
    *("for", "from", "of", "in", "on", "at", "by", "to", "with", "called", "named", "name"),
    *("under", "round", "around", "near", "into"),
    *("want", "need", "like", "would", "will", "should", "can", "could", "do", "does", "have"),
    *("has", "let", "let's"),
    *("make", "put", "take", "go", "please", "actually", "not", "think", "guess", "sorry", "wait"),
    *("just", "maybe", "then", "now", "there", "here", "so", "or", "if", "as", "ok", "yes", "yeah"),
    *("say", "said", "mean", "meant", "use", "try", "probably", "hmm", "um", "uh", "oh", "well"),
})  # fmt: skip


@dataclass(frozen=True)
class Naming:
    """An answer in free words."""

    text: str
    view: View
    hinted: bool
    """Whether the words say that something is to be another way."""

    def whole(self, command: Command) -> Command:
        """A command with the whole of the name, and nothing else."""
        return self._in_place(self._whole_name(command))

    def _whole_name(self, command: Command) -> Command:
        """ "My sister Clara" is who was asked for, not Clara alone."""
        if (
            not isinstance(command, SetSlot)
            or command.slot_name != self.view.context.waiting_for_slot
        ):
            return command
        said = whole(self.text, self.view.language)
        owned = self.view.lang.pattern("cues.owned").match(said)
        is_end = isinstance(command.value, str) and said.endswith(command.value)
        fits = owned is not None and len(said.split()) <= _NAME_WORDS and not _VERB.search(said)
        return command.model_copy(update={"value": said}) if is_end and fits else command

    def _in_place(self, command: Command) -> Command:
        """The answer where it was asked, and without what it gives to other slots."""
        slot = self.view.asked
        if slot is None or slot.type != "string":
            return command
        said = whole(self.text, self.view.language)
        if _SIGNS.search(self.text):
            return SetSlot(slot_name=slot.name, value=self.text)
        if _OPEN.search(str((self.view.context.asked or {}).get("prompt", ""))):
            return SetSlot(slot_name=slot.name, value=self.text)
        kinds = {one.name: one.type for one in self.view.active}
        moved = isinstance(command, CorrectSlot) and kinds.get(command.slot_name) == "string"
        if moved and not self.hinted:
            return SetSlot(slot_name=slot.name, value=said)
        if not isinstance(command, SetSlot) or command.slot_name != slot.name:
            return command
        if is_code(said, self.view.lang) or said.startswith(f"{command.value} of "):
            return command.model_copy(update={"value": said})
        command = command.model_copy(update={"value": self._phrase_of(str(command.value))})
        others = [one for one in self.view.active if one.name != slot.name]
        parts = [part.strip() for part in str(command.value).split(",")]
        own = [part for part in parts if not given(part, others, self.view)]
        return command.model_copy(update={"value": ", ".join(own)}) if own else command

    def _phrase_of(self, value: str) -> str:
        """ "EH3 9GG" where the tagger took "9GG": the few words around it that only name."""
        slot = self.view.asked
        others = [one for one in self.view.active if one is not slot]
        for clause in _CLAUSES.split(self.text):
            phrase = whole(clause, self.view.language)
            words = normal(phrase).split()
            more = set(words) - set(normal(value).split())
            way = route(self.text, self.view.active, self.view.lang)
            titled = _is_title(phrase) and not way
            led = more & _FUNCTION and not titled
            if value not in phrase or not more or len(words) > _NAME_WORDS or led:
                continue
            return value if given(phrase, others, self.view) else phrase
        return value


def _is_title(phrase: str) -> bool:
    """ "Introduction to Microeconomics": all but its small words begin with a capital."""
    words = phrase.split()
    large = [word for word in words if word[0].isupper()]
    small = [word for word in words if not word[0].isupper()]
    led = words[:1] in ([], ["A"], ["An"]) or not phrase[0].isupper()
    return not led and len(large) > 1 and all(word in _FUNCTION for word in small)
