"""Every key of the language is in an assistant that a conversation test talks to."""

import re

import pytest

from soni.config.models import SlotConfig, SoniConfig
from soni.core.constants import RESERVED_TARGETS
from soni.core.texts import built_in_responses
from soni.slots import slot_types
from soni.steps import step_types
from tests.written import Key, assistants, language, steps, texts, written

SLOT_KEYS = [
    (kind, key)
    for kind in sorted(slot_types())
    for key in SlotConfig.model_fields
    if key != "values" or kind == "choice"
]


def test_every_key_and_every_listed_value_is_shown_in_a_conversation() -> None:
    """A step's, a slot's, an action's, a flow's, a setting's, a pattern's, and what they hold."""
    missing = set(language()) - set(written())
    assert sorted(missing, key=str) == []


def test_every_step_type_is_shown_in_both_spellings() -> None:
    spelled = {(step.type, "type" in raw) for raw, step in steps()}
    assert spelled == {(kind, long) for kind in step_types() for long in (True, False)}


def test_every_slot_type_is_shown_with_every_slot_key() -> None:
    slots = [
        slot
        for data in assistants()
        for slot in SoniConfig.model_validate(data).slots.values()
        if slot.type in slot_types()
    ]
    shown = {(slot.type, key) for slot in slots for key in slot.model_fields_set}
    assert [pair for pair in SLOT_KEYS if pair not in shown] == []


def test_every_target_that_is_no_step_is_shown() -> None:
    targets = {ref.value for _, step in steps() for ref in step.all_refs() if ref.kind == "target"}
    assert targets >= set(RESERVED_TARGETS)


@pytest.mark.parametrize("spoken", ["en", "es"])
def test_every_built_in_sentence_is_shown_in_both_languages(spoken: str) -> None:
    said = "\n".join(texts())
    unsaid = [
        name
        for name, text in built_in_responses().items()
        if isinstance(text, dict) and not _filled(str(text[spoken])).search(said)
    ]
    assert unsaid == []


def test_a_key_that_no_conversation_shows_would_be_missing() -> None:
    """The two sides are made of the same names, so that one can lack what the other has."""
    assert Key("collect step", "force", True) in set(language())
    assert Key("collect step", "force", True) in set(written())
    assert Key("collect step", "force", False) not in set(language())
    assert Key("collect step", "colour") not in set(written())


def _filled(sentence: str) -> re.Pattern[str]:
    """The sentence with anything at all in the places it names."""
    return re.compile(".+".join(map(re.escape, re.split(r"\{\w+\}", sentence))))
