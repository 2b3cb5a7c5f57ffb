"""generate: text by the language model; with none configured, the fallback."""

from soni.commands import SetSlot
from tests.talking import talking_to

JOKE = """
slots:
  topic: {prompt: {en: "About what?", es: "¿Sobre qué?"}}
flows:
  joke:
    trigger: {examples: [joke]}
    steps:
      - collect: topic
      - step: tell
        type: generate
        instruction: "Tell a joke about {topic}."
        context: [topic]
        fallback: {en: "I know none about {topic}.", es: "No sé ninguno sobre {topic}."}
        when: topic != "tax"
        jump_to: thanks
      - say: "Not about {topic}."
      - {step: thanks, say: {en: "That was it.", es: "Eso es todo."}}
"""


async def test_without_a_model_the_fallback_is_said_and_the_jump_is_taken() -> None:
    async with talking_to(JOKE) as talk:
        assert await talk.say("joke") == ["About what?"]
        assert await talk.say("cats") == ["I know none about cats.", "That was it."]


async def test_the_fallback_is_said_in_the_language_of_the_turn() -> None:
    async with talking_to(JOKE) as talk:
        assert await talk.say("joke", language="es") == ["¿Sobre qué?"]
        said = await talk.say("gatos", language="es")
        assert said == ["No sé ninguno sobre gatos.", "Eso es todo."]


async def test_a_guard_that_does_not_hold_passes_over_it_and_its_jump() -> None:
    async with talking_to(JOKE) as talk:
        await talk.say("joke")
        assert await talk.say("tax") == ["Not about tax.", "That was it."]


async def test_what_the_user_wrote_stays_text_in_the_fallback() -> None:
    async with talking_to(JOKE) as talk:
        await talk.say("joke")
        topic = SetSlot(slot_name="topic", value="{topic} {{ 7 * 7 }}")
        assert await talk.say("?", topic) == [
            "I know none about {topic} {{ 7 * 7 }}.",
            "That was it.",
        ]


async def test_store_as_keeps_the_text_instead_of_saying_it() -> None:
    async with talking_to(
        """
        flows:
          sum_up:
            trigger: {examples: [sum up]}
            steps:
              - {type: generate, instruction: Sum it up, store_as: summary, fallback: "All well."}
              - say: "Summary: {summary}"
        """
    ) as talk:
        assert await talk.say("sum up") == ["Summary: All well."]


NO_FALLBACK = """
flows:
  joke:
    trigger: {examples: [joke]}
    steps:
      - {generate: Tell a joke, on_error: sorry}
      - {say: never, jump_to: end}
      - {step: sorry, say: "{_error_type}"}
  riddle:
    trigger: {examples: [riddle]}
    steps:
      - generate: Tell a riddle
      - say: never
"""


async def test_without_a_fallback_it_is_the_steps_failure() -> None:
    async with talking_to(NO_FALLBACK) as talk:
        assert await talk.say("joke") == ["no_model"]
        assert await talk.say("riddle") == ["Something went wrong, so I could not finish riddle."]
        assert talk.ended == [("riddle", "error")]


async def test_the_failure_is_told_in_spanish_too() -> None:
    async with talking_to(NO_FALLBACK) as talk:
        said = await talk.say("riddle", language="es")
        assert said == ["Algo ha fallado y no he podido terminar riddle."]
