"""What a cascade would bring at every threshold, worked out by hand."""

import textwrap
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from soni.du import DialogueContext, NLUOutput
from soni.du.cascade.provider import CascadeNLU
from soni.testing.evaluate import Curve, Evaluation, Figures
from soni.testing.evaluate.curve import CurveMessage

BANK = """
slots:
  amount: {type: integer, prompt: How much?}
  pin: {prompt: Your PIN?, sensitive: true}
flows:
  transfer:
    steps: [{collect: amount}, {collect: pin}, {say: Sent.}]
"""
SENTENCES = """
moments:
  pin: [[StartFlow transfer], [SetSlot amount 5]]
said:
  idle:
    send it: StartFlow transfer
    hm: ""
    move some cash: StartFlow transfer
  pin:
    "1234": SetSlot pin 1234
"""


class Hearing:
    """Says what it was told to, as sure as it was told to be."""

    def __init__(self, **said: tuple[float, str]) -> None:
        self._said = {text.replace("_", " "): each for text, each in said.items()}
        self.heard: list[str] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        self.heard.append(user_message)
        sure, command = self._said.get(user_message, (0.0, ""))
        if command == "fails":
            raise ConnectionError("nobody is there")
        fields = {"flow_name": "transfer"} if command == "StartFlow" else {}
        commands = ({"type": command, **fields},) if command else ()
        return NLUOutput(commands=commands, confidence=sure)


def shares(curve: Curve) -> list[tuple[float, int, int]]:
    return [(point.threshold, point.asked.count, point.right.count) for point in curve.points]


def test_the_less_sure_are_sent_first() -> None:
    curve = Curve.from_messages(
        [
            CurveMessage(0.98, kept=False, sent=False),
            CurveMessage(0.95, kept=True, sent=True),
            CurveMessage(0.7, kept=True, sent=False),
            CurveMessage(0.4, kept=False, sent=True),
            CurveMessage(-inf, kept=False, sent=True),
            CurveMessage(inf, kept=True, sent=False),
        ]
    )
    assert shares(curve) == [(0, 1, 4), (0.5, 2, 5), (0.8, 3, 4), (0.96, 4, 4), (0.99, 5, 4)]
    assert curve.best.threshold == 0.5
    point = curve.propose_point()
    assert point is not None
    assert (point.threshold, point.asked.count) == (0.5, 2)
    assert curve.propose_point(target=0.6) == curve.points[0]
    assert curve.propose_point(target=0.9) is None


def test_calls_that_bring_next_to_nothing_are_not_proposed() -> None:
    sure = [CurveMessage(0.99, kept=True, sent=True)] * 196
    wrong = [CurveMessage(0.5, kept=False, sent=True)] * 3
    rare = [CurveMessage(0.9, kept=False, sent=True)]
    curve = Curve.from_messages([*sure, *wrong, *rare])
    assert curve.best.right.count == 200
    point = curve.propose_point()
    assert point is not None
    assert point.asked.count == 3


def test_where_all_is_right_without_a_model_the_default_is_kept() -> None:
    curve = Curve.from_messages(
        [CurveMessage(0.5, kept=True, sent=True), CurveMessage(0.9, kept=True, sent=True)],
        perfect=True,
    )
    assert curve.needless
    assert shares(curve) == [(0, 0, 2), (0.85, 1, 2), (0.91, 2, 2)]
    for target in (None, 0.5, 1.0):
        assert curve.propose_point(target) == curve.points[1]


def test_a_model_that_would_spoil_what_is_right_is_not_proposed_by_default() -> None:
    curve = Curve.from_messages(
        [CurveMessage(0.5, kept=True, sent=False), CurveMessage(0.9, kept=True, sent=True)]
    )
    assert curve.needless
    assert curve.propose_point() == curve.points[0]
    assert curve.points[0].threshold == 0


async def outcome(folder: Path, nlu: Any) -> Figures:
    (folder / "nlu").mkdir()
    (folder / "soni.yaml").write_text(textwrap.dedent(BANK))
    (folder / "nlu" / "a.yaml").write_text(textwrap.dedent(SENTENCES))
    return Figures(await Evaluation.load(folder).run(nlu, apart=True))


async def test_both_providers_of_a_cascade_are_asked_and_one_answer_counts(tmp_path: Path) -> None:
    first = Hearing(
        send_it=(0.9, "StartFlow"), move_some_cash=(0.3, "CancelFlow"), hm=(0.2, "ChitChat")
    )
    second = Hearing(send_it=(1.0, "CancelFlow"), move_some_cash=(1.0, "StartFlow"))
    figures = await outcome(tmp_path, CascadeNLU(first, second, threshold=0.5))
    # As the cascade itself: sure of the first, sent the second; to the third the model says
    # nothing, so that the first answer counts; a PIN is never sent.
    right = {each.sample.text: each.right for each in figures.readings}
    assert right == {"send it": True, "hm": False, "move some cash": True, "1234": False}
    assert "1234" not in second.heard
    # The first is none of the sentences: it is there to have loaded what is needed.
    assert sorted(set(second.heard[1:])) == ["hm", "move some cash", "send it"]
    curve = Curve.of_readings(figures.readings)
    assert not curve.perfect
    assert shares(curve) == [(0, 0, 1), (0.3, 1, 1), (0.4, 2, 2), (0.91, 3, 1)]


async def test_what_a_model_had_no_answer_to_is_left_out_and_nothing_is_proposed(
    tmp_path: Path,
) -> None:
    first = Hearing(send_it=(0.4, "StartFlow"), move_some_cash=(0.3, "CancelFlow"))
    second = Hearing(send_it=(1.0, "fails"), hm=(1.0, "fails"), move_some_cash=(1.0, "StartFlow"))
    figures = await outcome(tmp_path, CascadeNLU(first, second, threshold=0.5))
    # The cascade itself stays with the first answer, if there is one.
    right = {each.sample.text: each.right for each in figures.readings}
    assert right == {"send it": True, "hm": False, "move some cash": True, "1234": False}
    assert figures.total_failed == 1
    assert figures.model_errors == ["ConnectionError: nobody is there"] * 2
    curve = Curve.of_readings(figures.readings)
    assert curve.failed == 2
    assert shares(curve) == [(0, 0, 0), (0.4, 1, 1)]
    assert curve.propose_point() is None
    assert curve.propose_point(target=0.1) is None


async def test_without_a_model_what_is_written_stands_for_it(tmp_path: Path) -> None:
    figures = await outcome(
        tmp_path, Hearing(send_it=(0.9, "StartFlow"), move_some_cash=(0.3, "CancelFlow"))
    )
    curve = Curve.of_readings(figures.readings)
    assert curve.perfect
    # "Hm" is nothing to both; what was understood as nothing is always sent.
    assert shares(curve) == [(0, 1, 2), (0.4, 2, 3), (0.91, 3, 3)]
    point = curve.propose_point()
    assert point is not None
    assert point.asked.count == 2
