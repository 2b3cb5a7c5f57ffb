"""Settings, by file and by environment, as a conversation shows them."""

import pytest

from soni.commands import StartFlow
from tests.talking import talking_to

ASK = """
    slots:
      count: {type: integer, prompt: {en: "How many?", es: "¿Cuántos?"}}
    flows:
      order:
        steps:
          - collect: count
          - say: {en: "{count} it is.", es: "Son {count}."}
"""


async def test_any_setting_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SONI_SETTINGS__LANGUAGE", "es")
    monkeypatch.setenv("SONI_SETTINGS__COLLECTION__MAX_ATTEMPTS", "2")
    async with talking_to(ASK) as talk:
        assert await talk.say("hola") == ["¿Cuántos?"]
        assert await talk.say("muchos") == ["Por favor, da un número entero.", "¿Cuántos?"]
        assert await talk.say("muchos") == [
            "Por favor, da un número entero.",
            "Te paso con una persona.",
        ]


async def test_the_environment_decides_over_the_file_and_leaves_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = "    settings: {language: es, collection: {max_attempts: 1}}" + ASK
    monkeypatch.setenv("SONI_SETTINGS__LANGUAGE", "en")
    async with talking_to(file) as talk:
        assert await talk.say("hi") == ["How many?"]
        assert await talk.say("lots") == [
            "Please give a whole number.",
            "I am connecting you with a person.",
        ]


async def test_the_language_of_a_turn_decides_over_the_setting() -> None:
    async with talking_to("    settings: {language: es}" + ASK) as talk:
        assert await talk.say("hola") == ["¿Cuántos?"]
        assert await talk.say("2", language="en") == ["2 it is."]


FLOWS = """
    settings:
      conversation: {%s}
    flows:
      menu:
        steps:
          - say: "Tea or coffee?"
      tea:
        trigger: {examples: [tea]}
        steps:
          - {collect: size, message: "Which size?"}
          - say: "{size} tea."
"""


async def test_default_flow_starts_on_an_idle_message_with_no_accepted_command() -> None:
    async with talking_to(FLOWS % "default_flow: menu") as talk:
        assert await talk.say("something") == ["Tea or coffee?"]
        assert await talk.say("x", StartFlow(flow_name="nowhere")) == ["Tea or coffee?"]
        assert await talk.say("tea") == ["Which size?"]
        assert await talk.say("x", StartFlow(flow_name="nowhere")) == [
            "I did not understand that.",
            "Which size?",
        ]
        assert await talk.say("large") == ["large tea."]


async def test_without_a_default_flow_an_idle_message_is_not_understood() -> None:
    async with talking_to(FLOWS % "") as talk:
        assert await talk.say("something") == ["I did not understand that."]


async def test_fallback_flow_is_what_fallback_pushes() -> None:
    keys = "fallback_flow: menu, on_no_progress: fallback, max_turns_without_progress: 2"
    async with talking_to(FLOWS % keys) as talk:
        assert await talk.say("something") == ["I did not understand that."]
        assert await talk.say("something") == ["Tea or coffee?"]


async def test_no_progress_is_handed_off_otherwise() -> None:
    async with talking_to(FLOWS % "max_turns_without_progress: 1") as talk:
        assert await talk.say("something") == ["I am connecting you with a person."]


async def test_a_message_beyond_the_limit_is_not_read() -> None:
    async with talking_to("    settings: {limits: {max_message_chars: 5}}" + ASK) as talk:
        await talk.say("hi")
        assert await talk.say("1" * 6) == [
            "That message is too long for me; please keep it under 5 characters.",
            "How many?",
        ]
        assert await talk.say("1" * 5) == ["11111 it is."]
