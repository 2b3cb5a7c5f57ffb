"""A runtime that was warmed up has nothing left to load or encode, and next time is quick."""

from pathlib import Path

from soni import RuntimeLoop, SoniConfig
from soni.du.encoder.encoding_file import FILE_NAME, EncodingFile, make_key
from soni.du.local.analysis import load_models
from soni.persistence import open_store
from tests.talking import talking_to

TEA = """
version: "1"
slots: {size: {type: choice, values: [small, large], prompt: "Which size?"}}
flows:
  order_tea:
    description: Order a pot of tea
    trigger: {examples: [a pot of tea please]}
    steps: [{collect: size}, {say: "Here you are."}]
knowledge:
  - {question: Where does the tea come from?, answer: From Ceylon.}
"""
SAID = ("a pot of tea please", "Order a pot of tea", "order tea", "Where does the tea come from?")


def write(folder: Path, text: str = TEA) -> SoniConfig:
    (folder / "soni.yaml").write_text(text, encoding="utf-8")
    return SoniConfig.load(folder)


async def warm_up(config: SoniConfig) -> None:
    async with RuntimeLoop(config, store=open_store("memory")) as runtime:
        await runtime.warm_up()


def stored(folder: Path) -> set[bytes]:
    return set(EncodingFile(folder / FILE_NAME, load_models().version).load().sentences)


async def test_the_texts_of_an_assistant_are_kept_beside_it(tmp_path: Path) -> None:
    await warm_up(write(tmp_path))
    assert stored(tmp_path / ".soni") == {make_key(text) for text in SAID}
    written = (tmp_path / ".soni" / FILE_NAME).stat().st_mtime_ns
    await warm_up(SoniConfig.load(tmp_path))
    assert (tmp_path / ".soni" / FILE_NAME).stat().st_mtime_ns == written
    # No text stands in the file.
    assert b"tea" not in (tmp_path / ".soni" / FILE_NAME).read_bytes()


async def test_an_edited_assistant_keeps_what_it_still_has(tmp_path: Path) -> None:
    await warm_up(write(tmp_path))
    await warm_up(write(tmp_path, TEA.replace("a pot of tea please", "tea for two")))
    assert stored(tmp_path / ".soni") == {make_key(text) for text in ("tea for two", *SAID[1:])}


async def test_the_settings_name_another_folder(tmp_path: Path) -> None:
    await warm_up(write(tmp_path, TEA + "settings: {nlu: {cache: warm/texts}}\n"))
    assert stored(tmp_path / "warm" / "texts") == {make_key(text) for text in SAID}
    assert not (tmp_path / ".soni").exists()


async def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    config = write(tmp_path)
    await warm_up(config)
    (tmp_path / ".soni" / FILE_NAME).write_bytes(b"damaged")
    await warm_up(config)
    assert stored(tmp_path / ".soni") == {make_key(text) for text in SAID}


async def test_what_is_understood_is_the_same_after_a_warm_up(tmp_path: Path) -> None:
    config = write(tmp_path)
    await warm_up(config)
    async with talking_to(config) as talk:
        await talk.runtime.warm_up()
        assert await talk.say("could I have some tea") == ["Which size?"]
        assert await talk.say("the large one") == ["Here you are."]


async def test_an_assistant_without_a_folder_is_warmed_up_without_a_file() -> None:
    config = SoniConfig.model_validate({"flows": {"greet": {"steps": [{"say": "Hello."}]}}})
    await warm_up(config)
