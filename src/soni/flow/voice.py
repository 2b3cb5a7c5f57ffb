"""Voice: turns texts and values into the sentences a user reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soni.core.constants import CALLER, MASK
from soni.core.errors import Refused
from soni.core.filters import FILTERS, ON_WORDS
from soni.core.formats import show_plain
from soni.core.paths import walk
from soni.core.rewording import Rewordable
from soni.core.templates import Placeholder, Resolve, parse_template
from soni.core.texts import Text, choose
from soni.language import base_language

if TYPE_CHECKING:
    from soni.config.assistant import Assistant


@dataclass(frozen=True)
class Voice:
    """Speaks in one language, for one turn of one conversation."""

    assistant: Assistant
    language: str
    seed: str
    """Picks variations: the same conversation and turn always read the same."""

    session: Mapping[str, Any]
    used: Callable[[str], None] = lambda name: None
    """Called with the name of every response that is used."""

    def text(self, text: Text, values: Mapping[str, Any], *, rephrase: bool = False) -> str:
        """The sentence to say, its names substituted once; values are never read as templates."""
        sentence = choose(text, self.language, self.seed)
        return _render_sentence(
            sentence, lambda path, name: self._show_path(path, name, values), rephrase=rephrase
        )

    def response(self, name: str, values: Mapping[str, Any] | None = None, /, **own: str) -> str:
        """A named sentence; `own` are texts that only this sentence knows."""
        text = self.assistant.response(name)
        if text is None:
            raise KeyError(f"no response is named '{name}'")
        self.used(name)
        sentence = choose(text, self.language, f"{self.seed}/{name}")

        def shown(path: tuple[str, ...], filter_name: str | None) -> str:
            if len(path) == 1 and path[0] in own:
                return self._apply_filter(own[path[0]], filter_name)
            return self._show_path(path, filter_name, values or {})

        return _render_sentence(sentence, shown, rephrase=self.assistant.rephrases(name))

    def refusal(self, refused: Refused, values: Mapping[str, Any] | None = None) -> str:
        """Why a value was not taken."""
        if refused.text is not None:
            return refused.text
        return self.response(refused.response, values, **refused.values)

    def value(self, slot: str, stored: Any) -> str:
        """A slot's value as people write it; a sensitive one is never shown."""
        if self.assistant.slot(slot).sensitive:
            return MASK
        if stored is None or not self.assistant.is_declared(slot):
            return show_plain(stored, self._base_language)
        kind = self.assistant.slot_type(slot)
        fits = kind.check(stored, self.assistant.slot(slot))
        return (
            kind.show(stored, self._base_language)
            if fits
            else show_plain(stored, self._base_language)
        )

    def item(self, item: Any, display: Text | None) -> str:
        """An item of a list as people read it: by `display`, or its name, or all of it."""
        if display is not None:
            fields = item if isinstance(item, dict) else {}
            shown = {**fields, "item": item}
            sentence = choose(display, self.language, self.seed)
            return parse_template(sentence).render(
                lambda path, name: self._apply_filter(walk(shown, path), name)
            )
        named = item.get("label") or item.get("name") if isinstance(item, dict) else None
        return show_plain(named or item, self._base_language)

    def prompt_of(self, slot: str, values: Mapping[str, Any]) -> str | None:
        """The slot's own question, if it has one."""
        prompt = self.assistant.slot(slot).prompt
        return self.text(prompt, values) if prompt is not None else None

    def _show_path(
        self, path: tuple[str, ...], filter_name: str | None, values: Mapping[str, Any]
    ) -> str:
        root = path[0]
        if root != CALLER and self.assistant.slot(root).sensitive:
            return MASK
        stored = walk(
            {CALLER: dict(self.session)} if root == CALLER else {root: values.get(root)}, path
        )
        if filter_name is not None and filter_name not in ON_WORDS:
            return self._apply_filter(stored, filter_name)
        read = (
            self.value(root, stored) if len(path) == 1 else show_plain(stored, self._base_language)
        )
        return self._apply_filter(read, filter_name)

    def _apply_filter(self, value: Any, filter_name: str | None) -> str:
        if filter_name is None:
            return show_plain(value, self._base_language)
        return FILTERS[filter_name](value, self._base_language)

    @property
    def _base_language(self) -> str:
        """How values are written does not depend on the region."""
        return base_language(self.language)


def _render_sentence(sentence: str, shown: Resolve, *, rephrase: bool) -> str:
    template = parse_template(sentence)
    if not rephrase:
        return template.render(shown)
    return Rewordable.of(
        (".".join(part.path), shown(part.path, part.filter))
        if isinstance(part, Placeholder)
        else part
        for part in template.parts
    )


def make_label(name: str) -> str:
    """A name as it reads in a sentence."""
    return name.replace("_", " ")
