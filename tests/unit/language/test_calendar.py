"""The names of days and months: those of a language's file, or else Babel's."""

from pathlib import Path

import pytest

from soni.language.language import Sections
from soni.language.source import read_sections


def written(folder: Path, code: str, text: str) -> Sections:
    """The sections of a language's file."""
    path = folder / f"{code}.yaml"
    path.write_text(f"language: {{name: A language, models: false}}\n{text}", encoding="utf-8")
    return read_sections(path)


@pytest.mark.parametrize(
    ("table", "name", "number"),
    [
        ("weekdays", "montag", 0),
        ("weekdays", "sonntag", 6),
        ("months", "märz", 3),
        ("months", "marz", 3),
        ("months_short", "okt", 10),
    ],
)
def test_a_file_without_a_calendar_has_the_names_of_babel(
    tmp_path: Path, table: str, name: str, number: int
) -> None:
    calendar = written(tmp_path, "de", "")["calendar"]
    names = calendar[table]
    assert isinstance(names, dict)
    assert names[name] == number


def test_short_names_that_are_other_words_are_no_days(tmp_path: Path) -> None:
    calendar = written(tmp_path, "de", "")["calendar"]
    assert not {"so", "do", "mi"} & set(calendar["weekdays_short"])


def test_names_of_the_file_take_the_place_of_babels(tmp_path: Path) -> None:
    calendar = written(tmp_path, "de", "calendar: {weekdays: {samstag: 5, sonnabend: 5}}")[
        "calendar"
    ]
    assert calendar["weekdays"] == {"samstag": 5, "sonnabend": 5}
    assert "mai" in calendar["months"]


def test_a_language_that_babel_does_not_know_has_what_its_file_says(tmp_path: Path) -> None:
    assert written(tmp_path, "xx", "")["calendar"] == {}
