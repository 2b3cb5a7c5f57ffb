"""A language's words are asked for by name, and its patterns are composed of them."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import soni
from soni.language import Language, find_language, has_language, list_language_codes
from soni.language.language import Sections
from tests.program import python

ENGLISH: dict[str, dict[str, Any]] = {
    "language": {"name": "English", "models": True},
    "classes": {"polite": ["please", "thanks"], "nobody": []},
    "acts": {
        "verb": ["stop", "leave"],
        "stop": "{verb} it(?: {classes.polite}){0,2}",
        "whisper": "{classes.nobody}!",
        "say": ["hi", "hello"],
        "calm": ["{classes.polite}", "gently"],
    },
    "days": {"names": {"monday": 0, "sunday": 6}},
    "stem": {"rules": {"ies$": "y", "{ending}$": ""}, "ending": ["ing", "s"]},
}
GERMAN: dict[str, dict[str, Any]] = {
    "language": {"name": "Deutsch", "models": False},
    "classes": {"polite": ["bitte"]},
    "acts": {"verb": ["stopp"], "say": {"only": ["hallo"]}, "stop": ["{away} damit"]},
    "days": {"names": {"montag": 0, "sunday": 7}},
}
HELPER = {"away": ["weg", "fort"]}


@pytest.fixture
def english() -> Language:
    return Language("en", ENGLISH)


@pytest.fixture
def german(english: Language) -> Language:
    own = {**GERMAN, "acts": {**GERMAN["acts"], **HELPER}}
    return Language("de", own, english)


def test_a_class_is_its_words(english: Language) -> None:
    assert english.words("classes.polite") == {"please", "thanks"}


def test_a_class_may_have_the_words_of_another(english: Language, german: Language) -> None:
    assert english.words("acts.calm") == {"please", "thanks", "gently"}
    assert "bitte" in german.words("acts.calm")


def test_a_run_of_white_space_is_read_from_its_beginning_and_as_a_whole() -> None:
    spaces = {"some": r"a\s+b", "any": r",\s*(?P<rest>.*)", "none": r"[\s+]\\s+", "run": r"\s+"}
    lang = Language("en", {"language": {}, "acts": spaces})
    assert lang.pattern("acts.some").fullmatch("a \n b")
    assert [lang.pattern("acts.any").fullmatch(text)["rest"] for text in (",x", ",  x")] == [
        "x"
    ] * 2  # type: ignore[index]
    assert lang.pattern("acts.run").findall("a  b c") == ["  ", " "]
    assert lang.pattern("acts.run").match("a  b", 2) is None
    # Within a class of signs, and behind a backslash that is meant, these are other signs.
    assert lang.pattern("acts.none").fullmatch("+\\sss")


def test_a_pattern_is_composed_of_classes_of_its_section_and_of_others(english: Language) -> None:
    stop = english.pattern("acts.stop")
    assert stop.fullmatch("leave it please thanks")
    assert stop.fullmatch("Stop it")
    assert not stop.fullmatch("leave it please please please")


def test_capital_letters_count_only_where_asked(english: Language) -> None:
    assert not english.pattern("acts.stop", cased=True).fullmatch("Stop it")


def test_an_empty_class_matches_nothing_at_all(english: Language) -> None:
    assert english.words("classes.nobody") == frozenset()
    assert not english.pattern("classes.nobody").search("")
    assert not english.pattern("acts.whisper").search("!")


def test_an_expression_goes_with_what_is_known_only_later(english: Language) -> None:
    slot = re.compile(rf"{english.expression('acts.verb')} the {re.escape('date')}")
    assert slot.fullmatch("leave the date")


def test_another_language_adds_its_words_to_those_of_english(german: Language) -> None:
    assert german.words("classes.polite") == {"bitte", "please", "thanks"}
    assert german.pattern("acts.stop").fullmatch("stopp it bitte")
    assert german.pattern("acts.stop").fullmatch("leave it please")


def test_only_takes_the_place_of_the_english_words(german: Language) -> None:
    assert german.words("acts.say") == {"hallo"}


def test_what_a_language_leaves_out_is_english(german: Language) -> None:
    assert not german.words("classes.nobody")
    assert german.pattern("acts.whisper").pattern == "(?:(?!)!)"


def test_a_language_has_classes_for_its_own_patterns(german: Language, english: Language) -> None:
    assert german.pattern("acts.stop").fullmatch("weg damit")
    with pytest.raises(KeyError):
        english.words("acts.away")


def test_in_a_table_the_languages_own_words_win(german: Language) -> None:
    assert german.table("days.names") == {"monday": 0, "montag": 0, "sunday": 7}
    assert german.pattern("days.names").fullmatch("Montag")


def test_rules_come_in_their_order_and_are_composed_as_well(english: Language) -> None:
    word = "worries"
    for pattern, replacement in english.rules("stem.rules"):
        word = pattern.sub(replacement, word)
    assert word == "worry"


def test_a_name_that_nobody_wrote_is_told_with_those_there_are(german: Language) -> None:
    told = r"no words are named 'acts.sing'; 'acts' has: calm, say, stop"
    with pytest.raises(KeyError, match=told):
        german.pattern("acts.sing")
    with pytest.raises(KeyError, match="'songs' has: nothing"):
        german.words("songs.sing")


def test_a_class_is_no_table(english: Language) -> None:
    with pytest.raises(TypeError, match=r"'classes.polite' of language 'en' is no table"):
        english.table("classes.polite")


def test_a_language_says_whether_the_models_know_it(english: Language, german: Language) -> None:
    assert english.has_models
    assert not german.has_models


def test_a_region_has_its_languages_words() -> None:
    assert find_language("es-MX") is find_language("es") is find_language("ES_mx")
    assert has_language("es-AR")
    assert {"en", "es"} <= list_language_codes()


def test_a_language_without_words_is_read_by_english_ones_and_without_models() -> None:
    unknown = find_language("tlh")
    assert not has_language("tlh")
    assert not unknown.has_models
    assert unknown.words("grounding.turns") == find_language("en").words("grounding.turns")


@pytest.mark.parametrize("code", sorted(list_language_codes()))
def test_every_name_of_every_language_can_be_asked_for(code: str) -> None:
    lang = find_language(code)
    for section, entries in lang.sections.items():
        for name, entry in entries.items():
            if section not in ("language", "responses") and not _has_lists(entry):
                alternatives = lang.patterns(f"{section}.{name}")
                assert all(isinstance(one, re.Pattern) for one in alternatives)


def test_importing_soni_loads_no_language_and_no_yaml() -> None:
    code = "import soni, soni.language, sys; print('ruamel.yaml' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_importing_whatever_reads_a_language_loads_none(tmp_path: Path) -> None:
    code = """
import soni.cli.main, soni.runtime.loop, soni.du.local.provider
from soni.language import registry
print(registry._load_language.cache_info().currsize)
"""
    assert python(code, tmp_path).stdout == "0\n"


def _has_lists(entry: object) -> bool:
    """A table whose words stand for lists is asked for as a table only."""
    return isinstance(entry, dict) and any(isinstance(each, list) for each in entry.values())


def test_no_words_are_kept_that_nothing_asks_for() -> None:
    home = Path(soni.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in home.rglob("*.py"))
    files = [find_language(each).sections for each in list_language_codes()]
    unused = [
        f"{section}.{name}"
        for section, entries in find_language("en").sections.items()
        # Some sections are asked for by a name that is made as the program runs.
        if f'"{section}.{{' not in code and section not in ("language", "responses", "calendar")
        for name in entries
        if f"{section}.{name}" not in code and not _is_inserted(section, name, files)
    ]
    assert unused == []


def _is_inserted(section: str, name: str, files: Sequence[Sections]) -> bool:
    """Whether a pattern of any language is made of these words."""
    own = "\n".join(str(sections.get(section, "")) for sections in files)
    return f"{{{name}}}" in own or f"{{{section}.{name}}}" in "\n".join(map(str, files))
