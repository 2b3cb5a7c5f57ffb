"""German as somebody else adds it: one file, offered by an installed package, and a conversation.

The package is made in a folder on the path of a process of its own, as pip would install it.
"""

import json
from pathlib import Path
from shutil import copy

import pytest

from soni.config.language_file import examine_language
from tests.program import python

HOME = Path(__file__).parent / "german"

TALK = """
import asyncio, json, sys
from datetime import UTC, datetime

sys.path.insert(0, "site-packages")
from soni import RuntimeLoop, SoniConfig

async def talk(messages):
    clock = lambda: datetime(2026, 3, 2, 10, tzinfo=UTC)
    async with RuntimeLoop(SoniConfig.load("assistant"), clock=clock) as loop:
        return [await loop.process_message(message) for message in messages]

print(json.dumps(asyncio.run(talk({messages}))))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An assistant in German, and the package that brings the language."""
    package = tmp_path / "site-packages" / "soni_german"
    installed = tmp_path / "site-packages" / "soni_german-1.0.dist-info"
    for made in (package, installed, tmp_path / "assistant"):
        made.mkdir(parents=True)
    (package / "__init__.py").touch()
    copy(HOME / "de.yaml", package)
    copy(HOME / "soni.yaml", tmp_path / "assistant")
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: soni-german\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[soni.languages]\nde = soni_german\n")
    return tmp_path


def talk(folder: Path, *messages: str) -> list[str]:
    """What the assistant answers, turn by turn."""
    run = python(TALK.replace("{messages}", repr(messages)), folder)
    assert run.stderr == ""
    answers: list[str] = json.loads(run.stdout)
    return answers


def hold(folder: Path, *turns: tuple[str, str]) -> None:
    """Say something turn by turn; each answer must be the one that is given with it."""
    heard = talk(folder, *(said for said, _ in turns))
    assert list(zip((said for said, _ in turns), heard, strict=True)) == list(turns)


def test_a_table_is_booked_with_a_correction_and_a_yes(folder: Path) -> None:
    hold(
        folder,
        ("Ich möchte gern einen Tisch reservieren", "An welchem Tag?"),
        ("nächsten Freitag", "Für wie viele Personen?"),
        ("vier", "Innen oder auf der Terrasse?"),
        ("im Garten", "Ein Tisch für 4 am 6. März 2026, terrasse. Stimmt das?"),
        (
            "nein, doch fünf Personen",
            "Geändert: 5.\nEin Tisch für 5 am 6. März 2026, terrasse. Stimmt das?",
        ),
        ("ja bitte", "Reserviert, bis dann!"),
    )


def test_everything_in_one_sentence_and_another_day(folder: Path) -> None:
    hold(
        folder,
        (
            "Einen Tisch für zwei Personen am Samstag auf der Terrasse",
            "Ein Tisch für 2 am 7. März 2026, terrasse. Stimmt das?",
        ),
        (
            "Entschuldigung, am Sonntag",
            "Geändert: 8. März 2026.\nEin Tisch für 2 am 8. März 2026, terrasse. Stimmt das?",
        ),
        ("ja, genau", "Reserviert, bis dann!"),
    )


def test_only_a_plain_yes_books_the_table(folder: Path) -> None:
    asked = "Ein Tisch für 2 am 7. März 2026, terrasse. Stimmt das?"
    hold(
        folder,
        ("Einen Tisch für zwei Personen am Samstag auf der Terrasse", asked),
        ("ja, wenn es nicht regnet", f"I did not understand that.\n{asked}"),
        ("ja klar, als ob", "I did not understand that.\nSoll ich das tun? Bitte Ja oder Nein."),
        ("ja, das stimmt, vielen Dank", "Reserviert, bis dann!"),
    )


def test_no_asks_what_to_change(folder: Path) -> None:
    hold(
        folder,
        ("Ich würde gerne einen Tisch für morgen reservieren", "Für wie viele Personen?"),
        ("für zweiundzwanzig Personen", "Innen oder auf der Terrasse?"),
        ("drinnen", "Ein Tisch für 22 am 3. März 2026, innen. Stimmt das?"),
        ("nein", "Was soll ich ändern?"),
        ("das Datum", "An welchem Tag?"),
        ("übermorgen", "Ein Tisch für 22 am 4. März 2026, innen. Stimmt das?"),
        ("vielen Dank", "Gern geschehen.\nEin Tisch für 22 am 4. März 2026, innen. Stimmt das?"),
        ("nein, falsch", "Was soll ich ändern?"),
    )


@pytest.mark.parametrize("given_up", ["abbrechen", "ach, lassen wir das", "Ich will nicht mehr"])
def test_a_task_is_given_up(given_up: str, folder: Path) -> None:
    hold(
        folder,
        ("habt ihr noch einen Tisch?", "An welchem Tag?"),
        ("am 3. Mai", "Für wie viele Personen?"),
        (given_up, "Gut, ich lasse das."),
    )


def test_another_task_comes_between(folder: Path) -> None:
    hold(
        folder,
        ("Tisch reservieren", "An welchem Tag?"),
        ("am Wochenende", "Für wie viele Personen?"),
        ("Ich möchte Essen bestellen", "Pizza oder Nudeln?"),
        (
            "Spaghetti bitte",
            "Ist unterwegs: nudeln.\nZurück: tisch reservieren.\nFür wie viele Personen?",
        ),
        ("ein Dutzend", "Innen oder auf der Terrasse?"),
        ("mit einem Menschen sprechen", "Ich verbinde."),
    )


def test_without_the_package_nobody_understands_german_words(folder: Path) -> None:
    (folder / "site-packages" / "soni_german-1.0.dist-info" / "entry_points.txt").unlink()
    _, answer = talk(folder, "Tisch reservieren", "am Wochenende")
    assert answer != "Für wie viele Personen?"


def test_the_file_has_no_mistake() -> None:
    problems = examine_language(HOME / "de.yaml")
    assert [str(each) for each in problems if each.severity == "error"] == []
