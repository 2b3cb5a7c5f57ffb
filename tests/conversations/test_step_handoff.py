"""handoff: a person takes over, and the flow goes on when the conversation is released."""

import pytest

from soni.commands import StartFlow
from soni.core.errors import NotAllowedError
from tests.talking import talking_to

COMPLAIN = """
slots:
  topic: {prompt: {en: "About what?", es: "¿Sobre qué?"}}
  pin: {prompt: "PIN?", sensitive: true}
flows:
  complain:
    trigger: {examples: [complain]}
    inputs: ["pin?"]
    steps:
      - collect: topic
      - step: person
        type: handoff
        queue: complaints
        context: {about: "{{ upper(topic) }}", urgent: true, pin: "{{ pin }}"}
        message: {en: "Somebody looks after {topic}.", es: "Alguien se ocupa de {topic}."}
        when: topic != "weather"
        jump_to: thanks
      - say: "Nobody can help the {topic}."
      - {step: thanks, say: {en: "Was that all?", es: "¿Eso es todo?"}}
"""


async def test_queue_context_and_message_go_to_the_person_and_the_user() -> None:
    async with talking_to(COMPLAIN) as talk:
        assert await talk.say("complain") == ["About what?"]
        assert await talk.say("noise") == ["Somebody looks after noise."]
        handoff = talk.state["metadata"]["handoff"]
        assert handoff["queue"] == "complaints"
        assert handoff["context"] == {"about": "NOISE", "urgent": True, "pin": None}
        assert talk.stack == ["complain"]


async def test_after_the_release_the_flow_goes_on_where_the_step_jumps_to() -> None:
    async with talking_to(COMPLAIN) as talk:
        await talk.say("complain")
        await talk.say("noise")
        assert await talk.say("hello?") == []
        assert (await talk.runtime.release("ann")).messages == ["Was that all?"]
        assert (await talk.runtime.get_state("ann"))["flow_stack"] == []
        with pytest.raises(NotAllowedError, match="not handed off"):
            await talk.runtime.release("ann")


async def test_in_spanish_the_user_is_told_in_spanish() -> None:
    async with talking_to(COMPLAIN) as talk:
        assert await talk.say("complain", language="es") == ["¿Sobre qué?"]
        assert await talk.say("ruido", language="es") == ["Alguien se ocupa de ruido."]


async def test_a_guard_that_does_not_hold_passes_over_it_and_its_jump() -> None:
    async with talking_to(COMPLAIN) as talk:
        await talk.say("complain")
        assert await talk.say("weather") == ["Nobody can help the weather.", "Was that all?"]
        assert talk.state["metadata"].get("handoff") is None


async def test_a_sensitive_value_is_masked_in_what_is_handed_over() -> None:
    async with talking_to(COMPLAIN) as talk:
        start = StartFlow(flow_name="complain", slots={"pin": "4711", "topic": "noise"})
        assert await talk.say("complain", start) == ["Somebody looks after noise."]
        handoff = talk.state["metadata"]["handoff"]
        assert handoff["context"]["pin"] == "••••"
        assert handoff["slots"]["pin"] == "••••"


WITHOUT = """
settings: {handoff: {default_queue: desk}}
flows:
  call_us:
    trigger: {examples: [call us]}
    steps:
      - type: handoff
      - say: Back again.
"""


async def test_without_keys_the_default_queue_and_the_built_in_words_are_used() -> None:
    async with talking_to(WITHOUT) as talk:
        assert await talk.say("call us") == ["I am connecting you with a person."]
        assert talk.state["metadata"]["handoff"]["queue"] == "desk"
        assert (await talk.runtime.release("ann")).messages == ["Back again."]


async def test_the_built_in_words_are_spanish_in_spanish() -> None:
    async with talking_to(WITHOUT) as talk:
        assert await talk.say("call us", language="es") == ["Te paso con una persona."]


async def test_the_short_spelling_names_the_queue() -> None:
    short = """
    flows:
      complain:
        trigger: {examples: [complain]}
        steps:
          - handoff: complaints
          - say: Back again.
    """
    async with talking_to(short) as talk:
        assert await talk.say("complain") == ["I am connecting you with a person."]
        assert talk.state["metadata"]["handoff"]["queue"] == "complaints"
