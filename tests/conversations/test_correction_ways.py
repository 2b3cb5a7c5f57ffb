"""Corrections that decide anew whether a flow is called at all, or leave one for a while."""

from soni.commands import AffirmConfirmation, CorrectSlot, StartFlow
from tests.talking import Talk, talking_to

FORK = """
slots:
  vip: {type: boolean, prompt: "VIP?"}
  lounge: {prompt: "Which lounge?"}
  drink: {prompt: "Which drink?"}
  bench: {prompt: "Which bench?"}
  last: {prompt: "Last?"}
actions:
  pay: {inputs: [lounge], outputs: [], repeatable: false}
flows:
  wait:
    trigger: {examples: [wait]}
    steps:
      - collect: vip
      - branch: [{condition: vip, then: fine}, {else: plain}]
      - {step: fine, call: in_lounge, jump_to: bye}
      - {step: plain, call: on_bench}
      - {step: bye, collect: last}
  in_lounge: {steps: [{collect: lounge}, {action: pay}, {collect: drink}]}
  on_bench: {steps: [{collect: bench}]}
  guarded:
    trigger: {examples: [guarded]}
    steps:
      - collect: vip
      - {call: in_lounge, when: vip}
      - collect: last
"""
ACTIONS = """
from soni import action

@action
def pay(lounge: str) -> dict:
    return {}
"""
LATE = "It is too late to change vip: that has already been done."
NO_VIP = CorrectSlot(slot_name="vip", new_value=False)


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def _start(talk: Talk, flow: str, vip: bool = True) -> list[str]:
    return await talk.say("start", StartFlow(flow_name=flow, slots={"vip": vip}))


async def test_an_open_call_is_left_for_the_other_way() -> None:
    async with talking_to(FORK, ACTIONS) as talk:
        assert await _start(talk, "wait") == ["Which lounge?"]
        assert await talk.say("no vip", NO_VIP) == ["vip is now no.", "Which bench?"]
        assert talk.stack == ["wait", "on_bench"]
        assert await talk.say("red") == ["Last?"]


async def test_an_open_call_that_has_paid_is_not_left_for_the_other_way() -> None:
    async with talking_to(FORK, ACTIONS) as talk:
        await _start(talk, "wait")
        assert await talk.say("Blue") == ["Which drink?"]
        assert talk.actions == [("pay", {"lounge": "Blue"})]
        assert await talk.say("no vip", NO_VIP) == [LATE, "Which drink?"]
        assert (talk.stack, talk.actions) == (["wait", "in_lounge"], [])


async def test_neither_is_one_that_has_returned() -> None:
    async with talking_to(FORK, ACTIONS) as talk:
        await _start(talk, "wait")
        await talk.say("Blue")
        assert await talk.say("tea") == ["Last?"]
        assert await talk.say("no vip", NO_VIP) == [LATE, "Last?"]
        # What the payment never saw is another matter.
        said = await talk.say("milk", _correct("drink", "milk"))
        assert said == ["drink is now milk.", "Last?"]


async def test_a_call_that_might_have_paid_and_did_not_can_be_left() -> None:
    yaml = FORK.replace("{action: pay}", "{action: pay, when: lounge == 'Gold'}")
    async with talking_to(yaml, ACTIONS) as talk:
        await _start(talk, "wait")
        await talk.say("Blue")
        assert await talk.say("tea") == ["Last?"]
        assert await talk.say("no vip", NO_VIP) == ["vip is now no.", "Which bench?"]


async def test_an_open_call_whose_guard_no_longer_holds_is_left() -> None:
    async with talking_to(FORK, ACTIONS) as talk:
        assert await _start(talk, "guarded") == ["Which lounge?"]
        assert await talk.say("no vip", NO_VIP) == ["vip is now no.", "Last?"]
        assert talk.stack == ["guarded"]
        # And entered again, with what it knew, when it holds once more.
        assert await talk.say("vip", _correct("vip", True)) == ["vip is now yes.", "Which lounge?"]


async def test_a_guarded_call_that_has_paid_stays_open_or_returned() -> None:
    async with talking_to(FORK, ACTIONS) as talk:
        await _start(talk, "guarded")
        await talk.say("Blue")
        assert await talk.say("no vip", NO_VIP) == [LATE, "Which drink?"]
        await talk.say("tea")
        assert await talk.say("no vip", NO_VIP) == [LATE, "Last?"]
        assert talk.actions == []


LEFT = """
slots:
  big: {type: boolean, prompt: "Big?"}
  why: {prompt: "Why?"}
  city: {prompt: "Which city?"}
  stars: {type: integer, prompt: "How many stars?"}
  limit:
    type: integer
    prompt: "Which limit?"
    constraints: [{if: "limit > 0", message: "{limit} is too low."}]
  cost:
    type: integer
    prompt: "Which cost?"
    constraints: [{if: "cost <= limit", message: "{cost} is over {limit}."}]
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: big
      - {collect: why, when: big}
      - {step: go, call: find}
      - say: "In {city}."
      - confirm: "Go?"
  find: {outputs: [city], steps: [{collect: city}, {say: "So {city}."}, {collect: stars}]}
  shop:
    trigger: {examples: [shop]}
    steps: [{collect: limit}, {call: buy, inputs: {limit: "{{ limit }}"}}, {say: "{cost}."}]
  buy:
    inputs: [limit]
    outputs: [cost]
    steps: [{collect: cost}, {say: "{cost} of {limit}."}, {collect: stars}]
"""


async def test_a_call_that_was_left_for_a_question_can_be_corrected_meanwhile() -> None:
    async with talking_to(LEFT) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"big": False}))
        assert await talk.say("Rome") == ["So Rome.", "How many stars?"]
        assert await talk.say("big", _correct("big", True)) == ["big is now yes.", "Why?"]
        assert talk.stack == ["trip"]
        assert await talk.say("Oslo", _correct("city", "Oslo")) == ["city is now Oslo.", "Why?"]
        assert await talk.say("so") == ["So Oslo.", "How many stars?"]
        assert talk.stack == ["trip", "find"]
        assert await talk.say("3") == ["In Oslo.", "Go?"]


async def test_after_its_return_too_and_back_again() -> None:
    async with talking_to(LEFT) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"big": False}))
        await talk.say("Rome")
        assert await talk.say("3") == ["In Rome.", "Go?"]
        both = (_correct("big", True), _correct("city", "Oslo"))
        said = await talk.say("big, Oslo", *both)
        assert said[-1] == "Why?"
        assert await talk.say("Riga", _correct("city", "Riga")) == ["city is now Riga.", "Why?"]
        assert await talk.say("so") == ["So Riga.", "In Riga.", "Go?"]


async def test_an_input_that_breaks_a_constraint_in_the_call_has_that_slot_asked_there() -> None:
    async with talking_to(LEFT) as talk:
        await talk.say("shop", StartFlow(flow_name="shop", slots={"limit": 100}))
        assert await talk.say("80") == ["80 of 100.", "How many stars?"]
        assert await talk.say("50", _correct("limit", 50)) == [
            "limit is now 50.",
            "80 is over 50.",
            "Which cost?",
        ]
        assert talk.stack == ["shop", "buy"]
        assert await talk.say("40") == ["40 of 50.", "How many stars?"]
        assert await talk.say("0", _correct("limit", 0)) == ["0 is too low.", "How many stars?"]
        assert await talk.say("3") == ["40."]


async def test_a_yes_after_all_this_is_a_yes() -> None:
    async with talking_to(LEFT) as talk:
        await talk.say("trip", StartFlow(flow_name="trip", slots={"big": False}))
        await talk.say("Rome")
        await talk.say("3")
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "So Oslo.",
            "In Oslo.",
            "Go?",
        ]
        await talk.say("yes", AffirmConfirmation())
        assert talk.ended == [("trip", "completed")]
