"""Flows that are near to each other: what tells them apart decides, else the person is asked."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import Clarify, Disambiguate, StartFlow
from soni.du import DialogueContext, FlowBrief, LocalNLU
from soni.du.local.intents.choice import find_close_pair
from soni.du.local.limits import LIMITS

ABROAD = FlowBrief(
    name="send_abroad",
    description="Send a parcel abroad",
    examples=(
        "send a parcel abroad",
        "I want to send a parcel to another country",
        "ship a parcel overseas",
    ),
)
AT_HOME = FlowBrief(
    name="send_at_home",
    description="Send a parcel within the country",
    examples=(
        "send a parcel within the country",
        "I want to send a parcel inside the country",
        "ship a parcel domestically",
    ),
)
HOURS = FlowBrief(
    name="opening_hours",
    description="Tell when we are open",
    examples=("when are you open", "what are your opening hours"),
)
ENGLISH = (ABROAD, AT_HOME, HOURS)

FUERA = FlowBrief(
    name="enviar_fuera",
    description="Enviar un paquete al extranjero",
    examples=("enviar un paquete al extranjero", "quiero mandar un paquete a otro país"),
)
DENTRO = FlowBrief(
    name="enviar_dentro",
    description="Enviar un paquete dentro de España",
    examples=("enviar un paquete dentro de España", "quiero mandar un paquete nacional"),
)
HORARIO = FlowBrief(
    name="horario", description="Decir el horario", examples=("a qué hora abren", "el horario")
)
SPANISH = (FUERA, DENTRO, HORARIO)


async def read(message: str, flows: tuple[FlowBrief, ...], language: str = "en") -> list[Any]:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    context = DialogueContext(available_flows=flows, language=language, now=now)
    return list((await LocalNLU().understand(message, [], context)).commands)


@pytest.mark.parametrize(
    "message",
    [
        "I want to send a parcel",
        "send a parcel",
        "I have a parcel to send",
        "hello, I'd like to ship a parcel please",
        "can I send a parcel?",
        "parcel",
    ],
)
async def test_of_two_near_flows_the_person_is_asked_which(message: str) -> None:
    [which] = await read(message, ENGLISH)

    assert isinstance(which, Disambiguate)
    assert set(which.flow_names) == {"send_abroad", "send_at_home"}


@pytest.mark.parametrize(
    ("message", "flow"),
    [
        ("I want to send a parcel to another country", "send_abroad"),
        ("I have a parcel to send abroad", "send_abroad"),
        ("please send this parcel overseas", "send_abroad"),
        ("a parcel within the country please", "send_at_home"),
        ("what are the opening hours?", "opening_hours"),
    ],
)
async def test_one_word_that_only_one_of_them_has_decides(message: str, flow: str) -> None:
    assert await read(message, ENGLISH) == [StartFlow(flow_name=flow)]


async def test_of_three_near_flows_all_are_named() -> None:
    locker = FlowBrief(
        name="send_to_locker",
        description="Send a parcel to a locker",
        examples=("send a parcel to a locker", "I want to send a parcel into a parcel locker"),
    )

    [which] = await read("I want to send a parcel", (*ENGLISH, locker))

    assert set(which.flow_names) == {"send_abroad", "send_at_home", "send_to_locker"}


@pytest.mark.parametrize(
    ("likely", "asked"),
    [
        ({"a": 0.42, "b": 0.38, None: 0.2}, ("a", "b")),
        ({"b": 0.31, "a": 0.3, "c": 0.29, None: 0.1}, ("b", "a")),
        ({"a": 0.45, "b": 0.2, None: 0.35}, ()),
        ({"a": 0.2, "b": 0.2, None: 0.6}, ()),
        ({"a": 0.4, None: 0.6}, ()),
    ],
)
def test_two_that_may_be_meant_as_well_as_each_other_are_asked_about(
    likely: dict[str | None, float], asked: tuple[str, ...]
) -> None:
    assert find_close_pair(likely, LIMITS) == asked


async def test_with_one_flow_there_is_nothing_to_ask() -> None:
    assert await read("I want to send a parcel", (ABROAD, HOURS)) == [
        StartFlow(flow_name="send_abroad")
    ]


async def test_a_flow_that_shares_a_word_but_is_not_likely_is_no_rival() -> None:
    cancel = FlowBrief(
        name="cancel_table",
        description="Cancel a table that was reserved",
        examples=("cancel my table", "I no longer need the table", "call off the reservation"),
    )
    reserve = FlowBrief(
        name="reserve_table",
        description="Reserve a table",
        examples=("reserve a table", "I want a table for two", "is there a table tonight"),
    )

    assert await read("I'd like a table", (reserve, cancel)) == [
        StartFlow(flow_name="reserve_table")
    ]


@pytest.mark.parametrize(
    ("message", "flows", "language"),
    [
        ("how much does it cost to send a parcel?", ENGLISH, "en"),
        ("¿cuánto cuesta enviar un paquete?", SPANISH, "es"),
    ],
)
async def test_a_question_about_both_is_answered_first(
    message: str, flows: tuple[FlowBrief, ...], language: str
) -> None:
    assert await read(message, flows, language) == [Clarify(topic=message)]


@pytest.mark.parametrize(
    "message",
    [
        "quiero enviar un paquete",
        "¿puedo enviar un paquete?",
        "necesito mandar un paquete",
        "un paquete, por favor",
    ],
)
async def test_in_spanish_the_person_is_asked_as_well(message: str) -> None:
    [which] = await read(message, SPANISH, "es")

    assert isinstance(which, Disambiguate)
    assert set(which.flow_names) == {"enviar_fuera", "enviar_dentro"}


@pytest.mark.parametrize(
    ("message", "flow"),
    [
        ("quiero enviar un paquete al extranjero", "enviar_fuera"),
        ("necesito mandar un paquete a otro país", "enviar_fuera"),
        ("un paquete nacional, por favor", "enviar_dentro"),
    ],
)
async def test_in_spanish_one_word_decides_as_well(message: str, flow: str) -> None:
    assert await read(message, SPANISH, "es") == [StartFlow(flow_name=flow)]
