"""set: literals and expressions into slots."""

from tests.talking import talking_to


def setting(*steps: str, slots: str = "{}") -> str:
    lines = "\n".join(f"          - {step}" for step in steps)
    return f"""
    slots: {slots}
    flows:
      work:
        steps:
{lines}
    """


async def test_a_literal_is_written_as_it_is() -> None:
    values = "{n: 0, t: '', b: false, l: [1, {a: b}], text: '{n} {{n}} {{ n }} more'}"
    flow = setting(f"set: {values}", "{collect: x, message: 'X?'}")
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["X?"]
        assert talk.slots == {
            "n": 0,
            "t": "",
            "b": False,
            "l": [1, {"a": "b"}],
            "text": "{n} {{n}} {{ n }} more",
        }


async def test_an_expression_in_double_braces_is_worked_out() -> None:
    flow = setting(
        "set: {price: 12.5}",
        'set: {total: "{{ price * 2 }}", when: "{{ today() }}", first: "{{ [price, 1] }}"}',
        'say: "{total} on {when}: {first}"',
    )
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["25 on 2026-03-02: 12.5, 1"]


async def test_all_values_are_worked_out_before_any_is_written() -> None:
    flow = setting("set: {a: 1, b: 2}", 'set: {a: "{{ b }}", b: "{{ a }}"}', 'say: "{a} {b}"')
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["2 1"]


async def test_a_declared_slot_is_coerced_to_its_type() -> None:
    slots = "{day: {type: date, prompt: D}, n: {type: integer, prompt: N}}"
    flow = setting("set: {day: tomorrow, n: '7'}", 'say: "{day}, {n}"', slots=slots)
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["3 March 2026, 7"]


async def test_an_expression_that_cannot_be_worked_out_ends_the_flow_as_error() -> None:
    flow = setting("set: {n: 0}", 'set: {x: "{{ 1 / n }}"}', 'say: "never"')
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Something went wrong, so I could not finish work."]
        assert talk.ended == [("work", "error")]
        assert talk.state["metadata"]["error"].startswith("expression: division by zero")


async def test_a_conversation_scoped_slot_is_set_for_the_conversation() -> None:
    slots = "{plan: {scope: conversation, prompt: P}}"
    flow = setting("set: {plan: gold}", 'say: "ok"', slots=slots)
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert talk.state["conversation_slots"] == {"plan": "gold"}


PRICED = """
    slots:
      age: {type: integer, prompt: {en: "Your age?", es: "¿Tu edad?"}}
      price: {type: money}
    flows:
      buy:
        trigger: {examples: [buy]}
        steps:
          - collect: age
          - {step: full, type: set, values: {price: 20, reduced: false}}
          - {step: less, set: {price: "{{ 12.5 }}", reduced: true}, when: age < 18, jump_to: tell}
          - say: {en: "Full price.", es: "Precio completo."}
          - {step: tell, say: {en: "{price}, less: {reduced}.", es: "{price}, menos: {reduced}."}}
"""


async def test_a_guarded_set_writes_and_jumps_only_while_its_condition_holds() -> None:
    async with talking_to(PRICED) as talk:
        assert await talk.say("buy") == ["Your age?"]
        assert await talk.say("17") == ["$12.50, less: yes."]
        await talk.say("buy")
        assert await talk.say("18") == ["Full price.", "$20.00, less: no."]


async def test_what_was_set_is_shown_in_spanish_as_spanish_writes_it() -> None:
    async with talking_to(PRICED) as talk:
        assert await talk.say("buy", language="es") == ["¿Tu edad?"]
        assert await talk.say("17", language="es") == ["12,50 €, menos: sí."]
