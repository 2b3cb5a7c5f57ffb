"""An item of the list that is shown, by its place, by its words, or by what is special about it."""

from collections.abc import Sequence

from soni.commands import Command, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.values.value_search import ValueSpan, find_values
from soni.du.local.view import View
from soni.du.local.words.lexicon import strip_polite_words
from soni.du.local.words.words import extract_words, normalise


def pick_listed_item(message: str, view: View) -> Command | None:
    """The item that a message picks, if it is clear that it does."""
    slot = view.asked
    if slot is None or not view.is_listed:
        return None
    said = strip_polite_words(normalise(message), view.lang)
    ordinals = view.lang.table("lexicon.ordinals")
    if said in ordinals or view.lang.pattern("cues.place").fullmatch(said):
        return SetSlot(slot_name=slot.name, value=message)
    counted = view.lang.pattern("item.numbered").fullmatch(said)
    if counted is not None and counted[1] in ordinals:
        return SetSlot(slot_name=slot.name, value=str(ordinals[counted[1]]))
    label = _find_label(message, view)
    if label is not None:
        return SetSlot(slot_name=slot.name, value=label)
    if view.lang.pattern("item.special").search(said):
        return SetSlot(slot_name=slot.name, value=message)
    compared = view.lang.pattern("item.compared").fullmatch(said)
    if compared is None:
        return None
    most = view.lang.table("item.superlatives")[compared["what"]]
    phrase = view.lang.table("rewriting.phrases")["most"].format(most)
    return SetSlot(slot_name=slot.name, value=phrase)


def _find_label(message: str, view: View) -> str | None:
    """The one that alone has the time, and all the words, that were said."""
    labels: list[str] = view.data["options"]
    said = _find_times(message, view)
    if said:
        # By its words "the 10 am one" would be the one at 7:10 am, too.
        times = {label: {one.value for one in _find_times(label, view)} for label in labels}
        timed = [label for label in labels if times[label] & {one.value for one in said}]
        if len(timed) == 1:
            return timed[0]
        labels = timed or [label for label in labels if not times[label]]
        message = _remove_values(message, said) if timed else message
    lang = view.lang
    words = extract_words(strip_polite_words(normalise(message), lang), lang)
    words -= lang.words("item.around")
    named = [one for one in labels if words and words <= extract_words(normalise(one), lang)]
    return named[0] if len(named) == 1 else None


def _find_times(text: str, view: View) -> list[ValueSpan]:
    # Most words are no time, and reading them as one takes a while.
    if not view.lang.pattern("item.clock").search(text):
        return []
    return find_values(text, SlotBrief(name="time", flow="", type="time"), view.env)


def _remove_values(text: str, values: Sequence[ValueSpan]) -> str:
    for one in reversed(values):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text
