"""Corners of corrections: while a called flow comes back, over links, in depth, after updates."""

from typing import Any

from langgraph.checkpoint.memory import MemorySaver

from soni.commands import AffirmConfirmation, CorrectSlot, SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

YES = AffirmConfirmation()
PAY = """
from soni import action

@action
def pay(amount: int) -> dict:
    return {"receipt": f"R{amount}"}
"""
BUY = """
slots:
  note: {prompt: "A note?"}
  nights: {type: integer, prompt: "How many nights?"}
  amount: {type: integer, prompt: "How much?"}
  city: {prompt: "Which city?"}
  last: {prompt: "Last?"}
actions:
  pay: {inputs: [amount], outputs: [receipt], repeatable: false}
flows:
  buy:
    trigger: {examples: [buy]}
    steps:
      - collect: note
      - say: "Note {note}."
      - call: paying
      - collect: last
      - say: "Done {receipt}."
  paying:
    outputs: [receipt]
    steps:
      - collect: amount
      - confirm: "Pay {amount}?"
      - action: pay
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: nights
      - {step: go, call: find, when: "nights > 0"}
      - say: "{sum} in {city}."
      - collect: last
  find:
    inputs: [nights]
    outputs: [sum, city]
    steps:
      - set: {sum: "{{ nights * 10 }}"}
      - collect: city
      - say: "So {city}."
      - confirm: "All right?"
  over:
    trigger: {examples: [over]}
    steps:
      - collect: nights
      - say: "{nights} nights."
      - call: first
      - collect: last
  first:
    inputs: [nights]
    steps:
      - collect: city
      - link: second
  second:
    steps:
      - confirm: "Pay for it?"
      - {action: pay, inputs: {amount: 5}}
"""


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def test_a_correction_in_the_message_that_ends_a_called_flow_does_not_pay_again() -> None:
    async with talking_to(BUY, PAY) as talk:
        await talk.say("buy", StartFlow(flow_name="buy", slots={"note": "a"}))
        assert await talk.say("5") == ["Pay 5?"]
        assert await talk.say("yes, and note b", YES, _correct("note", "b")) == [
            "note is now b.",
            "Note b.",
            "Last?",
        ]
        assert talk.actions == [("pay", {"amount": 5})]
        assert await talk.say("x") == ["Done R5."]


async def test_what_a_called_flow_has_just_brought_is_made_anew_with_another_input() -> None:
    async with talking_to(BUY, PAY) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"nights": 1}))
        assert await talk.say("Rome") == ["So Rome.", "All right?"]
        assert await talk.say("yes, 3 nights", YES, _correct("nights", 3)) == [
            "nights is now 3.",
            "30 in Rome.",
            "Last?",
        ]


async def test_a_slot_inside_a_called_flow_that_has_just_ended_is_corrected() -> None:
    async with talking_to(BUY, PAY) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"nights": 1}))
        await talk.say("Rome")
        assert await talk.say("yes, but Oslo", YES, _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "So Oslo.",
            "10 in Oslo.",
            "Last?",
        ]


async def test_what_a_called_flow_has_just_brought_is_dropped_with_its_call() -> None:
    async with talking_to(BUY, PAY) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"nights": 1}))
        await talk.say("Rome")
        assert await talk.say("yes, no nights", YES, _correct("nights", 0)) == [
            "nights is now 0.",
            " in .",
            "Last?",
        ]


async def test_what_was_done_behind_a_link_of_a_called_flow_is_not_done_again() -> None:
    too_late = "It is too late to change nights: that has already been done."
    async with talking_to(BUY, PAY) as talk:
        await talk.say("over", StartFlow(flow_name="over", slots={"nights": 1}))
        assert await talk.say("Rome") == ["Pay for it?"]
        assert await talk.say("yes, 2", YES, _correct("nights", 2)) == [too_late, "Last?"]
        assert talk.actions == [("pay", {"amount": 5})]
        assert await talk.say("2", _correct("nights", 2)) == [too_late, "Last?"]
        assert talk.actions == []


LOGIN = """
slots:
  logged_in: {type: boolean, scope: conversation}
  name: {prompt: "Your name?"}
  city: {prompt: "Which city?"}
  last: {prompt: "Last?"}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - {step: enter, call: login, when: "not logged_in"}
      - call: find
      - say: "{name} to {city}."
      - collect: last
  login: {outputs: [name], steps: [{collect: name}, {set: {logged_in: true}}]}
  find: {outputs: [city], steps: [{collect: city}]}
"""


async def test_a_called_flow_whose_own_doing_ends_the_guard_hands_out_all_the_same() -> None:
    async with talking_to(LOGIN) as talk:
        assert await talk.say("trip", StartFlow(flow_name="trip")) == ["Your name?"]
        assert await talk.say("Ann") == ["Which city?"]
        assert await talk.say("Rome") == ["Ann to Rome.", "Last?"]
        assert await talk.say("Bob", _correct("name", "Bob")) == [
            "name is now Bob.",
            "Bob to Rome.",
            "Last?",
        ]
        assert await talk.say("x") == []
        # Who has logged in is not asked again.
        assert await talk.say("trip", StartFlow(flow_name="trip")) == ["Which city?"]


SPAN = """
slots:
  low: {type: integer, prompt: "Low?"}
  high:
    type: integer
    prompt: "High?"
    constraints:
      - {if: "high > low", message: "High must be above low."}
      - {if: "high < 100", message: "High must be below 100."}
  note: {prompt: "A note?", required: false}
flows:
  span:
    trigger: {examples: [span]}
    steps:
      - call: limits
      - say: "Got {low}."
      - {step: sure, confirm: "{low} to {high} ({note})?"}
  limits:
    outputs: [low, high, note]
    steps: [{collect: low}, {collect: high}, {collect: note}, {say: "Noted {note}."}]
"""


async def test_a_slot_of_a_called_flow_is_skipped_where_it_was_asked() -> None:
    async with talking_to(SPAN) as talk:
        await talk.say("span", StartFlow(flow_name="span", slots={}))
        await talk.say("1")
        await talk.say("5")
        assert await talk.say("late") == ["Noted late.", "Got 1.", "1 to 5 (late)?"]
        skipped = await talk.say("no note", SkipSlot(slot_name="note"))
        assert skipped == ["Noted .", "1 to 5 ()?"]
        # The called flow knows of it, too.
        said = await talk.say("2", _correct("low", 2))
        assert said == ["low is now 2.", "Got 2.", "2 to 5 ()?"]


async def test_a_refused_value_that_leaves_an_impossible_one_in_a_called_flow_asks_there() -> None:
    async with talking_to(SPAN) as talk:
        await talk.say("span", StartFlow(flow_name="span"))
        await talk.say("1")
        await talk.say("5")
        await talk.say("late")
        said = await talk.say("10 to 200", _correct("low", 10), _correct("high", 200))
        assert said == ["low is now 10.", "High must be below 100.", "High?"]
        assert talk.stack == ["span", "limits"]
        assert await talk.say("12") == ["Got 10.", "10 to 12 (late)?"]


LEFT = """
slots:
  rate: {type: integer, scope: conversation, prompt: "Rate?"}
  n: {type: integer, prompt: "N?"}
  m: {type: integer, prompt: "M?", constraints: [{if: "m > n", message: "M must be above N."}]}
  d: {type: integer, prompt: "D?"}
  a: {type: integer, prompt: "A?", constraints: [{if: "a > d", message: "A must be above D."}]}
  b: {type: integer, prompt: "B?"}
  c: {type: integer, prompt: "C?"}
flows:
  top:
    trigger: {examples: [top]}
    steps:
      - collect: rate
      - collect: n
      - collect: m
      - call: child
      - {step: sure, confirm: "{cost}?"}
  child:
    outputs: [cost]
    steps:
      - collect: d
      - collect: a
      - collect: b
      - set: {cost: "{{ b * rate }}"}
      - collect: c
"""


async def test_a_shared_slot_reaches_what_a_flow_that_was_left_would_have_passed_over() -> None:
    async with talking_to(LEFT) as talk:
        await talk.say("top", StartFlow(flow_name="top", slots={"rate": 10, "n": 1, "m": 2}))
        for value in ("1", "2"):
            await talk.say(value)
        assert await talk.say("3") == ["C?"]
        assert (await talk.say("d 5", _correct("d", 5)))[-1] == "A?"
        assert (await talk.say("n 5", _correct("n", 5)))[-1] == "M?"
        assert await talk.say("rate 20", _correct("rate", 20)) == ["rate is now 20.", "M?"]
        assert await talk.say("9") == ["A?"]
        assert await talk.say("9") == ["C?"]
        assert await talk.say("9") == ["60?"]


SHOP = """
slots:
  item: {type: integer, prompt: "Item?"}
  more: {type: boolean, prompt: "More?"}
  total: {type: integer, scope: conversation}
flows:
  shop:
    trigger: {examples: [shop]}
    steps:
      - set: {total: 0, open: true}
      - while: "open"
        do:
          - collect: item
          - set: {total: "{{ total + item }}"}
          - say: "Total {total}."
          - collect: more
          - set: {open: "{{ more }}"}
      - say: "Sum {total}."
"""


async def test_a_loop_that_adds_up_in_a_slot_of_the_conversation_keeps_its_earlier_passes() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("shop", StartFlow(flow_name="shop"))
        assert await talk.say("1") == ["Total 1.", "More?"]
        assert await talk.say("yes", SetSlot(slot_name="more", value=True)) == ["Item?"]
        assert await talk.say("2") == ["Total 3.", "More?"]
        said = await talk.say("3", _correct("item", 3))
        assert said == ["item is now 3.", "Total 4.", "More?"]
        assert await talk.say("no", SetSlot(slot_name="more", value=False)) == ["Sum 4."]


def _levels(depth: int) -> str:
    """Flows that call each other, each computing with what the next one brings."""
    lines = ['slots: {x: {type: integer, prompt: "X?"}}', "flows:"]
    lines += ["  f0:", "    trigger: {examples: [go]}", "    steps:", "      - collect: x"]
    for level in range(1, depth):
        lines += [f"      - call: f{level}", '      - set: {y: "{{ x + y }}"}']
        if level == 1:
            lines += ['      - confirm: "{y}?"']
        lines += [f"  f{level}:", "    inputs: [x]", "    outputs: [y]", "    steps:"]
    return "\n".join([*lines, '      - set: {y: "{{ x }}"}'])


async def test_a_correction_goes_through_thirty_levels_of_calls() -> None:
    # Work that doubled with every level would not end.
    async with talking_to(_levels(30)) as talk:
        assert await talk.say("go", StartFlow(flow_name="f0", slots={"x": 1})) == ["30?"]
        assert await talk.say("2", _correct("x", 2)) == ["x is now 2.", "60?"]


def _aged(flow: dict[str, Any], *missing: str) -> dict[str, Any]:
    """An instance as a version stored it that did not know these keys."""
    progress = {key: each for key, each in flow["progress"].items() if key not in missing}
    called = {
        step: {**memory, "context": _aged(memory["context"], *missing)}
        for step, memory in progress.get("called", {}).items()
    }
    return {**flow, "progress": {**progress, **({"called": called} if called else {})}}


def _age(saver: MemorySaver, *missing: str) -> None:
    for key, stored in saver.blobs.items():
        if key[2] == "flow_stack" and stored[0] != "empty":
            stack = [_aged(flow, *missing) for flow in saver.serde.loads_typed(stored)]
            saver.blobs[key] = saver.serde.dumps_typed(stack)
    # Nor did an earlier version name the format of its states.
    for checkpoints in saver.storage["ann"].values():
        for name, (checkpoint, about, parent) in checkpoints.items():
            metadata = saver.serde.loads_typed(about)
            del metadata["soni_state"]
            checkpoints[name] = checkpoint, saver.serde.dumps_typed(metadata), parent


async def test_a_conversation_from_before_there_were_loops_and_calls_goes_on() -> None:
    saver = MemorySaver()
    async with talking_to(LEFT, checkpointer=saver) as talk:
        await talk.say("top", StartFlow(flow_name="top", slots={"rate": 10, "n": 1}))
    _age(saver, "asking", "passes", "pages", "returned", "began", "called", "lost")
    async with talking_to(LEFT, checkpointer=saver) as talk:
        assert await talk.say("3", _correct("n", 3)) == ["n is now 3.", "M?"]
        assert await talk.say("4") == ["D?"]
        for value in ("1", "2", "3"):
            await talk.say(value)
        assert await talk.say("9") == ["30?"]


async def test_a_loop_from_before_its_passes_were_remembered_goes_on() -> None:
    saver = MemorySaver()
    async with talking_to(SHOP, checkpointer=saver) as talk:
        await talk.say("shop", StartFlow(flow_name="shop"))
        assert await talk.say("1") == ["Total 1.", "More?"]
    _age(saver, "began", "called", "lost")
    async with talking_to(SHOP, checkpointer=saver) as talk:
        assert await talk.say("yes", SetSlot(slot_name="more", value=True)) == ["Item?"]
        assert await talk.say("2") == ["Total 3.", "More?"]
        assert await talk.say("3", _correct("item", 3)) == ["item is now 3.", "Total 4.", "More?"]
        assert await talk.say("no", SetSlot(slot_name="more", value=False)) == ["Sum 4."]


async def test_a_correction_reaches_into_what_an_earlier_version_remembered() -> None:
    saver = MemorySaver()
    async with talking_to(SPAN, checkpointer=saver) as talk:
        await talk.say("span", StartFlow(flow_name="span"))
        for value in ("1", "5", "late"):
            await talk.say(value)
    _age(saver, "began", "lost")
    async with talking_to(SPAN, checkpointer=saver) as talk:
        said = await talk.say("2", _correct("low", 2))
        assert said == ["low is now 2.", "Got 2.", "2 to 5 (late)?"]
