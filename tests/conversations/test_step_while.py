"""while: steps that run again as long as a condition holds."""

from soni.commands import CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

SHOP = """
slots:
  item: {prompt: Which item?}
  amount: {type: integer, prompt: How many?}
  more: {type: boolean, prompt: Another one?}
actions:
  add: {inputs: [item, amount], outputs: [lines], repeatable: true}
flows:
  shop:
    trigger: {examples: [shop]}
    steps:
      - set: {more: true}
      - while: more
        do:
          - collect: item
          - collect: amount
          - action: add
          - {collect: more, force: true}
      - say: "{lines}"
"""

ADD = """
from soni import action

@action
def add(item, amount, ctx):
    return {"lines": f"{ctx.slots.get('lines') or ''}{amount} {item};"}
"""


async def test_each_later_pass_starts_with_the_loops_collected_slots_unset() -> None:
    async with talking_to(SHOP, ADD) as talk:
        assert await talk.say("shop") == ["Which item?"]
        assert await talk.say("pens") == ["How many?"]
        assert await talk.say("2") == ["Another one?"]
        assert await talk.say("yes") == ["Which item?"]
        assert "amount" not in talk.slots
        assert await talk.say("ink") == ["How many?"]
        assert await talk.say("1") == ["Another one?"]
        assert await talk.say("no") == ["2 pens;1 ink;"]


async def test_what_was_said_at_the_start_fills_the_first_pass() -> None:
    async with talking_to(SHOP, ADD) as talk:
        start = StartFlow(flow_name="shop", slots={"item": "pens", "amount": 2})
        assert await talk.say("2 pens", start) == ["Another one?"]


async def test_a_correction_touches_the_current_pass_only() -> None:
    async with talking_to(SHOP, ADD) as talk:
        await talk.say("shop")
        await talk.say("pens")
        await talk.say("2")
        await talk.say("yes")
        assert await talk.say("ink") == ["How many?"]
        assert await talk.say("no, paper", CorrectSlot(slot_name="item", new_value="paper")) == [
            "item is now paper.",
            "How many?",
        ]
        await talk.say("1")
        assert await talk.say("no") == ["2 pens;1 paper;"]


async def test_a_condition_that_is_false_at_once_skips_the_loop() -> None:
    async with talking_to(
        """
        flows:
          count:
            trigger: {examples: [count]}
            steps:
              - set: {n: 3}
              - while: n < 3
                do: [{say: never}, {set: {n: 3}}]
              - say: "done at {n}"
        """
    ) as talk:
        assert await talk.say("count") == ["done at 3"]


async def test_a_loop_counts_without_asking_and_ends() -> None:
    async with talking_to(
        """
        flows:
          count:
            trigger: {examples: [count]}
            steps:
              - set: {n: 0}
              - while: n < 3
                do:
                  - set: {n: "{{ n + 1 }}"}
                  - say: "{n}"
              - say: done
        """
    ) as talk:
        assert await talk.say("count") == ["1", "2", "3", "done"]


async def test_a_loop_inside_a_loop() -> None:
    async with talking_to(
        """
        flows:
          grid:
            trigger: {examples: [grid]}
            steps:
              - set: {x: 0}
              - while: x < 2
                do:
                  - set: {x: "{{ x + 1 }}", y: 0}
                  - while: y < 2
                    do:
                      - set: {y: "{{ y + 1 }}"}
                      - say: "{x}{y}"
        """
    ) as talk:
        assert await talk.say("grid") == ["11", "12", "21", "22"]


async def test_a_loop_that_never_waits_ends_as_loop_detected() -> None:
    async with talking_to(
        """
        settings: {runtime: {max_step_executions: 5}}
        slots:
          n: {type: integer, prompt: n?}
        flows:
          spin:
            trigger: {examples: [spin]}
            steps:
              - collect: n
              - while: n > 0
                do:
                  - collect: n
                  - {say: again, when: n > 100}
        """
    ) as talk:
        await talk.say("spin")
        # Each pass asks anew, so it is the user who keeps the loop going, and that may last.
        for _ in range(8):
            assert await talk.say("1", SetSlot(slot_name="n", value=1)) == ["n?"]
        assert await talk.say("0", SetSlot(slot_name="n", value=0)) == []
        assert talk.ended == [("spin", "completed")]


GUESTS = """
slots:
  name: {prompt: {en: "Whose name?", es: "¿Qué nombre?"}}
  more: {type: boolean, prompt: {en: "Anybody else?", es: "¿Alguien más?"}}
flows:
  invite:
    trigger: {examples: [invite]}
    inputs: ["alone?"]
    steps:
      - set: {names: [], more: true}
      - step: guests
        type: while
        condition: more and len(names) < 3
        do:
          - {step: ask, type: collect, slot: name}
          - set: {names: "{{ names + [name] }}"}
          - {collect: more, force: true, when: len(names) < 3}
        when: not alone
        jump_to: tell
      - {say: {en: "A quiet evening.", es: "Una noche tranquila."}, jump_to: end}
      - {step: tell, say: {en: "Coming: {names}.", es: "Vienen: {names}."}}
"""


async def test_the_jump_is_taken_when_the_loop_is_over() -> None:
    async with talking_to(GUESTS) as talk:
        assert await talk.say("invite") == ["Whose name?"]
        assert await talk.say("Ann") == ["Anybody else?"]
        assert await talk.say("yes") == ["Whose name?"]
        assert await talk.say("Bob") == ["Anybody else?"]
        assert await talk.say("perhaps") == ["Please answer yes or no.", "Anybody else?"]
        assert await talk.say("yes") == ["Whose name?"]
        assert await talk.say("Eve") == ["Coming: Ann, Bob, Eve."]


async def test_a_loop_asks_in_spanish_too() -> None:
    async with talking_to(GUESTS) as talk:
        assert await talk.say("invite", language="es") == ["¿Qué nombre?"]
        assert await talk.say("Ana", language="es") == ["¿Alguien más?"]
        assert await talk.say("quizás", language="es") == [
            "Por favor, responde sí o no.",
            "¿Alguien más?",
        ]
        assert await talk.say("no", language="es") == ["Vienen: Ana."]


async def test_a_guard_that_does_not_hold_passes_over_the_whole_loop() -> None:
    async with talking_to(GUESTS) as talk:
        start = StartFlow(flow_name="invite", slots={"alone": True})
        assert await talk.say("invite nobody", start) == ["A quiet evening."]
