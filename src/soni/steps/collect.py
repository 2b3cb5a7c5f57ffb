"""collect: fill a slot, asking for it if need be."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import AliasChoices, ConfigDict, Field, model_validator

from soni.core.texts import Text
from soni.steps.base import (
    Failure,
    Outcome,
    Ref,
    StepConfig,
    StepView,
    Wait,
    iter_item_refs,
    iter_text_refs,
)
from soni.steps.offer import Offer, Rule
from soni.steps.ui import Option, Ui


class CollectStepConfig(StepConfig):
    """Passes silently if the slot is filled; otherwise asks and waits."""

    model_config = ConfigDict(populate_by_name=True)

    main: ClassVar[str] = "slot"
    waits: ClassVar[bool] = True
    collects: ClassVar[bool] = True

    type: Literal["collect"] = "collect"
    slot: str | tuple[str, ...] = Field(min_length=1)
    """One slot, or several that one question asks for."""

    message: Text | None = Field(default=None, validation_alias=AliasChoices("message", "prompt"))
    """The question; without one, the slot's own `prompt`."""

    source: str | None = Field(default=None, alias="from")
    """A list to pick an item from; the whole item is stored."""

    display: Text | None = None
    """How an item is shown: `{field}` are its own fields, `{item}` is all of it."""

    rephrase: bool = False
    """A language model puts the step's own question into other words."""

    page_size: int = Field(default=5, ge=1, le=20)
    rules: dict[str, Rule] = Field(default_factory=dict)
    """Words that choose an item by a measure: `{cheapest: {smallest: price}}`."""

    force: bool = False
    """Ask even if the slot is filled."""

    max_attempts: int | None = Field(default=None, ge=1)
    """Refused values before `on_invalid`, or else before the conversation is handed off."""

    ui: Ui | None = None
    """Buttons without options are the values of a choice, or the items on offer; with `from`, the
    one card of a carousel shows each item, its `{field}`s in the texts."""

    on_invalid: str | None = None
    on_skip: str | None = None
    """Where control goes when the user does not want to answer."""

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        if self.source is not None and len(self.slots) > 1:
            raise ValueError("a collect with 'from' fills one slot")
        if self.rephrase and (self.message is None or self.source is not None):
            raise ValueError("'rephrase' is about a 'message', and not about a list")
        if self.source is None and self.rules:
            raise ValueError("'rules' choose among the items of a 'from'")
        if self.source is not None and self.ui is not None and not self._can_show_items(self.ui):
            raise ValueError(
                "items on offer are shown as 'buttons', 'quick_replies', or a 'carousel' with one "
                "card, and bring their own options"
            )
        return self

    @staticmethod
    def _can_show_items(ui: Ui) -> bool:
        one_card = ui.type == "carousel" and len(ui.cards) == 1
        kinds = one_card or ui.type in ("buttons", "quick_replies")
        return kinds and not any(card.options for card in (ui, *ui.cards))

    @property
    def slots(self) -> tuple[str, ...]:
        """What it fills."""
        return (self.slot,) if isinstance(self.slot, str) else self.slot

    def refs(self) -> Iterator[Ref]:
        """The slots it fills, the question, and the ways out."""
        for index, name in enumerate(self.slots):
            path = ("slot",) if isinstance(self.slot, str) else ("slot", index)
            yield Ref("slot", name, path, writes=True)
        yield from iter_text_refs(self.message, "message")
        yield from self._iter_offer_refs() if self.source is not None else ()
        if self.ui is not None and self.source is None:
            yield from self.ui.all_refs()
        if self.source is not None:
            yield Ref("expression", self.source, ("from",))
        yield from self.iter_target_refs("on_invalid", "on_skip")

    def _iter_offer_refs(self) -> Iterator[Ref]:
        yield from iter_item_refs(self.display, "display")
        for words, rule in self.rules.items():
            path = ("rules", words, "smallest" if rule.smallest is not None else "largest")
            yield Ref("item_expression", rule.measure, path)
        for name in ("title", "text", "alt", "image"):
            for index, card in enumerate(self.ui.cards if self.ui else ()):
                yield from iter_item_refs(getattr(card, name), "ui", "cards", index, name)

    async def run(self, view: StepView) -> Outcome:
        """Pass if all slots are set, else wait for the first that is not."""
        if self.source is not None:
            return self._offer_items(self.slots[0], view)
        if self.force and not view.is_asking:
            first = self.slots[0]
            question = self._choose_question(first, view, first_time=True)
            wait = Wait(question, slot=first, ui=self._make_ui(first, view))
            return Outcome(wait=wait, unset=self.slots, asking=True)
        missing = [name for name in self.slots if not view.is_set(name)]
        if not missing:
            return Outcome()
        first_time = len(missing) == len(self.slots)
        question = self._choose_question(missing[0], view, first_time=first_time)
        wait = Wait(question, slot=missing[0], ui=self._make_ui(missing[0], view))
        return Outcome(wait=wait, asking=view.is_asking)

    def _make_ui(self, slot: str, view: StepView) -> Mapping[str, Any] | None:
        choices = tuple(Option(label=value) for value in view.list_choices(slot))
        return self.ui.render(view, choices) if self.ui else None

    def _offer_items(self, slot: str, view: StepView) -> Outcome:
        """Pass if an item of the list was picked, else show a page of it."""
        items = view.evaluate(f"{{{{ {self.source} }}}}")
        if not isinstance(items, list) or not items:
            return Outcome(failure=Failure("no_options", f"there is no {slot} to choose from"))
        asks = self.force and not view.is_asking
        if view.is_set(slot) and view.get_stored(slot) in items and not asks:
            return Outcome()
        labels = tuple(view.show_item(item, self.display) for item in items)
        question = self._choose_question(slot, view, first_time=True)
        offer = Offer(items, labels, view.page * self.page_size, self.page_size)
        ui = offer.make_ui(self.ui, question, view) if self.ui else None
        text = question if self.ui else offer.render_text(question, view)
        wait = Wait(text, slot=slot, options=labels, ui=ui)
        return Outcome(wait=wait, unset=(slot,), asking=True)

    def _choose_question(self, slot: str, view: StepView, *, first_time: bool) -> str:
        """The step's own question; once some of its slots are filled, the slot's prompt."""
        own = view.text(self.message, rephrase=self.rephrase) if self.message is not None else None
        of_slot = view.find_prompt(slot)
        # A slot asked without any prompt is a mistake the loader reports.
        return (own if first_time or not of_slot else of_slot) or of_slot or own or f"{slot}?"

    @property
    def silent(self) -> bool:
        """Unless it asks in any case."""
        return not self.force and self.source is None


STEP = CollectStepConfig
