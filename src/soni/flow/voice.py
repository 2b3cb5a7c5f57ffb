"""Voice: turns texts and values into the sentences a user reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soni.core.constants import CALLER, MASK
from soni.core.errors import Refusal
from soni.core.filters import FILTERS, TEXT_FILTERS
from soni.core.formats import show_plain
from soni.core.paths import walk_path
from soni.core.rewordable import Rewordable
from soni.core.templates import Placeholder, Resolver, parse_template
from soni.core.texts import Text, choose_sentence
from soni.language import get_base_language

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

    def render_text(self, text: Text, values: Mapping[str, Any], *, rephrase: bool = False) -> str:
        """The sentence to say, its names substituted once; values are never read as templates."""
        sentence = choose_sentence(text, self.language, self.seed)
        return _render_sentence(
            sentence, lambda path, name: self._show_path(path, name, values), rephrase=rephrase
        )

    def render_response(
        self, name: str, values: Mapping[str, Any] | None = None, /, **own: str
    ) -> str:
        """A named sentence; `own` are texts that only this sentence knows."""
        text = self.assistant.get_response(name)
        if text is None:
            raise KeyError(f"no response is named '{name}'")
        self.used(name)
        sentence = choose_sentence(text, self.language, f"{self.seed}/{name}")

        def shown(path: tuple[str, ...], filter_name: str | None) -> str:
            if len(path) == 1 and path[0] in own:
                return self._apply_filter(own[path[0]], filter_name)
            return self._show_path(path, filter_name, values or {})

        return _render_sentence(sentence, shown, rephrase=self.assistant.may_rephrase(name))

    def render_refusal(self, refused: Refusal, values: Mapping[str, Any] | None = None) -> str:
        """Why a value was not taken."""
        if refused.text is not None:
            return refused.text
        # A plugin's type may refuse by a name that it brings no sentence for.
        is_known = self.assistant.get_response(refused.response) is not None
        name = refused.response if is_known else "invalid_value"
        return self.render_response(name, values, **refused.values)

    def show_value(self, slot: str, stored: Any) -> str:
        """A slot's value as people write it; a sensitive one is never shown."""
        config = self.assistant.get_slot_config(slot)
        if config.sensitive:
            return MASK
        if stored is not None and self.assistant.is_declared(slot):
            kind = self.assistant.get_slot_type(slot)
            if kind.check(stored, config):
                return kind.show(stored, self._base_language)
        return show_plain(stored, self._base_language)

    def show_item(self, item: Any, display: Text | None) -> str:
        """An item of a list as people read it: by `display`, or its name, or all of it."""
        if display is not None:
            fields = item if isinstance(item, dict) else {}
            shown = {**fields, "item": item}
            sentence = choose_sentence(display, self.language, self.seed)
            return parse_template(sentence).render(
                lambda path, name: self._apply_filter(walk_path(shown, path), name)
            )
        named = item.get("label") or item.get("name") if isinstance(item, dict) else None
        return show_plain(named or item, self._base_language)

    def render_prompt(self, slot: str, values: Mapping[str, Any]) -> str | None:
        """The slot's own question, if it has one."""
        prompt = self.assistant.get_slot_config(slot).prompt
        return self.render_text(prompt, values) if prompt is not None else None

    def _show_path(
        self, path: tuple[str, ...], filter_name: str | None, values: Mapping[str, Any]
    ) -> str:
        root = path[0]
        if root != CALLER and self.assistant.get_slot_config(root).sensitive:
            return MASK
        held = dict(self.session) if root == CALLER else values.get(root)
        stored = walk_path(held, path[1:])
        if filter_name is not None and filter_name not in TEXT_FILTERS:
            return self._apply_filter(stored, filter_name)
        read = self.show_value(root, stored) if len(path) == 1 else self._apply_filter(stored, None)
        return self._apply_filter(read, filter_name)

    def _apply_filter(self, value: Any, filter_name: str | None) -> str:
        if filter_name is None:
            return show_plain(value, self._base_language)
        return FILTERS[filter_name](value, self._base_language)

    @property
    def _base_language(self) -> str:
        """How values are written does not depend on the region."""
        return get_base_language(self.language)


def _render_sentence(sentence: str, shown: Resolver, *, rephrase: bool) -> str:
    template = parse_template(sentence)
    if not rephrase:
        return template.render(shown)
    return Rewordable.from_parts(
        (".".join(part.path), shown(part.path, part.filter))
        if isinstance(part, Placeholder)
        else part
        for part in template.parts
    )


def make_label(name: str) -> str:
    """A name as it reads in a sentence."""
    return name.replace("_", " ")
