"""settings.persistence and settings.nlu: where conversations are kept, how they are understood."""

from pathlib import Path

import pytest

from soni import RuntimeLoop, SoniConfig
from soni.core.storage_errors import StorageError
from soni.persistence.encryption import make_key

KEPT = """
version: "1"
settings:
  persistence: {backend: sqlite, url: kept/talks.db}
  nlu: {provider: local}
flows:
  greet:
    trigger: {examples: [hello]}
    steps: [{collect: name, message: "Your name?"}, {say: "Hello, {name}!"}]
"""


async def test_a_conversation_goes_on_where_it_is_kept(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(KEPT.replace("kept/", f"{tmp_path}/"))
    async with RuntimeLoop(SoniConfig.load(tmp_path)) as runtime:
        assert (await runtime.turn("hello", "ann")).messages == ["Your name?"]
    assert (tmp_path / "talks.db").exists()
    async with RuntimeLoop(SoniConfig.load(tmp_path)) as runtime:
        assert (await runtime.turn("Ann", "ann")).messages == ["Hello, Ann!"]


KEYED = """
version: "1"
settings:
  persistence:
    backend: sqlite
    url: kept/talks.db
    retention: 90d
    encryption_key: bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldy4=
    encryption_keys: [b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQgb2xkIG9sZC4=]
flows:
  greet:
    trigger: {examples: [hello]}
    steps: [{collect: name, message: "Your name?"}, {say: "Hello, {name}!"}]
"""
NEW_KEY = "    encryption_key: bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldy4=\n"


async def test_a_conversation_goes_on_after_its_key_was_changed(tmp_path: Path) -> None:
    written = KEYED.replace("kept/", f"{tmp_path}/")
    (tmp_path / "soni.yaml").write_text(written.replace(NEW_KEY, ""))
    async with RuntimeLoop(SoniConfig.load(tmp_path)) as runtime:
        await runtime.turn("hello", "ann")
    (tmp_path / "soni.yaml").write_text(written)
    async with RuntimeLoop(SoniConfig.load(tmp_path)) as runtime:
        assert (await runtime.turn("Heliotrope", "ann")).messages == ["Hello, Heliotrope!"]
        assert not any(b"eliotrope" in file.read_bytes() for file in tmp_path.glob("talks*"))


@pytest.mark.parametrize("later", [None, "another"])
async def test_an_encrypted_store_takes_nothing_without_its_key(
    later: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = "SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY"
    place = {"backend": "sqlite", "url": str(tmp_path / "kept.db")}
    greet = {"trigger": {"examples": ["hi"]}, "steps": [{"say": "Hello!"}]}
    written = {"settings": {"persistence": place}, "flows": {"greet": greet}}
    monkeypatch.setenv(variable, make_key())
    async with RuntimeLoop(SoniConfig.model_validate(written)) as runtime:
        assert await runtime.process_message("hi") == "Hello!"
    if later is None:
        monkeypatch.delenv(variable)
    else:
        monkeypatch.setenv(variable, make_key())
    with pytest.raises(StorageError, match=r"no key is given|a key that is not given"):
        await RuntimeLoop(SoniConfig.model_validate(written)).process_message("hi", "bob")
