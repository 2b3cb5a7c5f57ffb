"""The sentences of tests/nlu: they can be asked, and their own meanings are exact.

Nothing here shows a sentence: half of them is set apart.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from benchmarks.understanding.nlu import NLU, READ, UNREAD
from soni.du import DialogueContext, NLUOutput
from soni.testing.evaluate import Evaluation, Figures, is_held_out

NEWER = (
    *("ayuntamiento", "cinema", "energy", "hotel", "insurance"),
    *("restaurant", "staff", "taller", "telecom"),
)
NEWEST = ("garage", "library")
LATEST = ("carhire", "groceries", "gym", "salon", "university", "vet")
FILES = sorted(file for file in NLU.rglob("*.yaml") if ".assistant." not in file.name)


def evaluation(file: Path) -> Evaluation:
    return Evaluation.load(file.with_name(f"{file.name.split('.')[0]}.assistant.yaml"), [file])


_WITH_SLOTS = {"StartFlow", "SetSlot"}


class Written:
    """Says what is written, each time in the spelling that `respelled` gives it."""

    def __init__(self, written: Evaluation, respelled: Any) -> None:
        self._rest = [sample.commands for sample in written.iter_samples()]
        # The first sentence is asked twice.
        self._rest.insert(0, self._rest[0])
        self._respelled = respelled

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        return NLUOutput(commands=self._respelled(self._rest.pop(0)))


def as_it_is(commands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(commands)


def otherwise(commands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Corrections as values, values as corrections, values of a flow along with its start."""
    kinds = [command["type"] for command in commands]
    if kinds[:1] == ["StartFlow"] and _WITH_SLOTS.issuperset(kinds):
        made: list[dict[str, Any]] = []
        for command in commands:
            if command["type"] == "StartFlow":
                made.append({**command, "slots": {}})
            else:
                made[-1]["slots"][command["slot_name"]] = command["value"]
        return made
    return [_swapped(command) for command in reversed(commands)]


def _swapped(command: dict[str, Any]) -> dict[str, Any]:
    fields = {key: command[key] for key in ("slot_name", "flow_name") if key in command}
    if command["type"] == "SetSlot":
        return {"type": "CorrectSlot", "new_value": command["value"], **fields}
    if command["type"] == "CorrectSlot":
        return {"type": "SetSlot", "value": command["new_value"], **fields}
    return command


@pytest.mark.parametrize(
    ("file", "respelled"),
    # The digests below keep what was written as it was checked then: a few show that it still is.
    [*((file, as_it_is) for file in FILES[::5]), *((file, otherwise) for file in FILES[1::9])],
    ids=lambda one: getattr(one, "name", None) or one.__name__,
)
async def test_the_written_meaning_is_exact_however_it_is_spelled(
    file: Path, respelled: Any
) -> None:
    written = evaluation(file)
    figures = Figures(await written.run(Written(written, respelled)))
    wrong = [reading.sample.line for reading in figures.wrong]
    assert wrong == []
    assert figures.exact.total > 50


NEW = (
    *("almazara", "farmring", "glazier", "jeweller", "lottery", "luthier", "piscinas"),
    *("radiostation", "referees", "surveypanel", "trademarks"),
)
LANGUAGES = (
    *("camping", "condominio", "fahrschule", "florista", "mutuelle", "petshop", "pizzeria"),
    *("stadtwerke", "woonstichting", "zwembad"),
)


@pytest.mark.parametrize(
    ("names", "sentences", "apart", "digest"),
    [
        (("bank", "travel"), 485, 236, "cfba7f4aa21947ff"),
        (("clinic", "parcel"), 350, 174, "e0e1c73a7936909d"),
        (NEWER, 744, 364, "91fa784be74c17d0"),
        (NEWEST, 168, 87, "4ea72e3c96eca4d8"),
        (LATEST, 478, 242, "0bb3cfad121a0af8"),
        (("ebikes", "pestcontrol"), 160, 74, "f91123b2f6b6b06f"),
        (UNREAD[:6], 480, 249, "970cbd974d0cd671"),
        (UNREAD[6:], 389, 195, "8acb0e70da123fca"),
        (READ[:12], 772, 348, "9a3529f428010676"),
        (READ[12:], 747, 372, "43e06f6ac3cc5e69"),
        (NEW, 1202, 595, "4890ac8f702605ff"),
        (LANGUAGES, 1343, 674, "c80727ab85e00885"),
    ],
)
def test_there_are_enough_of_them_and_none_has_changed(
    names: tuple[str, ...], sentences: int, apart: int, digest: str
) -> None:
    files = [file for file in FILES if file.name.partition(".")[0] in names]
    texts = [sample.text for file in files for sample in evaluation(file).iter_samples()]
    assert (len(texts), sum(map(is_held_out, texts))) == (sentences, apart)
    # Written before anything was tuned: a sentence or a meaning that changes later shows here.
    written = [file.read_text(encoding="utf-8").partition("\nsaid:\n")[2] for file in files]
    assert sha256("".join(written).encode()).hexdigest()[:16] == digest
