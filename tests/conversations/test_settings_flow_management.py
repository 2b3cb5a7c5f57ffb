"""settings.flow_management: how many tasks may be open, and what happens beyond; both languages."""

import pytest

from soni.commands import StartFlow
from tests.talking import Talk, talking_to

TASKS = """
slots:
  amount: {type: integer, prompt: {en: "How much?", es: "¿Cuánto?"}}
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
flows:
  pay: {trigger: {examples: [pay]}, steps: [{collect: amount}, {say: "{amount}."}]}
  weather: {trigger: {examples: [weather]}, steps: [{collect: city}, {say: "{city}."}]}
"""

CANCEL = "settings: {flow_management: {max_stack_depth: 1, on_limit_reached: cancel_oldest}}\n"
REJECT = "settings: {flow_management: {max_stack_depth: 1, on_limit_reached: reject_new}}\n"
ASK = "settings: {flow_management: {max_stack_depth: 1, on_limit_reached: ask_user}}\n"


async def start(talk: Talk, flow: str, language: str) -> list[str]:
    return await talk.say(flow, StartFlow(flow_name=flow), language=language)


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "How much?",
         ["I have cancelled pay to make room for weather.", "Which city?"]),
        ("es", "¿Cuánto?",
         ["He cancelado pay para hacer sitio a weather.", "¿Qué ciudad?"]),
    ],
)  # fmt: skip
async def test_cancel_oldest_makes_room_and_says_so(
    language: str, asked: str, said: list[str]
) -> None:
    async with talking_to(CANCEL + TASKS) as talk:
        assert await start(talk, "pay", language) == [asked]
        assert await start(talk, "weather", language) == said
        assert (talk.stack, talk.ended) == (["weather"], [("pay", "cancelled")])


@pytest.mark.parametrize(
    ("language", "full", "asked"),
    [
        (
            "en",
            "I can keep only 1 open at once. Please finish or cancel one before weather.",
            "How much?",
        ),
        (
            "es",
            "Solo puedo llevar 1 a la vez. Termina o cancela algo antes de weather.",
            "¿Cuánto?",
        ),
    ],
)
async def test_reject_new_says_so_and_asks_again(language: str, full: str, asked: str) -> None:
    async with talking_to(REJECT + TASKS) as talk:
        assert await start(talk, "pay", language) == [asked]
        assert await start(talk, "weather", language) == [full, asked]
        assert talk.stack == ["pay"]


@pytest.mark.parametrize(
    ("language", "shall", "yes", "new", "kept", "old"),
    [
        ("en", "I can keep only 1 open at once. Shall I cancel pay and start weather?", "yes",
         "Which city?", "All right, nothing changes.", "How much?"),
        ("es", "Solo puedo llevar 1 a la vez. ¿Cancelo pay y empiezo weather?", "sí",
         "¿Qué ciudad?", "De acuerdo, nada cambia.", "¿Cuánto?"),
    ],
)  # fmt: skip
async def test_ask_user_asks_first(
    language: str, shall: str, yes: str, new: str, kept: str, old: str
) -> None:
    async with talking_to(ASK + TASKS) as talk:
        assert await start(talk, "pay", language) == [old]
        assert await start(talk, "weather", language) == [shall]
        assert await talk.say("no", language=language) == [kept, old]
        assert await start(talk, "weather", language) == [shall]
        assert await talk.say(yes, language=language) == [new]
        assert talk.stack == ["weather"]
