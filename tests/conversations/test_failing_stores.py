"""When a turn cannot be stored or loaded, nothing of it remains."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soni import TurnError
from soni.persistence import open_store
from tests.conversations.till import Till, fails, statuses
from tests.talking import talking_to


class Refusing(InMemorySaver):
    """A saver of the caller's whose disk is full, or cannot be read."""

    refuses = ""

    async def aput(self, *args: Any, **options: Any) -> Any:
        if self.refuses == "write":
            raise OSError("no space left")
        return await super().aput(*args, **options)

    async def aget_tuple(self, config: Any) -> Any:
        if self.refuses == "read":
            raise OSError("gone")
        return await super().aget_tuple(config)


async def test_a_checkpointer_that_cannot_write_fails_the_turn_and_no_more() -> None:
    till, saver = Till(), Refusing()
    async with talking_to(till.config, checkpointer=saver) as talk:
        await talk.say("pay")
        await talk.say("5")
        saver.refuses = "write"
        assert isinstance(await fails(talk, "Bob"), OSError)
        saver.refuses = ""
        assert await talk.say("Bob") == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert till.charged == [(5, "Bob")]


async def test_a_checkpointer_that_cannot_read_fails_the_turn_and_no_more() -> None:
    saver = Refusing()
    async with talking_to(Till().config, checkpointer=saver) as talk:
        await talk.say("pay")
        saver.refuses = "read"
        with pytest.raises(TurnError, match="gone"):
            await talk.say("5")
        saver.refuses = ""
        assert await talk.say("5") == ["To whom?"]
        assert await statuses(talk) == [(1, "ok"), (0, "failed"), (2, "ok")]


async def test_a_file_that_refuses_the_reply_fails_the_turn_and_no_more(tmp_path: Path) -> None:
    till, path = Till(), tmp_path / "talk.db"
    async with talking_to(till.config, store=open_store("sqlite", str(path))) as talk:
        await talk.say("pay")
        await talk.say("5")
        with closing(sqlite3.connect(path)) as other:
            other.execute(
                "CREATE TRIGGER full BEFORE INSERT ON checkpoints "
                "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        await fails(talk, "Bob")
        with closing(sqlite3.connect(path)) as other:
            other.execute("DROP TRIGGER full")
        assert await talk.say("Bob") == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert till.charged == [(5, "Bob")]
        assert await statuses(talk) == [(1, "ok"), (2, "ok"), (3, "failed"), (3, "ok")]


async def test_that_a_failure_cannot_be_recorded_does_not_hide_the_failure(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    till = Till()
    async with talking_to(till.config, store=open_store("sqlite", str(path))) as talk:
        await talk.say("pay")
        with closing(sqlite3.connect(path)) as other:
            other.execute(
                "CREATE TRIGGER full BEFORE INSERT ON journal "
                "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        till.faults["handler"] = TypeError("the reason")
        assert isinstance(await fails(talk, "5"), TypeError)
