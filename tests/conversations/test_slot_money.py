"""A slot of type money with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold
from tests.talking import talking_to

GIVING = """
settings: {collection: {max_attempts: 9}}
slots:
  gift:
    type: money
    description: What is given
    prompt: {en: "How much?", es: "¿Cuánto?"}
    help: {en: "For the card.", es: "Para la tarjeta."}
    examples: [$20, 12.50 euros]
    normalizer: whole
    validator: taken
    constraints:
      - {if: gift.amount < 1000, message: {en: "{gift} is too much.", es: "{gift} es demasiado."}}
    default: {amount: 1200.5, currency: JPY}
    required: false
    ask_before_filling: true
    scope: conversation
  salary: {type: money, prompt: {en: "Salary?", es: "¿Sueldo?"}, sensitive: true}
flows:
  give:
    trigger: {examples: [give]}
    steps:
      - collect: gift
      - collect: salary
      - say: {en: "{gift} of {salary}.", es: "{gift} de {salary}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def whole(value):
    return value if value["currency"] == "JPY" else {**value, "amount": round(value["amount"])}

@validator
def taken(value):
    if value["currency"] == "GBP":
        raise ValueError("No pounds, please.")
    return value["amount"] > 0
"""

START = StartFlow(flow_name="give", slots={"gift": 5})


async def test_in_english() -> None:
    refused = "Please give an amount of money, such as $12.50 or 20 euros."
    await hold(GIVING, FUNCTIONS, "en", [
        (START, ["How much?"]),
        ("why?", ["For the card.", "How much?"]),
        ("a lot", [refused, "How much?"]),
        ("£5", ["No pounds, please.", "How much?"]),
        ("$0", ["That value is not possible here.", "How much?"]),
        ("€1,200.50", ["€1,200.00 is too much.", "How much?"]),
        ("$12.20", ["Salary?"]),
        ("$52,000", ["$12.00 of ••••."]),
        ("give", ["Salary?"]),
        ("$52,000", ["$12.00 of ••••."]),
    ], hidden="52,000")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da una cantidad de dinero; por ejemplo, 12,50 € o 20 dólares."
    await hold(GIVING, FUNCTIONS, "es", [
        (START, ["¿Cuánto?"]),
        ("¿por qué?", ["Para la tarjeta.", "¿Cuánto?"]),
        ("mucho", [refused, "¿Cuánto?"]),
        ("0 €", ["Ese valor no es posible aquí.", "¿Cuánto?"]),
        ("1.200,50 €", ["1.200,00 € es demasiado.", "¿Cuánto?"]),
        ("12,20", ["¿Sueldo?"]),
        ("52.000 €", ["12,00 € de ••••."]),
    ], hidden="52.000")  # fmt: skip


async def test_skipped_it_takes_its_default_if_that_is_possible() -> None:
    default = GIVING.replace("1200.5", "500")
    for language, asked, salary, said in (
        ("en", "How much?", "Salary?", "¥500 of ••••."),
        ("es", "¿Cuánto?", "¿Sueldo?", "500 JPY de ••••."),
    ):
        lines = [("give", [asked]), (SkipSlot(), [salary]), ("1", [said])]
        await hold(default, FUNCTIONS, language, lines)


async def test_a_part_of_a_sensitive_amount_is_as_sensitive() -> None:
    yaml = """
    slots:
      salary: {type: money, prompt: "Salary?", sensitive: true}
    flows:
      lend:
        steps:
          - collect: salary
          - {action: judge, inputs: {income: "{{ salary }}", cents: "{{ salary.amount }}"}}
          - {collect: word, message: "{salary.amount} is {enough}. Go on?"}
    """
    judge = """
        from soni import action

        @action
        def judge(income, cents):
            return {"enough": income["amount"] == cents == 52000}
    """
    async with talking_to(yaml, judge) as talk:
        await talk.say("hi")
        assert await talk.say("$52,000") == ["•••• is yes. Go on?"]
        masked = {"income": {"amount": "••••", "currency": "••••"}, "cents": "••••"}
        assert talk.actions == [("judge", masked)]
        assert "52000" not in str({**talk.state, "flow_slots": {}})
