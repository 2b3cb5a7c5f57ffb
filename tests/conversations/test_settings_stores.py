"""settings.persistence and settings.nlu: where conversations are kept, how they are understood."""

from pathlib import Path

from soni import RuntimeLoop, SoniConfig

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
