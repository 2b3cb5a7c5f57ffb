"""A slot type of another package: one module is all it takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni import SoniConfig
from soni.cli.main import make_app
from soni.commands import RepeatLast, SetSlot, StartFlow
from soni.core.errors import PluginError
from soni.slots import collect_responses, slot_types
from tests.talking import assistant, talking_to

PERCENT = """
import re
from soni.slots.base import SlotType, refuse

class PercentSlot(SlotType):
    kind = "percent"
    responses = {
        "invalid_percent": {
            "en": "Please give a percentage, such as 20 %.",
            "es": "Da un porcentaje; por ejemplo, 20 %.",
            "de": "Bitte nenne einen Prozentsatz, etwa 20 %.",
        }
    }

    def coerce(self, value, slot, env):
        found = re.fullmatch("([0-9]{1,3}) ?(?:%|percent|por ciento|Prozent)", str(value).strip())
        if found is None:
            raise refuse(self.kind)
        return int(found[1])

    def show(self, stored, language):
        return f"{stored} %"

SLOT = PercentSlot()
"""
SALE = """
settings: {language: LANGUAGE, nlu: {provider: local}}
slots:
  discount: {type: percent, prompt: {en: How much off?, es: ¿Cuánto menos?, de: Wie viel weniger?}}
  pieces: {type: integer, prompt: {en: How many pieces?, es: ¿Cuántas piezas?, de: Wie viele?}}
flows:
  make_offer:
    trigger: {examples: [make an offer, new offer for a customer, hacer una oferta, Angebot machen]}
    steps:
      - collect: discount
      - collect: pieces
      - confirm: "{discount}, {pieces}?"
      - say: Done.
"""
FORMS = ("percent", "percent:SLOT")
ENTRY = "[soni.slots]\npercent = percent\n"


def install(folder: Path, entry_points: str, percent: str = PERCENT) -> None:
    """What an installer would leave in `folder`."""
    (folder / "percent.py").write_text(percent)
    about = folder / "soni_percent-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: soni-percent\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)


@pytest.fixture(autouse=True)
def _found_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "percent", raising=False)
    for known in (slot_types, collect_responses):
        known.cache_clear()
    yield
    for known in (slot_types, collect_responses):
        known.cache_clear()


@pytest.fixture(params=FORMS)
def _installed(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    install(tmp_path, f"[soni.slots]\npercent = {request.param}\n")


def check(folder: Path, yaml: str) -> Result:
    home = folder / "sale"
    home.mkdir()
    (home / "soni.yaml").write_text(yaml)
    return CliRunner().invoke(make_app(["check"]), ["check", str(home)])


def sale(language: str) -> SoniConfig:
    return assistant(SALE.replace("LANGUAGE", language))


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("language", "begin", "answers", "refusal"),
    [
        (
            "en",
            "make an offer",
            ("20 %", "make it 20 percent", "I'd say 20 percent, please"),
            "Please give a percentage, such as 20 %.",
        ),
        (
            "es",
            "hacer una oferta",
            ("20 %", "que sea un 20 por ciento"),
            "Da un porcentaje; por ejemplo, 20 %.",
        ),
    ],
)
async def test_its_question_is_answered_and_what_is_no_value_refused_in_its_own_words(
    language: str, begin: str, answers: tuple[str, ...], refusal: str
) -> None:
    for answer in answers:
        async with talking_to(sale(language)) as ann:
            [question] = await ann.say(begin)
            assert await ann.say("lots" if language == "en" else "muchísimo") == [refusal, question]
            await ann.say(answer)
            assert ann.slots["discount"] == 20


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("language", "start", "change"),
    [
        ("en", "make an offer with 15 percent", "make it 30 percent"),
        ("es", "hacer una oferta con un 15 por ciento", "mejor un 30 por ciento"),
    ],
)
async def test_it_is_read_inside_a_sentence_beside_a_number(
    language: str, start: str, change: str
) -> None:
    async with talking_to(sale(language)) as ann:
        await ann.say(start)
        assert ann.slots == {"discount": 15}
        await ann.say("4")
        assert ann.slots == {"discount": 15, "pieces": 4}
        await ann.say(change)
        assert ann.slots == {"discount": 30, "pieces": 4}


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("language", "own", "words"),
    [
        ("de", {}, "Bitte nenne einen Prozentsatz, etwa 20 %."),
        ("fr", {}, "Please give a percentage, such as 20 %."),
        ("de", {"invalid_percent": "0 bis 100 %!"}, "0 bis 100 %!"),
    ],
)
async def test_it_refuses_in_every_language_it_brings_and_an_author_has_the_last_word(
    language: str, own: dict[str, str], words: str
) -> None:
    config = sale(language).model_copy(update={"responses": own})
    async with talking_to(config) as ann:
        await ann.say("", StartFlow(flow_name="make_offer"))
        told = await ann.say("", SetSlot(slot_name="discount", value="viel"))
        assert told == [words, (await ann.say("", RepeatLast()))[-1]]


@pytest.mark.usefixtures("_installed")
def test_an_assistant_with_it_is_sound(tmp_path: Path) -> None:
    result = check(tmp_path, SALE.replace("LANGUAGE", "en"))
    assert result.exit_code == 0, result.output


def test_a_type_without_words_to_refuse_with_is_found_before_anybody_talks(tmp_path: Path) -> None:
    install(tmp_path, ENTRY, PERCENT.replace('"invalid_percent"', '"invalid_precent"'))
    result = check(tmp_path, SALE.replace("LANGUAGE", "en"))
    assert result.exit_code == 1
    assert "E313 type percent has no sentence to refuse a value with" in result.output
    assert "write `invalid_percent` under `responses`" in result.output
    assert "invalid_precent" in result.output


def test_the_author_may_write_the_words_that_a_type_lacks(tmp_path: Path) -> None:
    install(tmp_path, ENTRY, PERCENT.replace('"invalid_percent"', '"invalid_precent"'))
    responses = "responses: {invalid_percent: A percentage!}\n"
    result = check(tmp_path, responses + SALE.replace("LANGUAGE", "en"))
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("percnt", "No module named 'percnt'. Name a module that has SLOT"),
        ("percent:PERCENT", "has no attribute 'PERCENT'. Name a module that has SLOT"),
        ("percent:PercentSlot", "it leads to the class 'PercentSlot'. Let it lead to an instance"),
        ("percent:refuse", "it leads to an object of class 'function'. Let it lead to an instance"),
        ("email", "module 'email' has no SLOT. Set SLOT to an instance of a SlotType"),
    ],
)
def test_a_wrong_entry_point_is_named_with_its_package(
    value: str, reason: str, tmp_path: Path
) -> None:
    install(tmp_path, f"[soni.slots]\npercent = {value}\n")
    with pytest.raises(PluginError) as told:
        slot_types()
    place = f"entry point 'percent = {value}' in group soni.slots of package 'soni-percent'"
    assert str(told.value).startswith(f"{place}: ")
    assert reason in str(told.value)


OTHERS = """
from datetime import date
from soni.slots.base import SlotType, refuse
from soni.slots.date import DateSlot

class WorkdaySlot(DateSlot):
    kind = "workday"
    responses = {"invalid_workday": "We work from Monday to Friday."}

    def coerce(self, value, slot, env):
        day = super().coerce(value, slot, env)
        if date.fromisoformat(day).weekday() > 4:
            raise refuse(self.kind)
        return day

class MottoSlot(SlotType):
    kind = "motto"
    has_form = False
    is_free_text = True
    responses = {"invalid_motto": "At most four words, please."}

    def coerce(self, value, slot, env):
        if len(str(value).split()) > 4:
            raise refuse(self.kind)
        return str(value).upper()

WORKDAY, MOTTO = WorkdaySlot(), MottoSlot()
"""
VISIT = """
slots:
  day: {type: workday, prompt: Which day?}
  motto: {type: motto, prompt: Which motto?}
flows:
  plan_visit:
    trigger: {examples: [plan a visit, I want to visit you]}
    steps: [{collect: day}, {collect: motto}, {confirm: "{day}: {motto}?"}]
"""


async def test_one_that_is_a_day_is_read_as_days_are_and_one_of_free_text_as_texts_are(
    tmp_path: Path,
) -> None:
    entries = "[soni.slots]\nworkday = percent:WORKDAY\nmotto = percent:MOTTO\n"
    install(tmp_path, entries, OTHERS)
    async with talking_to(VISIT) as ann:
        assert await ann.say("plan a visit") == ["Which day?"]
        assert await ann.say("on Saturday") == ["We work from Monday to Friday.", "Which day?"]
        assert await ann.say("next Tuesday, please") == ["Which motto?"]
        assert await ann.say("one two three four five") == [
            "At most four words, please.",
            "Which motto?",
        ]
        assert await ann.say("fair winds") == ["10 March 2026: FAIR WINDS?"]
        await ann.say("no, the day after tomorrow")
        assert ann.slots == {"day": "2026-03-04", "motto": "FAIR WINDS"}
    async with talking_to(VISIT) as bob:
        assert await bob.say("I want to visit you next Tuesday") == ["Which motto?"]
