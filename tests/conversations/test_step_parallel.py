"""parallel: actions at once; all of them or nothing."""

from tests.talking import talking_to

QUOTES = """
slots:
  weight: {type: number, prompt: How heavy?}
actions:
  first: {inputs: [weight], outputs: [a]}
  second: {outputs: [b]}
  third: {outputs: [c]}
flows:
  quotes:
    trigger: {examples: [quotes]}
    steps:
      - {parallel: [first, {call: second, map_outputs: {b: bee}}, third], on_error: sorry}
      - {say: "{a} {bee} {c}", jump_to: end}
      - {step: sorry, say: "{_error_type}: a is {a}."}
"""

ALL_WELL = """
import asyncio
from soni import action

order = []

@action
async def first(weight):
    await asyncio.sleep(0.01)
    order.append("first")
    return {"a": weight * 2}

@action
async def second():
    order.append("second")
    return {"b": 2}

@action
def third():
    return {"c": ",".join(order)}
"""

TWO_FAIL = """
import asyncio
from soni import ActionError, action

@action
async def first(weight):
    return {"a": 1}

@action
async def second():
    await asyncio.sleep(0.01)
    raise ActionError("slow", "the second failed last")

@action
async def third():
    raise ActionError("quick", "the third failed first")
"""


async def test_actions_run_concurrently_after_missing_inputs_were_asked() -> None:
    async with talking_to(QUOTES, ALL_WELL) as talk:
        assert await talk.say("quotes") == ["How heavy?"]
        assert await talk.say("2") == ["4 2 second"]
        assert [name for name, _ in talk.actions] == ["first", "second", "third"]


async def test_nothing_is_written_unless_all_succeed_and_the_first_error_in_list_order_counts() -> (
    None
):
    async with talking_to(QUOTES, TWO_FAIL) as talk:
        await talk.say("quotes")
        assert await talk.say("2") == ["slow: a is ."]


OFFERS = """
slots:
  weight: {type: number, prompt: {en: "How heavy?", es: "¿Cuánto pesa?"}}
flows:
  offers:
    trigger: {examples: [offers]}
    steps:
      - collect: weight
      - step: ask
        type: parallel
        actions:
          - {call: price, inputs: {kind: fast}, map_outputs: {price: fast}}
          - {call: price, inputs: {kind: slow, weight: "{{ weight * 2 }}"}}
        on_error: sorry
        when: weight > 0
        jump_to: tell
      - {say: {en: "Nothing to send.", es: "Nada que enviar."}, jump_to: end}
      - {step: tell, say: {en: "Fast {fast}, slow {price}.", es: "Rápido {fast}, lento {price}."},
         jump_to: end}
      - {step: sorry, say: "{_error_type}: <{fast}> <{price}>"}
"""

PRICE = """
from soni import ActionError, action

@action
def price(kind, weight):
    if weight > 100:
        raise ActionError(f"too_heavy_{kind}")
    return {"price": weight * (2 if kind == "fast" else 0.75)}
"""


async def test_each_action_has_its_own_inputs_and_outputs_and_then_the_jump_is_taken() -> None:
    async with talking_to(OFFERS, PRICE) as talk:
        assert await talk.say("offers") == ["How heavy?"]
        assert await talk.say("2.5") == ["Fast 5, slow 3.75."]
        assert talk.actions == [
            ("price", {"kind": "fast", "weight": 2.5}),
            ("price", {"kind": "slow", "weight": 5.0}),
        ]


async def test_its_values_are_shown_in_spanish_as_spanish_writes_them() -> None:
    async with talking_to(OFFERS, PRICE) as talk:
        assert await talk.say("offers", language="es") == ["¿Cuánto pesa?"]
        assert await talk.say("2,5", language="es") == ["Rápido 5, lento 3,75."]


async def test_one_that_fails_has_the_others_outputs_thrown_away() -> None:
    async with talking_to(OFFERS, PRICE) as talk:
        await talk.say("offers")
        assert await talk.say("60") == ["too_heavy_slow: <> <>"]


async def test_a_guard_that_does_not_hold_passes_over_all_of_them() -> None:
    async with talking_to(OFFERS, PRICE) as talk:
        await talk.say("offers")
        assert await talk.say("0") == ["Nothing to send."]
        assert talk.actions == []
