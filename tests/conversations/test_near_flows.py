"""Two flows near to each other: the person is asked which, by the offline understanding."""

import pytest

from tests.talking import talking_to

POST = """
flows:
  send_abroad:
    description: Send a parcel abroad
    trigger:
      examples:
        - send a parcel abroad
        - I want to send a parcel to another country
    steps: [{say: "Abroad, then."}]
  send_at_home:
    description: Send a parcel within the country
    trigger:
      examples:
        - send a parcel within the country
        - I want to send a parcel inside the country
    steps: [{say: "At home, then."}]
"""
CORREOS = """
flows:
  enviar_fuera:
    description: Enviar un paquete al extranjero
    trigger: {examples: [enviar un paquete al extranjero, mandar un paquete a otro país]}
    steps: [{say: "Fuera, pues."}]
  enviar_dentro:
    description: Enviar un paquete dentro de España
    trigger: {examples: [enviar un paquete dentro de España, mandar un paquete nacional]}
    steps: [{say: "Dentro, pues."}]
"""


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("send abroad", "Abroad, then."),
        ("at home please", "At home, then."),
        ("the first one", "Abroad, then."),
        ("2", "At home, then."),
        ("none of them", "All right, none of those."),
    ],
)
async def test_somebody_is_asked_which_and_says_so(answer: str, said: str) -> None:
    async with talking_to(POST) as talk:
        asked = await talk.say("I want to send a parcel")
        assert asked == ["Which one do you mean: 1. send abroad, 2. send at home?"]
        assert await talk.say(answer) == [said]
        assert talk.state["turn"]["source"] == "local"


async def test_nobody_is_asked_who_has_said_which() -> None:
    async with talking_to(POST) as talk:
        assert await talk.say("I want to send a parcel within the country") == ["At home, then."]


@pytest.mark.parametrize(
    ("answer", "said"), [("la segunda", "{second}"), ("fuera", "Fuera"), ("dentro", "Dentro")]
)
async def test_in_spanish_as_well(answer: str, said: str) -> None:
    async with talking_to(CORREOS) as talk:
        (asked,) = await talk.say("quiero enviar un paquete", language="es")
        assert "1. enviar" in asked and "2. enviar" in asked
        second = asked.split("2. enviar ")[1].split("?")[0].title()
        (started,) = await talk.say(answer, language="es")
        assert started == f"{said.format(second=second)}, pues."
