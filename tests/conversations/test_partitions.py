"""Conversations divided among several stores, as docs/operations.md describes it."""

from contextlib import AsyncExitStack
from pathlib import Path
from zlib import crc32

import pytest

from soni import RuntimeLoop
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from tests.postgres_server import make_url
from tests.talking import assistant

FLOWS = """
    flows:
      greet:
        description: Greet somebody
        trigger: {examples: [hi]}
        steps:
          - {collect: name, message: "Your name?"}
          - say: "Hello, {name}!"
"""
PARTS = 4
PEOPLE = [f"user {number}" for number in range(12)]


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
async def test_each_conversation_lives_in_one_part_and_goes_on_there(
    backend: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    urls = [
        str(tmp_path / f"part{number}.db")
        if backend == "sqlite"
        else make_url(request.getfixturevalue("postgres"))
        for number in range(PARTS)
    ]
    config = assistant(FLOWS)
    async with AsyncExitStack() as stack:
        parts = [
            await stack.enter_async_context(RuntimeLoop(config, store=open_store(backend, url)))
            for url in urls
        ]

        def runtime_for(user: str) -> RuntimeLoop:
            return parts[crc32(user.encode()) % PARTS]

        for text, answer in (("hi", "Your name?"), ("Ann", "Hello, Ann!")):
            for user in PEOPLE:
                assert (await runtime_for(user).turn(text, user)).messages == [answer]
        held = [await part.store.journal.conversations() for part in parts]
        assert sorted(name for names in held for name in names) == sorted(PEOPLE)
        assert all(held)
        for user in PEOPLE:
            verify_chain(await runtime_for(user).store.journal.entries(user))
