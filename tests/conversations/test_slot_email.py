"""A slot of type email with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

NEWS = """
settings: {collection: {max_attempts: 9}}
slots:
  mail:
    type: email
    description: Where the news go
    prompt: {en: "Your e-mail?", es: "¿Tu correo?"}
    help: {en: "For the news.", es: "Para las noticias."}
    examples: [ann@example.com]
    normalizer: lower
    validator: ours
    constraints:
      - {if: "mail != other", message: {en: "{mail} again?", es: "¿Otra vez {mail}?"}}
    default: desk@example.com
    required: false
    ask_before_filling: true
    scope: conversation
  other: {type: email}
  private: {type: email, prompt: {en: "Another one?", es: "¿Otro?"}, sensitive: true}
flows:
  join:
    trigger: {examples: [join]}
    steps:
      - set: {other: bob@example.com}
      - collect: mail
      - collect: private
      - say: {en: "{mail} and {private}.", es: "{mail} y {private}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def lower(value):
    return value.lower()

@validator
def ours(value):
    if value.endswith("@spam.example.com"):
        raise ValueError("Not that one.")
    return value.endswith(".com")
"""

START = StartFlow(flow_name="join", slots={"mail": "ann@example.com"})


async def test_in_english() -> None:
    refused = "Please give an e-mail address, such as ann@example.com."
    await hold(NEWS, FUNCTIONS, "en", [
        (START, ["Your e-mail?"]),
        ("why?", ["For the news.", "Your e-mail?"]),
        ("ann at home", [refused, "Your e-mail?"]),
        ("ann@spam.example.com", ["Not that one.", "Your e-mail?"]),
        ("ann@example.org", ["That value is not possible here.", "Your e-mail?"]),
        ("Bob@Example.com", ["bob@example.com again?", "Your e-mail?"]),
        ("Ann@Example.COM", ["Another one?"]),
        ("secret@example.com", ["ann@example.com and ••••."]),
        ("join", ["Another one?"]),
        ("secret@example.com", ["ann@example.com and ••••."]),
    ], hidden="secret@")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da una dirección de correo; por ejemplo, ana@example.com."
    await hold(NEWS, FUNCTIONS, "es", [
        (START, ["¿Tu correo?"]),
        ("¿por qué?", ["Para las noticias.", "¿Tu correo?"]),
        ("en casa", [refused, "¿Tu correo?"]),
        ("ana@example.org", ["Ese valor no es posible aquí.", "¿Tu correo?"]),
        ("bob@example.com", ["¿Otra vez bob@example.com?", "¿Tu correo?"]),
        ("ana@example.com", ["¿Otro?"]),
        ("secreto@example.com", ["ana@example.com y ••••."]),
    ], hidden="secreto@")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    await hold(NEWS, FUNCTIONS, "en", [
        ("join", ["Your e-mail?"]),
        (SkipSlot(), ["Another one?"]),
        ("secret@example.com", ["desk@example.com and ••••."]),
    ])  # fmt: skip
