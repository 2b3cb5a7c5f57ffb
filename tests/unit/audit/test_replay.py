"""A recorded conversation is held again: exactly, and without doing anything."""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from soni import ActionError, RuntimeLoop, SoniConfig, TurnError, action, validator
from soni.audit.placeholders import has_mask
from soni.audit.turn import RecordedTurn
from soni.commands import ChitChat, CorrectSlot, SetSlot, StartFlow
from soni.core.constants import MASK
from soni.persistence import open_store
from tests.unit.audit.holding import BUYING, SHOP, Said, again, held, shop, turns_of

EVERYTHING: list[Said] = [
    "hello there",
    ("hours", {"context": {"greeting": "Good day", "pin": 4711}, "message_id": "m1"}),
    *BUYING,
    ("comprar", {"language": "es"}),
    ("luna", {"language": "es"}),
    ("hours", {"context": {"greeting": "Hi"}}),
    ("two pens", {"commands": [SetSlot(slot_name="count", value=2), ChitChat()]}),
    ("no, 4", {"commands": [CorrectSlot(slot_name="count", new_value=4)]}),
    ("1234", {}),
    ("no, 5678", {"commands": [CorrectSlot(slot_name="pin", new_value=5678)]}),
    ("x" * 5000, {}),
    ("boom", {"commands": [{"type": "Explode"}, {"type": "SetSlot", "slot": 1}, 7]}),
    "talk to a person",
    "are you there?",
    "/release",
    ("/start", {"flow_name": "buy", "inputs": {"item": "moon", "count": 1}}),
    ("/push", {"text": "Sale {today}!"}),
    "/reset",
    *BUYING[:3],
    ("hours", {"after": 4000}),
]


async def test_an_unedited_assistant_makes_no_difference(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", EVERYTHING))
    turns = await turns_of(config)
    assert len(turns) == len(EVERYTHING)
    replayed = await again(config, turns)
    assert [(turn.then.message, turn.differences) for turn in replayed if not turn.is_same] == []
    assert [turn.outcome for turn in replayed].count("held") == len(EVERYTHING) - 1


async def test_no_action_runs(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", EVERYTHING))
    sales = config.functions.actions["pay"].__globals__["SALES"]
    done = list(sales)
    assert {"asked", "paid", "announced"} == set(done)
    await again(config, await turns_of(config))
    assert sales == done


async def test_an_edited_sentence_is_marked_where_it_is_said(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING))
    edited = shop(tmp_path / "shop", SHOP.replace("How many?", "What number?"))
    replayed = await again(edited, await turns_of(config))
    assert [turn.is_same for turn in replayed] == [True, False, False, True, True, True, True]
    (difference,) = replayed[1].differences
    assert (difference.what, difference.then, difference.now) == (
        "replies",
        ["How many?"],
        ["What number?"],
    )


async def test_a_flow_that_goes_another_way_differs_in_where_it_stands(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING[:2]))
    asks_for_pin = SHOP.replace("      - collect: count\n", "      - collect: pin\n")
    replayed = await again(shop(tmp_path / "shop", asks_for_pin), await turns_of(config))
    assert replayed[0].is_same
    found = {each.what: (each.then, each.now) for each in replayed[1].differences}
    assert found.pop("steps")
    assert found == {
        "replies": (["How many?"], ["Your PIN?"]),
        "step": ("collect_count", "collect_pin"),
        "waiting_for": ("count", "pin"),
    }


async def test_an_action_without_a_recorded_result_fails_and_says_so(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", ["buy", "pen", "3"]))
    edited = shop(
        tmp_path / "shop",
        SHOP.replace(
            "      - collect: count\n",
            "      - {action: announce, inputs: {queue: a, reason: b}}\n      - collect: count\n",
        ),
    )
    replayed = await again(edited, await turns_of(config))
    assert replayed[1].missing == ("announce",)
    assert not replayed[1].is_same
    assert "replies" in [each.what for each in replayed[1].differences]


async def test_an_action_whose_outcome_was_unknown_is_in_doubt_again(tmp_path: Path) -> None:
    yaml = """
    flows:
      gift:
        trigger: {examples: [gift]}
        steps:
          - {action: price_of, inputs: {item: pen, count: 1}}
    """
    config = shop(tmp_path / "shop", yaml)

    @action
    def price_of(item: str, count: int) -> dict[str, Any]:
        raise ActionError("till_silent", "no answer", outcome_known=False)

    await held(config.with_functions([price_of]), ("ann", ["gift"]))
    turns = await turns_of(config)
    assert turns[0].entry.data["replies"][0].startswith("I do not know whether gift was done")
    assert [turn.is_same for turn in await again(config, turns)] == [True]


async def test_the_same_action_called_from_another_step_keeps_its_result(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING))
    edited = shop(
        tmp_path / "shop",
        SHOP.replace("- action: price_of", "- step: ask_price\n        action: price_of"),
    )
    replayed = await again(edited, await turns_of(config))
    assert {each.what for turn in replayed for each in turn.differences} == {"steps"}
    assert not any(turn.missing for turn in replayed)


async def test_a_flow_that_is_gone_is_a_difference_not_a_crash(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", ["hours", *BUYING]))
    gone = shop(tmp_path / "shop", SHOP[: SHOP.index("  hours:")])
    replayed = await again(gone, await turns_of(config))
    assert not replayed[0].is_same
    assert {"replies", "decisions"} <= {each.what for each in replayed[0].differences}


async def test_a_secret_is_judged_as_it_was_then(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING))
    turns = await turns_of(config)
    assert [turn.replies for turn in turns[4:6]] == [
        [f"{MASK} is no PIN.", "Your PIN?"],
        ["3 pen for 3?"],
    ]
    assert any(map(has_mask, turns))
    told = [{**turn.entry.data, "timings": None, "versions": None} for turn in turns]
    assert "4711" not in str(told)
    assert all(turn.is_same for turn in await again(config, turns))


async def test_turns_that_failed_are_passed_over(tmp_path: Path) -> None:
    config, faults = shop(tmp_path / "shop"), [TypeError("oops")]

    @validator
    def few(count: Any) -> bool:
        if faults:
            raise faults.pop()
        return True

    known = config.functions.validators["known"]
    broken = config.with_functions([*config.functions.actions.values(), known, few])
    store = open_store("memory")
    async with RuntimeLoop(broken, store=store) as runtime:
        for said in ("buy", "pen"):
            await runtime.turn(said, "ann")
        with pytest.raises(TurnError):
            await runtime.turn("3", "ann", message_id="m3")
        await runtime.turn("3", "ann", message_id="m3")
        turns = [RecordedTurn(entry) for entry in await store.journal.entries("ann")]
    replayed = await again(broken, turns)
    assert [turn.outcome for turn in replayed] == ["held", "held", "skipped", "held"]
    assert all(turn.is_same for turn in replayed)


async def test_a_turn_that_breaks_in_the_replay_is_told(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    await held(config, ("ann", BUYING))

    @validator
    def few(count: int) -> bool:
        raise TypeError("a mistake of the author")

    others = [*config.functions.actions.values(), config.functions.validators["known"], few]
    replayed = await again(config.with_functions(others), await turns_of(config))
    assert replayed[2].outcome == "failed"
    assert "TypeError" in str(replayed[2].differences[0].now)


async def test_what_cannot_be_recorded_as_it_is_is_not_made_up(tmp_path: Path) -> None:
    yaml = """
    version: "1"
    flows:
      list_all:
        trigger: {examples: [list]}
        steps:
          - action: everything
            on_error: lost
          - {say: "{_error_type} {size}", jump_to: end}
          - {step: lost, say: "{_error_type}"}
    """
    functions = (
        "from soni import action\n\n@action\ndef everything() -> dict:\n"
        "    return {'size': 3, 'rows': ['x' * 1000] * 100}\n"
    )
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "actions.py").write_text(functions)
    (folder / "soni.yaml").write_text(textwrap.dedent(yaml))
    config = SoniConfig.load(folder)
    await held(config, ("ann", ["list"]))
    (turn,) = await turns_of(config)
    (call,) = turn.actions
    assert call["seconds"] >= 0
    assert (call["action"], call["inputs"], call["cut"]) == ("everything", {}, ["outputs"])
    assert "outputs" not in call
    (replayed,) = await again(config, [turn])
    assert replayed.missing == ("everything",)
    assert replayed.now is not None
    assert replayed.now.replies == ["not_recorded"]


async def test_a_conversation_in_spanish_is_held_in_spanish(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    spanish: list[Said] = [
        (said, {"language": "es"}) for said in ("comprar", "piña", "2", "4711", "sí")
    ]
    await held(config, ("José", spanish))
    turns = await turns_of(config, "José")
    assert turns[-1].replies == ["Paying ...", "Pagado, R2."]
    replayed = await again(config, turns)
    assert all(turn.is_same for turn in replayed)
    assert [turn.now.replies for turn in replayed if turn.now] == [turn.replies for turn in turns]


async def test_what_starts_from_a_command_keeps_the_order_it_was_said_in(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    start = StartFlow(flow_name="buy", slots={"count": 77, "item": "pen"})
    await held(config, ("ann", [("buy 77 pens", {"commands": [start]})]))
    (turn,) = await turns_of(config)
    assert list(turn.said[0]["slots"]) == ["count", "item"]
    (replayed,) = await again(config, [turn])
    assert replayed.is_same


@pytest.mark.parametrize("pin", ["471147", "7"])
async def test_a_reply_that_quotes_a_secret_is_compared_around_it(pin: str, tmp_path: Path) -> None:
    yaml = """
    slots: {pin: {prompt: "Your PIN?", sensitive: true}, code: {}}
    flows:
      buy:
        trigger: {examples: [buy]}
        steps: [{collect: pin}, {set: {code: "{{ 'T-' + pin }}"}}, {say: "{code}, 7 pens."}]
    """
    config = shop(tmp_path / "shop", yaml)
    await held(config, ("ann", ["buy", pin]))
    turns = await turns_of(config)
    assert pin not in turns[1].replies[0].split(",")[0]
    assert [turn.is_same for turn in await again(config, turns)] == [True, True]
    other = shop(tmp_path / "shop", yaml.replace("7 pens", "8 pens"))
    assert [turn.is_same for turn in await again(other, turns)] == [True, False]
