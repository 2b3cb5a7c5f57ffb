"""conversation_patterns: every key of every pattern, in both languages."""

import pytest

from soni.commands import (
    CancelFlow,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    RepeatLast,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

BANK = """
slots:
  amount: {type: integer, prompt: {en: "How much?", es: "¿Cuánto?"},
           help: {en: "To send it.", es: "Para enviarlo."}}
  name: {prompt: {en: "To whom?", es: "¿A quién?"}}
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
flows:
  send:
    trigger: {examples: [send]}
    steps:
      - collect: amount
      - collect: name
      - {confirm: {en: "Send {amount} to {name}?", es: "¿Envío {amount} a {name}?"}}
      - say: {en: "Sent.", es: "Enviado."}
  weather:
    trigger: {examples: [weather]}
    steps: [{collect: city}, {say: {en: "Sun in {city}.", es: "Sol en {city}."}}]
"""

ASKED = {"en": "How much?", "es": "¿Cuánto?"}
SEND = StartFlow(flow_name="send")
WEATHER = StartFlow(flow_name="weather")


async def sending(talk: Talk, language: str) -> None:
    assert await talk.say("send", SEND, language=language) == [ASKED[language]]


QUIET = "conversation_patterns: {correction: {acknowledge: false}}\n"
FIXED = "conversation_patterns: {correction: {enabled: false}}\n"
CHANGE = CorrectSlot(slot_name="amount", new_value=6)


@pytest.mark.parametrize(
    ("keys", "language", "said"),
    [
        ("", "en", ["amount is now 6.", "To whom?"]),
        ("", "es", ["amount ahora es 6.", "¿A quién?"]),
        (QUIET, "en", ["To whom?"]),
        (QUIET, "es", ["¿A quién?"]),
        (FIXED, "en", ["amount cannot be changed any more.", "To whom?"]),
        (FIXED, "es", ["amount ya no se puede cambiar.", "¿A quién?"]),
    ],
)
async def test_correction(keys: str, language: str, said: list[str]) -> None:
    async with talking_to(keys + BANK) as talk:
        await sending(talk, language)
        await talk.say("5", language=language)
        assert await talk.say("no, 6", CHANGE, language=language) == said
        assert talk.slots["amount"] == (5 if keys == FIXED else 6)


HANDED = "conversation_patterns: {clarification: {max_depth: 1, fallback: handoff}}\n"
DROPPED = "conversation_patterns: {clarification: {max_depth: 1, fallback: cancel}}\n"
ENDLESS = "conversation_patterns: {clarification: {max_depth: 1, fallback: none}}\n"
NO_QUESTIONS = "conversation_patterns: {clarification: {enabled: false}}\n"


@pytest.mark.parametrize(
    ("keys", "language", "first", "second"),
    [
        (HANDED, "en", ["To send it.", "How much?"], ["I am connecting you with a person."]),
        (HANDED, "es", ["Para enviarlo.", "¿Cuánto?"], ["Te paso con una persona."]),
        (DROPPED, "en", ["To send it.", "How much?"], ["I have cancelled send."]),
        (DROPPED, "es", ["Para enviarlo.", "¿Cuánto?"], ["He cancelado send."]),
        (ENDLESS, "en", ["To send it.", "How much?"], ["To send it.", "How much?"]),
        (ENDLESS, "es", ["Para enviarlo.", "¿Cuánto?"], ["Para enviarlo.", "¿Cuánto?"]),
    ],
)
async def test_clarification(keys: str, language: str, first: list[str], second: list[str]) -> None:
    async with talking_to(keys + BANK) as talk:
        await sending(talk, language)
        assert await talk.say("?", Clarify(), language=language) == first
        assert await talk.say("?", Clarify(), language=language) == second


@pytest.mark.parametrize(
    ("language", "pardon"), [("en", "I did not understand that."), ("es", "No lo he entendido.")]
)
async def test_clarification_disabled(language: str, pardon: str) -> None:
    async with talking_to(NO_QUESTIONS + BANK) as talk:
        await sending(talk, language)
        assert await talk.say("?", Clarify(), language=language) == [pardon, ASKED[language]]


@pytest.mark.parametrize(
    ("language", "none"),
    [("en", "I have no answer to that."), ("es", "No tengo respuesta para eso.")],
)
async def test_a_question_without_an_answer(language: str, none: str) -> None:
    async with talking_to(BANK) as talk:
        await sending(talk, language)
        moon = Clarify(topic="the moon")
        assert await talk.say("the moon?", moon, language=language) == [none, ASKED[language]]


ASKS_FIRST = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}\n"
NO_CANCEL = "conversation_patterns: {cancellation: {enabled: false}}\n"


@pytest.mark.parametrize(
    ("language", "really", "yes", "done"),
    [
        ("en", "Do you want to cancel send?", "yes", "I have cancelled send."),
        ("es", "¿Quieres cancelar send?", "sí", "He cancelado send."),
    ],
)
async def test_confirm_before_cancel(language: str, really: str, yes: str, done: str) -> None:
    async with talking_to(ASKS_FIRST + BANK) as talk:
        await sending(talk, language)
        assert await talk.say("x", CancelFlow(), language=language) == [really]
        assert await talk.say("no", language=language) == [ASKED[language]]
        assert await talk.say("x", CancelFlow(), language=language) == [really]
        assert await talk.say(yes, language=language) == [done]


@pytest.mark.parametrize(
    ("language", "pardon"), [("en", "I did not understand that."), ("es", "No lo he entendido.")]
)
async def test_cancellation_disabled(language: str, pardon: str) -> None:
    async with talking_to(NO_CANCEL + BANK) as talk:
        await sending(talk, language)
        assert await talk.say("x", CancelFlow(), language=language) == [pardon, ASKED[language]]
        assert talk.stack == ["send"]


ONE_TRY = "conversation_patterns: {confirmation: {max_retries: 1}}\n"


@pytest.mark.parametrize(
    ("language", "asked", "person"),
    [
        ("en", "Send 5 to Bob?", "I am connecting you with a person."),
        ("es", "¿Envío 5 a Bob?", "Te paso con una persona."),
    ],
)
async def test_confirmation_max_retries(language: str, asked: str, person: str) -> None:
    async with talking_to(ONE_TRY + BANK) as talk:
        start = StartFlow(flow_name="send", slots={"amount": 5, "name": "Bob"})
        assert await talk.say("send 5 to Bob", start, language=language) == [asked]
        assert await talk.say("hm", language=language) == [person]


NOBODY = "conversation_patterns: {human_handoff: {enabled: false}}\n"


@pytest.mark.parametrize(
    ("language", "nobody"),
    [
        ("en", "I cannot connect you with a person here."),
        ("es", "Aquí no puedo pasarte con una persona."),
    ],
)
async def test_human_handoff_disabled(language: str, nobody: str) -> None:
    async with talking_to(NOBODY + BANK) as talk:
        await sending(talk, language)
        said = await talk.say("a person!", HumanHandoff(), language=language)
        assert said == [nobody, ASKED[language]]


SILENT = "conversation_patterns: {interruption: {announce_return: false}}\n"
ONE_AT_A_TIME = "conversation_patterns: {interruption: {enabled: false}}\n"


@pytest.mark.parametrize(
    ("keys", "language", "said"),
    [
        ("", "en", ["Sun in Rome.", "Back to send.", "How much?"]),
        ("", "es", ["Sol en Rome.", "Volvemos a send.", "¿Cuánto?"]),
        (SILENT, "en", ["Sun in Rome.", "How much?"]),
        (SILENT, "es", ["Sol en Rome.", "¿Cuánto?"]),
    ],
)
async def test_interruption(keys: str, language: str, said: list[str]) -> None:
    async with talking_to(keys + BANK) as talk:
        await sending(talk, language)
        await talk.say("weather", WEATHER, language=language)
        rome = SetSlot(slot_name="city", value="Rome")
        assert await talk.say("Rome", rome, language=language) == said


@pytest.mark.parametrize(
    ("language", "first"), [("en", "Let us finish send first."), ("es", "Terminemos primero send.")]
)
async def test_interruption_disabled(language: str, first: str) -> None:
    async with talking_to(ONE_AT_A_TIME + BANK) as talk:
        await sending(talk, language)
        said = await talk.say("weather", WEATHER, language=language)
        assert said == [first, ASKED[language]]


@pytest.mark.parametrize(
    ("language", "nothing", "none_yet"),
    [
        ("en", "There is nothing to cancel.", "There is nothing to repeat."),
        ("es", "No hay nada que cancelar.", "No hay nada que repetir."),
    ],
)
async def test_with_nothing_there_it_says_so(language: str, nothing: str, none_yet: str) -> None:
    async with talking_to(BANK) as talk:
        assert await talk.say("again", RepeatLast(), language=language) == [none_yet]
        assert await talk.say("cancel", CancelFlow(), language=language) == [nothing]
