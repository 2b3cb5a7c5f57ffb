"""action: its outputs, its context, sync and async."""

import pytest

from soni import ConfigError
from tests.talking import assistant, talking_to

FIND = """
    from soni import action

    @action
    def find():
        return {"price": 80.0, "city": "Oslo", "debug": "x"}
"""


async def test_outputs_are_written_to_slots_of_the_same_name() -> None:
    flow = """
    slots:
      price: {type: integer, prompt: P}
    flows:
      look:
        steps:
          - action: find
          - {collect: name, message: "{city} for {price}, but who?"}
    """
    async with talking_to(flow, FIND) as talk:
        assert await talk.say("hi") == ["Oslo for 80, but who?"]
        assert talk.slots == {"price": 80, "city": "Oslo", "debug": "x"}


async def test_a_contract_says_which_outputs_are_written() -> None:
    flow = """
    actions:
      find: {outputs: [price, city]}
    flows:
      look:
        steps:
          - action: find
          - {collect: name, message: "Who?"}
    """
    async with talking_to(flow, FIND) as talk:
        await talk.say("hi")
        assert talk.slots == {"price": 80.0, "city": "Oslo"}


async def test_map_outputs_gives_an_output_another_slot() -> None:
    flow = """
    flows:
      look:
        steps:
          - {action: find, map_outputs: {city: home, price: cost}}
          - {action: find, map_outputs: {city: away}}
          - {collect: name, message: "{home}, {away}, {cost}, {price}"}
    """
    async with talking_to(flow, FIND) as talk:
        assert await talk.say("hi") == ["Oslo, Oslo, 80, 80"]
        assert talk.slots == {
            "home": "Oslo",
            "cost": 80.0,
            "debug": "x",
            "away": "Oslo",
            "price": 80.0,
        }


async def test_a_new_output_replaces_the_old_one_even_by_null() -> None:
    flow = """
    flows:
      look:
        steps:
          - set: {found: before}
          - action: nothing
          - say: "<{found}>"
    """
    actions = """
        from soni import action

        @action
        def nothing():
            return {"found": None}
    """
    async with talking_to(flow, actions) as talk:
        assert await talk.say("hi") == ["<>"]


async def test_actions_may_be_sync_or_async_and_named_apart_from_their_function() -> None:
    flow = """
    flows:
      work:
        steps:
          - action: one
          - action: two
          - say: "{first} {second}"
    """
    actions = """
        import asyncio
        from soni import action

        @action
        def one():
            return {"first": "sync"}

        @action("two")
        async def anything_else():
            await asyncio.sleep(0)
            return {"second": "async"}
    """
    async with talking_to(flow, actions) as talk:
        assert await talk.say("hi") == ["sync async"]


async def test_two_assistants_in_one_process_never_see_each_others_actions() -> None:
    flow = """
    flows:
      ask:
        steps:
          - action: who
          - say: "{name}"
    """
    who = """
        from soni import action

        @action
        def who():
            return {"name": "%s"}
    """
    async with talking_to(flow, who % "one") as one, talking_to(flow, who % "two") as two:
        assert await one.say("hi") == ["one"]
        assert await two.say("hi") == ["two"]


async def test_ctx_knows_the_user_the_conversation_the_flow_the_slots_and_the_session() -> None:
    flow = """
    slots:
      day: {type: date, prompt: "Day?"}
    flows:
      work:
        steps:
          - collect: day
          - action: about
          - say: "{told}"
          - say: "{same}"
    """
    actions = """
        from soni import action

        @action
        async def about(ctx):
            ctx.say(f"Working for {ctx.user_id}.")
            return {
                "told": f"{ctx.conversation_id} {ctx.slots['day']:%A} {ctx.session['plan']}",
                "same": ctx.idempotency_key == f"chat/{ctx.flow_id}/action_about/1",
            }
    """
    async with talking_to(flow, actions) as talk:
        known = {"conversation_id": "chat", "context": {"plan": "gold"}}
        assert await talk.say("hi", **known) == ["Day?"]
        assert await talk.say("tomorrow", **known) == [
            "Working for ann.",
            "chat Tuesday gold",
            "yes",
        ]


async def test_what_an_action_does_to_a_slots_value_stays_with_the_action() -> None:
    flow = """
    flows:
      work:
        steps:
          - set: {items: [a, b]}
          - action: sort_out
          - say: "{items}"
    """
    actions = """
        from soni import action

        @action
        def sort_out(items, ctx):
            items.clear()
            ctx.slots["items"].append("c")
    """
    async with talking_to(flow, actions) as talk:
        assert await talk.say("hi") == ["a, b"]


PAY = """
    from soni import action

    @action
    def pay(amount):
        return {"paid": amount}
"""

CONFIRMED = """
    slots:
      amount: {type: integer, prompt: "How much?"}
    actions:
      pay: {confirm: true, outputs: [paid]}
    flows:
      pay:
        steps:
          - collect: amount
          - %s
          - {step: do, type: action, call: pay}
          - say: "Paid {paid}."
"""


async def test_an_action_with_confirm_runs_behind_a_confirms_yes() -> None:
    async with talking_to(CONFIRMED % 'confirm: "Pay {amount}?"', PAY) as talk:
        await talk.say("hi")
        assert await talk.say("5") == ["Pay 5?"]
        assert talk.actions == []
        assert await talk.say("no") == ["What would you like to change?"]
        assert talk.actions == []
        assert await talk.say("no") == ["I have cancelled pay."]
        assert talk.actions == []


@pytest.mark.parametrize(
    "between",
    [
        'say: "Now paying."',
        '{confirm: "Pay {amount}?", when: "amount > 100"}',
        '{confirm: "Pay {amount}?", on_no: do}',
        '{confirm: "Pay {amount}?", when: "amount > 100", jump_to: end}',
        '{type: branch, when: [{condition: "amount > 100", then: end}]}',
    ],
)
def test_a_way_to_it_around_the_yes_is_an_error_at_load(between: str) -> None:
    with pytest.raises(ConfigError, match="can be reached without the yes of a confirm step"):
        assistant(CONFIRMED % between, PAY)
