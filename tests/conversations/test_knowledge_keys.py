"""knowledge: every key of an entry, in both languages."""

import pytest

from soni.commands import Clarify
from tests.talking import talking_to

SHOP = """
knowledge:
  - question: {en: [When are you open?, opening hours], es: ¿Cuándo abrís?}
    answer: {en: "From 9 to 5, {session.name}.", es: "De 9 a 5, {session.name}."}
  - question: {en: Can I pay later?, es: ¿Puedo pagar luego?}
    answer: {en: "Members can.", es: "Los socios pueden."}
    flow: order
    when: session.member
slots:
  size: {type: choice, values: [small, large], prompt: {en: "Which size?", es: "¿Qué tamaño?"}}
flows:
  order:
    trigger: {examples: [order]}
    steps: [{collect: size}, {say: "{size}."}]
"""


@pytest.mark.parametrize(
    ("language", "hours", "open_", "later", "members", "none", "asked"),
    [
        ("en", "When are you open?", "From 9 to 5, Ann.", "Can I pay later?", "Members can.",
         "I have no answer to that.", "Which size?"),
        ("es", "¿Cuándo abrís?", "De 9 a 5, Ann.", "¿Puedo pagar luego?", "Los socios pueden.",
         "No tengo respuesta para eso.", "¿Qué tamaño?"),
    ],
)  # fmt: skip
async def test_an_entry_answers_its_question_while_its_flow_and_condition_hold(
    language: str, hours: str, open_: str, later: str, members: str, none: str, asked: str
) -> None:
    async with talking_to(SHOP) as talk:

        async def ask(question: str, *, member: bool) -> list[str]:
            known = {"name": "Ann", "member": member}
            topic = Clarify(topic=question)
            return await talk.say(question, topic, language=language, context=known)

        assert await ask(hours, member=False) == [open_]
        assert await ask(later, member=True) == [none]
        await talk.say("order", language=language)
        assert await ask(hours, member=False) == [open_, asked]
        assert await ask(later, member=True) == [members, asked]
        assert await ask(later, member=False) == [none, asked]
