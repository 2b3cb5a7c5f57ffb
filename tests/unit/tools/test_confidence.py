"""What the weights of the confidence are found on."""

from pathlib import Path

import pytest

from benchmarks.understanding.nlu import UNREAD
from tools import confidence

SHOP = "flows: {order: {trigger: {examples: [order a pizza]}, steps: [{say: Done.}]}}\n"
SAID = "said:\n  idle:\n" + "".join(f"    order {n} pizzas: StartFlow order\n" for n in range(20))


async def test_assistants_on_which_nothing_is_tuned_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pizzeria", UNREAD[0]):
        (tmp_path / f"{name}.assistant.yaml").write_text(SHOP)
        (tmp_path / f"{name}.said.yaml").write_text(SAID)
    monkeypatch.setattr(confidence, "NLU", tmp_path)

    heard = await confidence.sentences()

    assert {each.group for each in heard} == {"pizzeria"}
