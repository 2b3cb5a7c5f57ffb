"""A slot of type list with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

SHOPPING = """
settings: {collection: {max_attempts: 9}}
slots:
  things:
    type: list
    description: What is bought
    prompt: {en: "What do you need?", es: "¿Qué necesitas?"}
    help: {en: "I pack it.", es: "Lo preparo."}
    examples: ["bread, milk and eggs"]
    normalizer: once
    validator: sold
    constraints:
      - {if: len(things) <= 3, message: {en: "{things} is too much.", es: "{things} es mucho."}}
    default: [water, salt]
    required: false
    ask_before_filling: true
    scope: conversation
  pills: {type: list, prompt: {en: "Which pills?", es: "¿Qué pastillas?"}, sensitive: true}
flows:
  shop:
    trigger: {examples: [shop]}
    steps:
      - collect: things
      - collect: pills
      - say: {en: "{things}, {pills}.", es: "{things}, {pills}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def once(value):
    return list(dict.fromkeys(value))

@validator
def sold(value):
    if "beer" in value:
        raise ValueError("No beer here.")
    return "gin" not in value
"""

START = StartFlow(flow_name="shop", slots={"things": ["tea"]})


async def test_in_english() -> None:
    refused = "Please give a list of at most 100 items, such as bread, milk and eggs."
    await hold(SHOPPING, FUNCTIONS, "en", [
        (START, ["What do you need?"]),
        ("why?", ["I pack it.", "What do you need?"]),
        (",", [refused, "What do you need?"]),
        ("ham and beer", ["No beer here.", "What do you need?"]),
        ("gin", ["That value is not possible here.", "What do you need?"]),
        ("a, b, c and d", ["a, b, c and d is too much.", "What do you need?"]),
        ("tea, milk, tea and ham", ["Which pills?"]),
        ("zopiclone, aspirin", ["tea, milk and ham, ••••."]),
        ("shop", ["Which pills?"]),
        ("zopiclone", ["tea, milk and ham, ••••."]),
    ], hidden="zopiclone")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da una lista de 100 elementos como mucho; por ejemplo, pan, leche y huevos."
    await hold(SHOPPING, FUNCTIONS, "es", [
        (START, ["¿Qué necesitas?"]),
        ("¿por qué?", ["Lo preparo.", "¿Qué necesitas?"]),
        (",", [refused, "¿Qué necesitas?"]),
        ("gin", ["Ese valor no es posible aquí.", "¿Qué necesitas?"]),
        ("a, b, c y d", ["a, b, c y d es mucho.", "¿Qué necesitas?"]),
        ("pan y leche", ["¿Qué pastillas?"]),
        ("zopiclona", ["pan y leche, ••••."]),
    ], hidden="zopiclona")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    for language, asked, pills, said in (
        ("en", "What do you need?", "Which pills?", "water and salt, ••••."),
        ("es", "¿Qué necesitas?", "¿Qué pastillas?", "water y salt, ••••."),
    ):
        lines = [("shop", [asked]), (SkipSlot(), [pills]), ("none", [said])]
        await hold(SHOPPING, FUNCTIONS, language, lines)
