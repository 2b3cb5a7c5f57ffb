"""A turn tells which steps ran, which way each went, and which responses were said."""

from typing import Any

from soni.commands import AffirmConfirmation, DenyConfirmation, SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

SHOP = """
responses:
  thanks: Thank you.
  never: Nobody says this.
slots:
  size: {type: integer, prompt: Which size?, required: false}
flows:
  buy:
    trigger: {examples: [buy]}
    steps:
      - collect: size
        on_skip: small
        on_invalid: bye
        max_attempts: 1
      - step: large
        branch: [{condition: size > 5, then: check}]
      - step: small
        say: Small.
        when: size > 3
      - step: check
        action: price
        on_error: bye
      - step: sure
        confirm: Sure?
        on_no: bye
      - {step: thank, say: {response: thanks}}
      - {step: bye, say: Bye.}
"""
# A say with a response has no short form of its own.
SHOP = SHOP.replace("say: {response: thanks}", "type: say, response: thanks")
ACTIONS = """
from soni import action, ActionError

@action
def price(size=0):
    if size == 7:
        raise ActionError("sold_out", "no more")
    return {"price": 3}
"""


def went(talk: Any) -> list[tuple[Any, ...]]:
    steps = talk.state["turn"]["steps"]
    assert all(step["flow"] == "buy" for step in steps)
    return [
        (step["step"], step.get("edge", "skipped" if "skipped" in step else ""), step["to"])
        for step in steps
    ]


async def test_each_step_is_told_with_the_way_it_took() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("buy", StartFlow(flow_name="buy"))
        assert went(talk) == [("collect_size", "", None)]
        await talk.say("2", SetSlot(slot_name="size", value=2))
        assert went(talk) == [
            ("collect_size", "", "large"),
            ("large", "else", "small"),
            ("small", "skipped", "check"),
            ("check", "", "sure"),
            ("sure", "", None),
        ]
        await talk.say("yes", AffirmConfirmation())
        assert went(talk) == [("sure", "on_yes", "thank"), ("thank", "", "bye"), ("bye", "", "end")]
        assert talk.state["turn"]["responses"] == ["thanks"]


async def test_the_ways_out_are_told_too() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("buy 7", StartFlow(flow_name="buy", slots={"size": 7}))
        assert ("large", "size > 5", "check") in went(talk)
        assert ("check", "on_error", "bye") in went(talk)
        await talk.say("buy", StartFlow(flow_name="buy"))
        await talk.say("skip", SkipSlot())
        assert went(talk)[0] == ("collect_size", "on_skip", "small")
        await talk.say("no", DenyConfirmation())
        assert went(talk)[0] == ("sure", "on_no", "bye")
        await talk.say("buy", StartFlow(flow_name="buy"))
        await talk.say("many", SetSlot(slot_name="size", value="many"))
        assert went(talk)[0] == ("collect_size", "on_invalid", "bye")


async def test_the_journal_keeps_the_steps() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("buy", StartFlow(flow_name="buy"))
        [entry] = await talk.runtime.store.journal.entries("ann")
        assert entry.data["steps"] == [{"flow": "buy", "step": "collect_size", "to": None}]


async def test_a_loop_does_not_fill_the_memory_of_a_turn() -> None:
    yaml = """
    settings: {runtime: {max_step_executions: 3000}}
    flows:
      count:
        steps:
          - set: {n: 0}
          - while: n < 700
            do: [{set: {n: "{{ n + 1 }}"}}, {say: "", when: n < 0}]
          - say: Done.
    """
    async with talking_to(yaml) as talk:
        assert await talk.say("hi") == ["Done."]
        steps = talk.state["turn"]["steps"]
        assert len(steps) == 1002
        assert [step["step"] for step in steps[-2:]] == ["while_n_700", "say_done"]
