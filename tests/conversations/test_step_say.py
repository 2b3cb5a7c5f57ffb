"""say: one message."""

from soni.runtime.turn import MessageEvent
from tests.talking import talking_to


async def test_several_says_in_a_turn_are_several_messages_in_order() -> None:
    flow = """
    flows:
      hello:
        steps:
          - say: "One."
          - say: "Two."
          - {collect: name, message: "Your name?"}
          - say: "Three, {name}."
          - say: "Four."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["One.", "Two.", "Your name?"]
        assert await talk.say("Ann") == ["Three, Ann.", "Four."]


async def test_a_text_of_several_lines_is_one_message() -> None:
    flow = """
    flows:
      hello:
        steps:
          - say: |
              One.
              Two.
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["One.\nTwo.\n"]


async def test_a_response_is_said_by_its_name_with_the_flows_values() -> None:
    flow = """
    responses:
      bye: {en: "Goodbye, {name}.", es: "Adiós, {name}."}
    flows:
      leave:
        steps:
          - {collect: name, message: "Name?"}
          - {type: say, response: bye}
          - {type: say, response: out_of_scope}
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("Ann", language="es") == ["Adiós, Ann.", "No puedo ayudarte con eso."]


async def test_what_is_said_streams_in_the_same_order_as_it_is_recorded() -> None:
    flow = """
    flows:
      hello:
        steps:
          - say: "One."
          - action: work
          - say: "Three."
          - {collect: name, message: "Your name?"}
    """
    actions = """
        from soni import action

        @action
        def work(ctx):
            ctx.say("Two.")
    """
    async with talking_to(flow, actions) as talk:
        events = [event async for event in talk.runtime.stream("hi", "ann")]
        streamed = [event.text for event in events if isinstance(event, MessageEvent)]
        assert streamed == ["One.", "Two.", "Three.", "Your name?"]
        state = await talk.runtime.get_state("ann")
        assert [message.content for message in state["messages"]] == ["hi", *streamed]
        assert state["last_response"] == "\n".join(streamed)
