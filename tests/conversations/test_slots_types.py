"""Every slot type in a conversation: an answer it refuses, one it takes, what is said and run."""

from typing import Any

import pytest

from soni.commands import SetSlot
from tests.talking import talking_to

ASKING = """
    slots:
      thing:
        type: {kind}
        prompt: {{en: "Which?", es: "¿Cuál?"}}
        values: {values}
    flows:
      ask:
        steps:
          - collect: thing
          - action: look
          - say: "{{thing}}"
          - say: "{{seen}}"
"""
LOOK = """
    from soni import action

    @action
    def look(thing):
        return {"seen": repr(thing)}
"""


def asking(kind: str) -> str:
    return ASKING.format(kind=kind, values="[small, large]" if kind == "choice" else "[]")


# type, language, refused, why, taken, stored, shown, what an action gets
ROWS: list[tuple[str, str, Any, str, Any, Any, str, str]] = [
    ("string", "en", True, "Please answer with text.", "Ann", "Ann", "Ann", "'Ann'"),
    ("string", "es", True, "Por favor, responde con texto.", "Ana", "Ana", "Ana", "'Ana'"),
    (
        "string", "en", "a" * 1001, "That is too long; please use at most 1000 characters.",
        "a", "a", "a", "'a'",
    ),
    (
        "string", "es", "a" * 1001, "Es demasiado largo; usa como mucho 1000 caracteres.",
        "a", "a", "a", "'a'",
    ),
    ("text", "en", True, "Please answer with text.", "a\nb", "a\nb", "a\nb", "'a\\nb'"),
    ("text", "es", True, "Por favor, responde con texto.", "a\nb", "a\nb", "a\nb", "'a\\nb'"),
    ("integer", "en", "some", "Please give a whole number.", "two", 2, "2", "2"),
    ("integer", "es", "varios", "Por favor, da un número entero.", "dos", 2, "2", "2"),
    ("number", "en", "some", "Please give a number.", "2.5", 2.5, "2.5", "2.5"),
    ("number", "es", "varios", "Por favor, da un número.", "2,5", 2.5, "2,5", "2.5"),
    ("boolean", "en", "perhaps", "Please answer yes or no.", "yes", True, "yes", "True"),
    ("boolean", "es", "quizás", "Por favor, responde sí o no.", "sí", True, "sí", "True"),
    (
        "choice", "en", "huge", "Please choose one of: small, large.",
        "Small", "small", "small", "'small'",
    ),
    (
        "choice", "es", "enorme", "Elige una de estas opciones: small, large.",
        "Small", "small", "small", "'small'",
    ),
    (
        "date", "en", "5/3/2026",
        "That is not a date I understand, such as 2026-03-02 or tomorrow.",
        "next friday", "2026-03-13", "13 March 2026", "datetime.date(2026, 3, 13)",
    ),
    (
        "date", "es", "pronto", "No entiendo esa fecha; por ejemplo, 2026-03-02 o mañana.",
        "el viernes que viene", "2026-03-06", "6 de marzo de 2026", "datetime.date(2026, 3, 6)",
    ),
    (
        "time", "en", "at 5", "Please give a time of day, such as 5:30 pm or 17:30.",
        "half past five pm", "17:30:00", "5:30 pm", "datetime.time(17, 30)",
    ),
    (
        "time", "es", "a las 5", "Da una hora; por ejemplo, las 5 de la tarde o 17:30.",
        "a las cinco y media de la tarde", "17:30:00", "17:30", "datetime.time(17, 30)",
    ),
    (
        "datetime", "en", "tomorrow",
        "Please give a day and a time, such as tomorrow at 5 pm or 2026-03-02 17:30.",
        "tomorrow at 5 pm", "2026-03-03T17:00:00+00:00", "3 March 2026, 5:00 pm",
        "datetime.datetime(2026, 3, 3, 17, 0, tzinfo=datetime.timezone.utc)",
    ),
    (
        "datetime", "es", "mañana",
        "Da un día y una hora; por ejemplo, mañana a las 17:30 o 2026-03-02 17:30.",
        "mañana a las cinco de la tarde", "2026-03-03T17:00:00+00:00",
        "3 de marzo de 2026, 17:00",
        "datetime.datetime(2026, 3, 3, 17, 0, tzinfo=datetime.timezone.utc)",
    ),
    (
        "duration", "en", "5", "Please say how long, such as 2 hours or 1 hour and 30 minutes.",
        "an hour and a half", "PT1H30M", "1 hour and 30 minutes",
        "datetime.timedelta(seconds=5400)",
    ),
    (
        "duration", "es", "5", "Di cuánto tiempo; por ejemplo, 2 horas o 1 hora y 30 minutos.",
        "hora y media", "PT1H30M", "1 hora y 30 minutos", "datetime.timedelta(seconds=5400)",
    ),
    (
        "money", "en", "a lot",
        "Please give an amount of money, such as $12.50 or 20 euros.",
        "$12.50", {"amount": 12.5, "currency": "USD"}, "$12.50",
        "{'amount': 12.5, 'currency': 'USD'}",
    ),
    (
        "money", "es", "mucho", "Da una cantidad de dinero; por ejemplo, 12,50 € o 20 dólares.",
        "12,50", {"amount": 12.5, "currency": "EUR"}, "12,50 €",
        "{'amount': 12.5, 'currency': 'EUR'}",
    ),
    (
        "email", "en", "ann at home", "Please give an e-mail address, such as ann@example.com.",
        "Ann@Example.COM", "Ann@example.com", "Ann@example.com", "'Ann@example.com'",
    ),
    (
        "email", "es", "en casa", "Da una dirección de correo; por ejemplo, ana@example.com.",
        "ana@example.com", "ana@example.com", "ana@example.com", "'ana@example.com'",
    ),
    (
        "phone", "en", "911",
        "Please give a phone number with its country code, such as +1 415 555 2671.",
        "(415) 555-2671", "+14155552671", "+1 415-555-2671", "'+14155552671'",
    ),
    (
        "phone", "es", "112",
        "Da un teléfono con el prefijo de su país; por ejemplo, +34 600 123 456.",
        "600 123 456", "+34600123456", "+34 600 12 34 56", "'+34600123456'",
    ),
    (
        "list", "en", ",",
        "Please give a list of at most 100 items, such as bread, milk and eggs.",
        "tea, milk and ham", ["tea", "milk", "ham"], "tea, milk and ham", "['tea', 'milk', 'ham']",
    ),
    (
        "list", "es", ",",
        "Da una lista de 100 elementos como mucho; por ejemplo, pan, leche y huevos.",
        "té, pan y jamón", ["té", "pan", "jamón"], "té, pan y jamón", "['té', 'pan', 'jamón']",
    ),
    (
        "object", "en", "Madrid", "Named values are needed here, such as city: Madrid.",
        {"city": "Rome"}, {"city": "Rome"}, "city: Rome", "{'city': 'Rome'}",
    ),
    (
        "object", "es", "Madrid", "Aquí hacen falta valores con nombre, como city: Madrid.",
        {"city": "Roma"}, {"city": "Roma"}, "city: Roma", "{'city': 'Roma'}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "language", "refused", "why", "taken", "stored", "shown", "given"),
    ROWS,
    ids=[f"{row[0]}-{row[1]}" for row in ROWS],
)
async def test_it_is_asked_until_it_is_right_then_shown_and_handed_on(
    kind: str,
    language: str,
    refused: Any,
    why: str,
    taken: Any,
    stored: Any,
    shown: str,
    given: str,
) -> None:
    question = {"en": "Which?", "es": "¿Cuál?"}[language]
    async with talking_to(asking(kind), LOOK) as talk:

        async def answer(value: Any) -> list[str]:
            return await talk.say(
                "this one", SetSlot(slot_name="thing", value=value), language=language
            )

        assert await talk.say("hi", language=language) == [question]
        assert await answer(refused) == [why, question]
        assert talk.slots.get("thing") is None
        assert await answer(taken) == [shown, given]
        # The flow has ended: what was stored is what the action ran with.
        assert [inputs for _, inputs in talk.actions] == [{"thing": stored}]


async def test_an_answer_in_plain_words_needs_no_understanding() -> None:
    async with talking_to(asking("duration"), LOOK) as talk:
        assert await talk.say("hi") == ["Which?"]
        said = "datetime.timedelta(seconds=7200)"
        assert await talk.say("two hours") == ["2 hours", said]


FILTERED = """
    slots:
      price: {type: money, prompt: "Price?"}
      at: {type: datetime, prompt: "When?"}
    flows:
      ask:
        steps:
          - collect: price
          - collect: at
          - set: {share: 0.255, many: 1234567.5}
          - say: "{price} {price.amount} {price | raw} {price.amount | money}"
          - say: "{at | date} / {at | time} / {at | short} / {at | long} / {at | iso}"
          - say: "{share | percent} {many} {many | number}"
"""


async def test_filters_write_values_in_english() -> None:
    async with talking_to(FILTERED) as talk:
        await talk.say("hi")
        await talk.say("1", SetSlot(slot_name="price", value="€1,200.50"))
        assert await talk.say("2", SetSlot(slot_name="at", value="2026-03-05T17:30")) == [
            '€1,200.50 1200.5 {"amount": 1200.5, "currency": "EUR"} $1,200.50',
            "5 March 2026 / 5:30 pm / 5 Mar 2026, 5:30 pm"
            " / Thursday, 5 March 2026, 5:30 pm / 2026-03-05T17:30:00+00:00",
            "25.5% 1234567.5 1,234,567.5",
        ]


async def test_filters_write_values_in_spanish() -> None:
    async with talking_to(FILTERED) as talk:
        await talk.say("hola", language="es")
        await talk.say("1", SetSlot(slot_name="price", value="1.200,50 €"), language="es")
        at = SetSlot(slot_name="at", value="2026-03-05T17:30")
        assert await talk.say("2", at, language="es") == [
            '1.200,50 € 1200,5 {"amount": 1200.5, "currency": "EUR"} 1.200,50 €',
            "5 de marzo de 2026 / 17:30 / 5 mar 2026, 17:30"
            " / jueves, 5 de marzo de 2026, 17:30 / 2026-03-05T17:30:00+00:00",
            "25,5 % 1234567,5 1.234.567,5",
        ]


COMPARED = """
    slots:
      price: {type: money, prompt: "Price?", constraints: [
        {if: price.amount <= 100, message: "At most 100."}]}
      at:
        type: datetime
        prompt: "When?"
        constraints: [{if: at > now(), message: "That is over."}]
      stay:
        type: duration
        prompt: "How long?"
        constraints: [{if: stay <= hours(2), message: "At most two hours."}]
      opens: {type: time, prompt: "Opens?"}
      extras: {type: list, prompt: "Extras?"}
    flows:
      book:
        steps:
          - set: {opens: "9:00"}
          - collect: price
          - collect: at
          - collect: stay
          - collect: extras
          - set: {leaves: "{{ at + stay }}", count: "{{ len(extras) }}"}
          - set: {opening: "{{ opens }}", back: "{{ now() - at }}"}
          - branch:
              - {condition: '"tea" in extras', then: tea}
              - {else: end}
          - {step: tea, say: "{count} extras until {leaves | time}, {opening}, {back}."}
"""


async def test_expressions_compare_typed_values() -> None:
    async with talking_to(COMPARED) as talk:
        assert await talk.say("hi") == ["Price?"]
        assert await talk.say("$100.01") == ["At most 100.", "Price?"]
        assert await talk.say("$100") == ["When?"]
        assert await talk.say("2 hours ago") == ["That is over.", "When?"]
        assert await talk.say("tomorrow at 5 pm") == ["How long?"]
        assert await talk.say("2 hours and 1 minute") == ["At most two hours.", "How long?"]
        assert await talk.say("90 min") == ["Extras?"]
        assert await talk.say("tea and cake") == ["2 extras until 6:30 pm, 09:00:00, -P1DT7H."]
