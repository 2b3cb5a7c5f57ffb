"""link: this flow ends as completed and the other takes its place."""

from soni.commands import CancelFlow, StartFlow
from tests.talking import talking_to

ORDER = """
slots:
  happy: {type: boolean, prompt: {en: "Was it good?", es: "¿Estuvo bien?"}}
flows:
  order:
    trigger: {examples: [order]}
    outputs: [number]
    inputs: ["quiet?"]
    steps:
      - set: {number: 7}
      - {step: over, type: link, flow: survey, when: not quiet}
      - say: "Order {number} without questions."
  survey:
    inputs: {number: {from: order.number}}
    steps:
      - collect: happy
      - say: {en: "Order {number} was good: {happy}.", es: "El pedido {number}, bien: {happy}."}
  weather:
    trigger: {examples: [weather]}
    steps: [{collect: city, message: "Which city?"}, {say: "Sunny in {city}."}]
"""


async def test_the_other_flow_starts_in_place_of_this_one() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("order") == ["Was it good?"]
        assert (talk.stack, talk.ended) == (["survey"], [("order", "completed")])
        assert await talk.say("yes") == ["Order 7 was good: yes."]


async def test_in_spanish_it_goes_on_in_spanish() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("order", language="es") == ["¿Estuvo bien?"]
        assert await talk.say("sí", language="es") == ["El pedido 7, bien: sí."]


async def test_a_guard_that_does_not_hold_stays_in_this_flow() -> None:
    async with talking_to(ORDER) as talk:
        start = StartFlow(flow_name="order", slots={"quiet": True})
        assert await talk.say("order quietly", start) == ["Order 7 without questions."]


async def test_a_task_below_comes_back_when_the_linked_flow_ends() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("weather")
        assert await talk.say("order", StartFlow(flow_name="order")) == ["Was it good?"]
        assert talk.stack == ["weather", "survey"]
        assert await talk.say("no") == ["Order 7 was good: no.", "Back to weather.", "Which city?"]


async def test_cancelling_the_linked_flow_does_not_undo_the_first() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order")
        assert await talk.say("cancel", CancelFlow()) == ["I have cancelled survey."]
        assert talk.ended == [("survey", "cancelled")]


async def test_a_jump_is_never_taken_because_the_flow_has_ended() -> None:
    async with talking_to(
        """
        flows:
          first:
            trigger: {examples: [first]}
            steps:
              - {link: second, jump_to: later, when: session.vip}
              - say: "Between."
              - {step: later, say: "Later."}
          second:
            steps: [{say: "Second."}]
        """
    ) as talk:
        assert await talk.say("first", context={"vip": True}) == ["Second."]
        assert await talk.say("first", context={"vip": False}) == ["Between.", "Later."]
