"""A recorded conversation becomes sentences that can be asked, and learnt from."""

from collections.abc import Sequence
from pathlib import Path

from soni.audit.annotation import AnnotationFile, annotate_turns
from soni.testing.evaluate import Evaluation, Figures
from tests.unit.audit.holding import SHOP, Said, held, shop, turns_of

WITH_EXAMPLES = SHOP.replace("sensitive: true,", 'sensitive: true, examples: ["2468"],')


async def annotate(folder: Path, said: Sequence[Said], yaml: str = WITH_EXAMPLES) -> AnnotationFile:
    config = shop(folder, yaml)
    await held(config, ("ann", said))
    return await annotate_turns(config, await turns_of(config))


async def test_every_message_is_written_in_its_moment_with_what_was_understood(
    tmp_path: Path,
) -> None:
    said = ["buy", "pen", "12", "3", "4711", "no, 2 please", "yes", "hours"]
    written = await annotate(tmp_path, said)
    assert written.sentences == 7
    assert written.text.endswith(
        """\
said:
  idle:
    buy: StartFlow buy
  turn 2:
    pen: SetSlot item pen
  turn 3:
    "12": SetSlot count 12
  turn 4:
    "3": SetSlot count 3
  turn 6:
    "no, 2 please": CorrectSlot count 2
  turn 7:
    "yes": AffirmConfirmation
  turn 8:
    hours: StartFlow hours
"""
    )
    # What came to nothing is no part of the way to a moment, a secret has a stand-in.
    way = "    - [StartFlow buy]\n    - [SetSlot item pen]\n    - [SetSlot count 3]\n"
    assert f"  turn 6:\n{way}    - [SetSlot pin 2468]\n" in written.text
    assert "conversation: ann\n" in written.text
    assert "4711" not in written.text
    assert written.notes == ["turn 5 is left out: it holds what is not on record"]
    assert f"# {written.notes[0]}\n" in written.text


async def test_what_is_written_can_be_asked_and_belongs_together(tmp_path: Path) -> None:
    written = await annotate(tmp_path, ["buy", "pen; paper", "3"])
    (tmp_path / "nlu").mkdir()
    (tmp_path / "nlu" / "ann.yaml").write_text(written.text, encoding="utf-8")
    evaluation = Evaluation.load(tmp_path)
    figures = Figures(await evaluation.run())
    assert (figures.exact.count, figures.exact.total) == (3, 3)
    assert "{SetSlot: {slot_name: item, value: pen; paper}}" in written.text
    assert {each.conversation for each in await evaluation.collect_questions()} == {"ann"}


async def test_what_follows_a_moment_that_nobody_can_repeat_is_left_out(tmp_path: Path) -> None:
    # Without an example of the slot there is no stand-in for the secret.
    written = await annotate(tmp_path, ["buy", "pen", "3", "4711", "yes"], SHOP)
    assert written.sentences == 3
    assert any(note.startswith("turn 5 is left out: ") for note in written.notes)
