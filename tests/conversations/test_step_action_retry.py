"""action: how long a call may take, how often it is tried again, and where its failure leads."""

import pytest

from tests.talking import talking_to

BUSY = """
slots:
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
actions:
  forecast: {description: Asks the weather service., inputs: [city], outputs: [sky]}
flows:
  weather:
    trigger: {examples: [weather]}
    steps:
      - collect: city
      - step: ask
        type: action
        call: forecast
        retry: {max_attempts: 4, delay: 0.001, backoff: 1.5, retry_on: [busy]}
        timeout: 5
        on_error: sorry
        when: city != "home"
        jump_to: tell
      - {say: {en: "Look out of the window.", es: "Mira por la ventana."}, jump_to: end}
      - {step: tell, say: {en: "{sky} in {city}.", es: "{sky} en {city}."}, jump_to: end}
      - {step: sorry, say: {en: "No: {_error_message}", es: "Nada: {_error_message}"}}
"""

FORECAST = """
from soni import ActionError, action

calls = []

@action
def forecast(city, ctx):
    calls.append(city)
    ctx.say(f"{len(calls)}...")
    if city == "Oslo" or len(calls) < 3:
        raise ActionError("busy" if city != "Atlantis" else "unknown", f"{city} is silent.")
    return {"sky": "Rain"}
"""


async def test_a_failed_call_is_tried_again_and_then_the_jump_is_taken() -> None:
    async with talking_to(BUSY, FORECAST) as talk:
        assert await talk.say("weather") == ["Which city?"]
        assert await talk.say("Rome") == ["1...", "2...", "3...", "Rain in Rome."]
        assert talk.actions == [("forecast", {"city": "Rome"})]


async def test_max_attempts_counts_the_first_call_and_then_on_error_is_taken() -> None:
    async with talking_to(BUSY, FORECAST) as talk:
        await talk.say("weather")
        assert await talk.say("Oslo") == ["1...", "2...", "3...", "4...", "No: Oslo is silent."]


async def test_an_error_that_retry_on_does_not_name_is_not_tried_again() -> None:
    async with talking_to(BUSY, FORECAST) as talk:
        await talk.say("weather")
        assert await talk.say("Atlantis") == ["1...", "No: Atlantis is silent."]


async def test_in_spanish_the_authors_texts_are_spanish() -> None:
    async with talking_to(BUSY, FORECAST) as talk:
        assert await talk.say("weather", language="es") == ["¿Qué ciudad?"]
        said = await talk.say("Roma", language="es")
        assert said == ["1...", "2...", "3...", "Rain en Roma."]


async def test_a_guard_that_does_not_hold_passes_over_the_call_and_its_jump() -> None:
    async with talking_to(BUSY, FORECAST) as talk:
        await talk.say("weather")
        assert await talk.say("home") == ["Look out of the window."]
        assert talk.actions == []


SLOW = """
flows:
  wait:
    trigger: {examples: [wait]}
    steps:
      - {action: sleep, timeout: 0.01, retry: {max_attempts: 2, delay: 0}}
      - say: never
"""

SLEEP = """
import asyncio
from soni import action

@action
async def sleep(ctx):
    ctx.say("Trying.")
    await asyncio.sleep(60)
"""


@pytest.mark.parametrize(
    ("language", "sorry"),
    [
        (
            "en",
            "I do not know whether wait was done: it was interrupted. "
            "Please check before you try again.",
        ),
        (
            "es",
            "No sé si wait se hizo, porque se interrumpió. "
            "Compruébalo antes de volver a intentarlo.",
        ),
    ],
)
async def test_a_timeout_holds_for_each_call(language: str, sorry: str) -> None:
    async with talking_to(SLOW, SLEEP) as talk:
        assert await talk.say("wait", language=language) == ["Trying.", "Trying.", sorry]
        assert talk.state["metadata"]["error"] == "timeout: no answer within 0.01 seconds"
        assert talk.ended == [("wait", "error")]


PAID = """
slots:
  amount: {type: integer, prompt: {en: "How much?", es: "¿Cuánto?"}}
actions:
  pay: {description: Moves money., inputs: [amount], outputs: [paid], confirm: true}
flows:
  pay:
    trigger: {examples: [pay]}
    steps:
      - collect: amount
      - {confirm: {en: "Pay {amount}?", es: "¿Pagar {amount}?"}}
      - action: pay
      - say: {en: "Paid {paid}.", es: "Pagado: {paid}."}
"""

PAY = """
from soni import action

@action
def pay(amount):
    return {"paid": amount}
"""


async def test_an_action_with_confirm_runs_after_the_yes_and_not_before() -> None:
    async with talking_to(PAID, PAY) as talk:
        await talk.say("pay")
        assert await talk.say("5") == ["Pay 5?"]
        assert talk.actions == []
        assert await talk.say("yes") == ["Paid 5."]
        assert talk.actions == [("pay", {"amount": 5})]


async def test_an_action_with_confirm_in_spanish() -> None:
    async with talking_to(PAID, PAY) as talk:
        assert await talk.say("pay", language="es") == ["¿Cuánto?"]
        assert await talk.say("5", language="es") == ["¿Pagar 5?"]
        assert await talk.say("no", language="es") == ["¿Qué quieres cambiar?"]
        assert await talk.say("no", language="es") == ["He cancelado pay."]
        assert talk.actions == []
