"""Whatever actions and normalizers hand out is stored as plain data, or refused in good order."""

import decimal
import enum
import json
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig, action, normalizer
from soni.persistence import open_store
from tests.talking import Talk, talking_to


class Colour(enum.StrEnum):
    RED = "red"


class Shape(enum.Enum):
    ROUND = ("round", 1)


class Level(enum.IntEnum):
    HIGH = 3


class LibraryNumber(float):
    """As numeric libraries have them."""


class LibraryText(str):
    pass


CONFIG = SoniConfig.model_validate(
    {
        "slots": {"weight": {"type": "number", "normalizer": "rounded"}},
        "flows": {
            "look": {
                "trigger": {"examples": ["look"]},
                "steps": [{"action": "find", "on_error": "sorry"}, {"collect": "x", "message": "?"},
                          {"step": "sorry", "type": "say", "message": "{_error_type}"}],
            },
            "weigh": {
                "trigger": {"examples": ["weigh"]},
                "steps": [{"collect": "weight", "message": "?"}, {"collect": "x", "message": "!"}],
            },
        },
    }
)  # fmt: skip


def finding(found: Any) -> SoniConfig:
    @action
    def find() -> dict[str, Any]:
        return {"found": found}

    @normalizer
    def rounded(value: float) -> Any:
        return LibraryNumber(round(value))

    return CONFIG.with_functions([find, rounded])


async def stored(talk: Talk) -> Any:
    state = await talk.runtime.get_state("ann")
    slots = state["flow_slots"][state["flow_stack"][-1]["flow_id"]]
    assert json.loads(json.dumps(slots)) == slots
    return slots


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
@pytest.mark.parametrize(
    ("found", "kept"),
    [
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Shape.ROUND, ["round", 1]),
        (LibraryNumber(1.5), 1.5),
        (LibraryText("a"), "a"),
        ((1, [Colour.RED]), [1, ["red"]]),
        ({Level.HIGH: Level.HIGH}, {"3": 3}),
        (0, 0),
        (False, False),
        (None, None),
        ("", ""),
        (2**80, 2**80),
    ],
)
async def test_rich_values_are_stored_plain(
    found: Any, kept: Any, backend: str, tmp_path: Path
) -> None:
    store = open_store(backend, str(tmp_path / "talk.db"))
    async with talking_to(finding(found), store=store) as talk:
        assert await talk.say("look") == ["?"]
        value = (await stored(talk))["found"]
        assert value == kept
        assert type(value) is type(kept)


@pytest.mark.parametrize(
    "found",
    [float("nan"), float("inf"), [float("-inf")], decimal.Decimal(1), object(), b"x", {1, 2}],
)
async def test_what_cannot_be_stored_is_the_actions_failure_not_the_turns(found: Any) -> None:
    async with talking_to(finding(found)) as talk:
        assert await talk.say("look") == ["bad_output"]
        assert talk.ended == [("look", "completed")]


async def test_a_normalizers_own_kind_of_number_is_stored_as_a_number() -> None:
    async with talking_to(finding(None)) as talk:
        await talk.say("weigh")
        assert await talk.say("2.4") == ["!"]
        weight = (await stored(talk))["weight"]
        assert (weight, type(weight)) in ((2, int), (2.0, float))
