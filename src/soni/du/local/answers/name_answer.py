"""The whole name that was asked for, where the tagger took too little or too much."""

import re
from dataclasses import dataclass

from soni.commands import Command, CorrectSlot, SetSlot
from soni.du.local.answers.answers import strip_lead
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.values.codes import is_code
from soni.du.local.values.route import find_route
from soni.du.local.view import View
from soni.du.local.words.words import normalise
from soni.language import Language

# No sentence has such signs: whoever types them means them.
_LITERAL_SIGNS = re.compile(r"[{}<>%\\^*=|~\[\]]")
# "My sister Clara Lopez" is a name; what is longer is a sentence.
_MAX_NAME_WORDS = 5


@dataclass(frozen=True)
class NameAnswer:
    """An answer in free words."""

    text: str
    view: View
    hinted: bool
    """Whether the words announce a correction."""

    def complete_name(self, command: Command) -> Command:
        """The command with exactly the name."""
        return self._trim_name(self._extend_name(command))

    def _extend_name(self, command: Command) -> Command:
        """ "My sister Clara" is who was asked for, not Clara alone."""
        asked = self.view.context.waiting_for_slot
        if not isinstance(command, SetSlot) or command.slot_name != asked:
            return command
        said = strip_lead(self.text, self.view.language)
        owned = self.view.lang.pattern("cues.owned").match(said)
        is_end = isinstance(command.value, str) and said.endswith(command.value)
        # "My son can't have peanuts" says what, and not only whose.
        tells = self.view.lang.pattern("name.verb").search(said) is not None
        fits = owned is not None and len(said.split()) <= _MAX_NAME_WORDS and not tells
        return command.model_copy(update={"value": said}) if is_end and fits else command

    def _trim_name(self, command: Command) -> Command:
        """The answer where it was asked, and without what it gives to other slots."""
        slot = self.view.asked
        if slot is None or not slot.kind.is_short_text:
            return command
        said = strip_lead(self.text, self.view.language)
        openly = self.view.lang.pattern("name.asks_openly").search(self.view.prompt)
        if openly or _LITERAL_SIGNS.search(self.text):
            return SetSlot(slot_name=slot.name, value=self.text)
        texts = {one.name for one in self.view.active if one.kind.is_short_text}
        moved = isinstance(command, CorrectSlot) and command.slot_name in texts
        if moved and not self.hinted:
            return SetSlot(slot_name=slot.name, value=said)
        if not isinstance(command, SetSlot) or command.slot_name != slot.name:
            return command
        longer = tuple(f"{command.value} {of} " for of in self.view.lang.words("name.of"))
        if is_code(said, self.view.lang) or said.startswith(longer):
            return command.model_copy(update={"value": said})
        command = command.model_copy(update={"value": self._find_phrase(str(command.value))})
        others = [one for one in self.view.active if one.name != slot.name]
        parts = [part.strip() for part in str(command.value).split(",")]
        own = [part for part in parts if not find_given_values(part, others, self.view)]
        return command.model_copy(update={"value": ", ".join(own)}) if own else command

    def _find_phrase(self, value: str) -> str:
        """ "EH3 9GG" where the tagger took "9GG": the few words around it that only name."""
        slot, lang = self.view.asked, self.view.lang
        others = [one for one in self.view.active if one is not slot]
        for clause in lang.pattern("name.clause").split(self.text):
            phrase = strip_lead(clause, self.view.language)
            words = normalise(phrase).split()
            more = set(words) - set(normalise(value).split())
            titled = _is_title(phrase, lang) and not find_route(self.text, self.view.active, lang)
            led = more & lang.words("name.function_words") and not titled
            if value not in phrase or not more or len(words) > _MAX_NAME_WORDS or led:
                continue
            return value if find_given_values(phrase, others, self.view) else phrase
        return value


def _is_title(phrase: str, lang: Language) -> bool:
    """ "Introduction to Microeconomics": all but its small words begin with a capital."""
    words = phrase.split()
    large = [word for word in words if word[0].isupper()]
    small = [word for word in words if not word[0].isupper()]
    led = not words or words[0] in lang.words("name.title_article") or not phrase[0].isupper()
    return not led and len(large) > 1 and set(small) <= lang.words("name.function_words")
