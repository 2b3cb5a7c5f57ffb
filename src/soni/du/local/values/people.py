"""Who somebody means: "pay Ann 20", "20 to Ann"."""

from collections.abc import Sequence

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, speak_name
from soni.language import Language


def recipient(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """The person beside an amount, where the flow has one slot for a person."""
    people = [slot for slot in slots if slot.kind.is_short_text and _is_person(slot, lang)]
    if len(people) != 1:
        return {}
    names = ("people.name_first", "people.amount_first")
    matches = (lang.pattern(name).search(message) for name in names)
    return next(({people[0].name: match["name"]} for match in matches if match), {})


def _is_person(slot: SlotBrief, lang: Language) -> bool:
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    return lang.pattern("people.slot", cased=True).search(told) is not None
