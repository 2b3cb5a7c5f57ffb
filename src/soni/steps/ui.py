"""ui: buttons, quick replies, cards, carousels and images beside a text.

A channel that shows none of them gets the same as numbered text.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from soni.core.records import Reply
from soni.core.texts import Text
from soni.steps.base import Ref, StepView, iter_text_refs


class Option(BaseModel):
    """Something to press: it fills what was asked with `value`, or sends `command`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: Text
    value: Any = None
    command: str | dict[str, dict[str, Any]] | None = None

    @model_validator(mode="after")
    def _check_effect(self) -> Self:
        if self.value is not None and self.command is not None:
            raise ValueError("an option has either a 'value' or a 'command'")
        if isinstance(self.command, dict) and len(self.command) != 1:
            raise ValueError("an option's command is one, such as {StartFlow: {flow_name: pay}}")
        return self

    def render(self, view: StepView) -> dict[str, Any]:
        """The option as plain data, its label as it is read."""
        label = view.text(self.label)
        if self.command is None:
            return {"label": label, "value": label if self.value is None else self.value}
        command = {self.command: {}} if isinstance(self.command, str) else self.command
        [(name, fields)] = command.items()
        return {"label": label, "command": {"type": name, **fields}}


class Card(BaseModel):
    """A title, a text, an image and options, whichever are given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Text | None = None
    text: Text | None = None
    image: str | None = None
    """The address of a picture."""

    alt: Text | None = None
    """The picture in words."""

    options: tuple[Option, ...] = ()

    @field_validator("options", mode="before")
    @classmethod
    def _expand_labels(cls, options: Any) -> Any:
        if isinstance(options, list | tuple):
            return [o if isinstance(o, Mapping | Option) else {"label": str(o)} for o in options]
        return options

    def refs(self, *path: str | int) -> Iterator[Ref]:
        """The texts."""
        for name in ("title", "text", "alt"):
            yield from iter_text_refs(getattr(self, name), *path, name)
        for index, option in enumerate(self.options):
            yield from iter_text_refs(option.label, *path, "options", index, "label")

    def render(self, view: StepView) -> dict[str, Any]:
        """The card as plain data."""
        texts = {
            name: view.text(text)
            for name in ("title", "text", "alt")
            if (text := getattr(self, name)) is not None
        }
        image = {"image": self.image} if self.image else {}
        options = [option.render(view) for option in self.options]
        return {**texts, **image, "options": options}


class Ui(Card):
    """What is shown beside a message."""

    type: Literal["buttons", "quick_replies", "card", "carousel", "image"]
    cards: tuple[Card, ...] = ()

    @model_validator(mode="after")
    def _check_type(self) -> Self:
        if (self.type == "carousel") != bool(self.cards):
            raise ValueError("a carousel, and nothing else, has 'cards'")
        if self.type == "image" and not self.image:
            raise ValueError("an image needs 'image', the address of the picture")
        return self

    def all_refs(self) -> Iterator[Ref]:
        """The texts of all its parts."""
        yield from self.refs("ui")
        for index, card in enumerate(self.cards):
            yield from card.refs("ui", "cards", index)

    def render(self, view: StepView, default: tuple[Option, ...] = ()) -> dict[str, Any]:
        """All of it as plain data; `default` stands in for options that were not given."""
        options = self.options or (default if self.type in ("buttons", "quick_replies") else ())
        own = self.model_copy(update={"options": options})
        shown = {"type": self.type, **super(Ui, own).render(view)}
        if self.cards:
            shown["cards"] = [card.render(view) for card in self.cards]
        return shown


def render_as_text(text: str, ui: Mapping[str, Any]) -> str:
    """The message for a channel that shows text only: options are numbered."""
    lines = [text, *_iter_card_lines(ui)]
    for card in ui.get("cards", ()):
        lines.extend(_iter_card_lines(card))
    numbered = [f"{n}. {option['label']}" for n, option in enumerate(list_options(ui), 1)]
    return "\n".join([*lines, *numbered])


def make_ui_reply(text: str, ui: Mapping[str, Any] | None) -> Reply:
    """A message; its text also lists the options of `ui`, numbered."""
    if ui is None:
        return {"text": text}
    shown = {name: part for name, part in ui.items() if name != "plain"}
    return {"text": ui.get("plain") or render_as_text(text, ui), "ui": {**shown, "message": text}}


def list_options(ui: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All options, in the order of their numbers."""
    inner = [option for card in ui.get("cards", ()) for option in card["options"]]
    return [*ui.get("options", ()), *inner]


def _iter_card_lines(card: Mapping[str, Any]) -> Iterator[str]:
    yield from (card[name] for name in ("title", "text") if name in card)
    if "image" in card:
        yield f"{card['alt']} ({card['image']})" if "alt" in card else card["image"]
