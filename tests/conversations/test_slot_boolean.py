"""A slot of type boolean with every key, in both languages."""

from soni.commands import AffirmConfirmation, SkipSlot, StartFlow
from tests.conversations.transcript import hold

GIFT = """
settings: {collection: {max_attempts: 9}}
slots:
  paper:
    type: boolean
    description: Whether it is wrapped
    prompt: {en: "Without paper?", es: "¿Sin papel?"}
    help: {en: "Paper costs more.", es: "El papel cuesta más."}
    examples: ["yes", "no"]
    normalizer: opposite
    validator: possible
    constraints: [{if: paper or not gift, message: {en: "A gift is wrapped.", es: "Va con papel."}}]
    default: false
    required: false
    ask_before_filling: true
    scope: conversation
  gift: {type: boolean, prompt: {en: "A gift?", es: "¿Un regalo?"}}
  ill: {type: boolean, prompt: {en: "Are you ill?", es: "¿Te duele algo?"}, sensitive: true}
flows:
  order:
    trigger: {examples: [order]}
    steps:
      - collect: gift
      - collect: paper
      - collect: ill
      - say: {en: "Paper: {paper}, ill: {ill}.", es: "Papel: {paper}, enfermo: {ill}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def opposite(value):
    return not value

@validator
def possible(value):
    return isinstance(value, bool)
"""

START = StartFlow(flow_name="order", slots={"paper": True, "gift": True})


async def test_in_english() -> None:
    await hold(GIFT, FUNCTIONS, "en", [
        (START, ["Without paper?"]),
        ("why?", ["Paper costs more.", "Without paper?"]),
        ("perhaps", ["Please answer yes or no.", "Without paper?"]),
        ("yes", ["A gift is wrapped.", "Without paper?"]),
        ("no", ["Are you ill?"]),
        (AffirmConfirmation(), ["Paper: yes, ill: ••••."]),
        ("order", ["A gift?"]),
        ("no", ["Are you ill?"]),
        ("false", ["Paper: yes, ill: ••••."]),
    ])  # fmt: skip


async def test_in_spanish() -> None:
    await hold(GIFT, FUNCTIONS, "es", [
        (START, ["¿Sin papel?"]),
        ("¿por qué?", ["El papel cuesta más.", "¿Sin papel?"]),
        ("quizás", ["Por favor, responde sí o no.", "¿Sin papel?"]),
        ("sí", ["Va con papel.", "¿Sin papel?"]),
        ("no", ["¿Te duele algo?"]),
        ("verdadero", ["Papel: sí, enfermo: ••••."]),
    ])  # fmt: skip


async def test_skipped_it_takes_its_default_although_that_is_no() -> None:
    for language, asked, ill, said in (
        ("en", "Without paper?", "Are you ill?", "Paper: yes, ill: ••••."),
        ("es", "¿Sin papel?", "¿Te duele algo?", "Papel: sí, enfermo: ••••."),
    ):
        lines = [(START, [asked]), (SkipSlot(), [ill]), ("no", [said])]
        await hold(GIFT, FUNCTIONS, language, lines)
