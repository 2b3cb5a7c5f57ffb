"""Offer: a list to pick from, page by page, as numbered text or buttons."""

from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator

from soni.steps.base import StepView
from soni.steps.ui import Card, Ui

MORE_VALUE = "more"
"""What a client sends for the next page."""


class Rule(BaseModel):
    """Which item a word such as "cheapest" means: the one with the smallest or largest value."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    smallest: str | None = None
    """An expression over the fields of an item."""

    largest: str | None = None

    @model_validator(mode="after")
    def _check_measure(self) -> Self:
        if (self.smallest is None) == (self.largest is None):
            raise ValueError("a rule has either 'smallest' or 'largest'")
        return self

    @property
    def measure(self) -> str:
        """The expression."""
        return self.smallest or self.largest or ""


@dataclass(frozen=True)
class Offer:
    """One page of a list."""

    items: list[Any]
    labels: tuple[str, ...]
    start: int
    size: int

    @property
    def numbers(self) -> range:
        """Where the items of this page stand in the list, from 1."""
        return range(self.start + 1, min(self.start + self.size, len(self.items)) + 1)

    @property
    def goes_on(self) -> bool:
        """Whether there is another page."""
        return self.start + self.size < len(self.items)

    def render_text(self, question: str, view: StepView) -> str:
        """The page as numbered text."""
        lines = [question, *(f"{number}. {self.labels[number - 1]}" for number in self.numbers)]
        return "\n".join([*lines, view.response("more_options")] if self.goes_on else lines)

    def make_ui(self, ui: Ui, question: str, view: StepView) -> dict[str, Any]:
        """The page as buttons or cards, with the same as plain text for other channels."""
        page = {"type": ui.type, "plain": self.render_text(question, view)}
        options = [self._make_option(number) for number in self.numbers]
        more = [{"label": view.response(MORE_VALUE), "value": MORE_VALUE}] if self.goes_on else []
        if not ui.cards:
            return {**page, "options": [*options, *more]}
        cards = [
            {**_render_card(ui.cards[0], self.items[number - 1], view), "options": [option]}
            for number, option in zip(self.numbers, options, strict=True)
        ]
        return {**page, "options": more, "cards": cards}

    def _make_option(self, number: int) -> dict[str, Any]:
        item = self.items[number - 1]
        # If items are numbers themselves, a position would be mistaken for an item.
        value = item if isinstance(item, str | int | float) else number
        return {"label": self.labels[number - 1], "value": value}


def _render_card(template: Card, item: Any, view: StepView) -> dict[str, Any]:
    texts = {name: getattr(template, name) for name in ("title", "text", "alt", "image")}
    return {name: view.show_item(item, text) for name, text in texts.items() if text is not None}
