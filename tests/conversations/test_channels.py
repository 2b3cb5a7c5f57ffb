"""Whole conversations over channels, as their users read them."""

import pytest

from tests.channel_desk import Desk, serving


async def say(desk: Desk, number: int, **said: str) -> list[str]:
    """Post a message of Ann's; what she reads."""
    answer = await desk.webhook(f"msg_{number}", {"conversation": "ann", **said})
    return [reply["text"] for reply in answer.json()["replies"]]


async def test_an_order_by_text_message() -> None:
    async with serving() as desk:
        for sid, said, read in (
            ("SM1", "order", "Which size?\n1. small\n2. large"),
            ("SM2", "2", "How many?"),
            ("SM3", "3", "3 of large?\n1. Yes\n2. No"),
            ("SM4", "1", "Ordered.\nGoodbye."),
        ):
            assert f"<Message>{read}</Message>" in (await desk.twilio(sid, said)).text


@pytest.mark.parametrize(
    ("language", "expired"),
    [
        ("en", "That button belongs to an earlier question."),
        ("es", "Ese botón es de una pregunta anterior."),
    ],
)
async def test_a_button_of_an_earlier_question_does_nothing(language: str, expired: str) -> None:
    async with serving() as desk:
        assert await say(desk, 1, text="order", language=language)
        assert await say(desk, 2, press="large", language=language) == ["How many?"]
        assert await say(desk, 3, press="small", language=language) == [expired]
        assert (await desk.runtime.get_state("webhook:ann"))["waiting_for_slot"] == "count"
