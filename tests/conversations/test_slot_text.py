"""A slot of type text with every key, in both languages."""

from soni.commands import SetSlot, SkipSlot, StartFlow
from tests.conversations.transcript import hold

COMPLAINT = """
settings: {collection: {max_attempts: 9}, limits: {max_message_chars: 20000}}
slots:
  story:
    type: text
    description: What happened, over several lines
    prompt: {en: "What happened?", es: "¿Qué pasó?"}
    help: {en: "So that we can help.", es: "Para poder ayudarte."}
    examples: ["It broke.\\nThen it burnt."]
    normalizer: calm
    validator: polite
    constraints: [{if: len(story) > 3, message: {en: "A little more?", es: "¿Algo más?"}}]
    default: nothing to say
    required: false
    ask_before_filling: true
    scope: conversation
  proof: {type: text, prompt: {en: "Proof?", es: "¿Prueba?"}, sensitive: true}
flows:
  complain:
    trigger: {examples: [complain]}
    steps:
      - collect: story
      - collect: proof
      - say: {en: "{story}\\nProof: {proof}", es: "{story}\\nPrueba: {proof}"}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def calm(value):
    return value.rstrip("!")

@validator
def polite(value):
    if "damn" in value:
        raise ValueError("Without swearing, please.")
    return True
"""

START = StartFlow(flow_name="complain", slots={"story": "It broke."})
LINES = SetSlot(slot_name="story", value="It broke.\nThen it burnt!!")


async def test_in_english() -> None:
    await hold(COMPLAINT, FUNCTIONS, "en", [
        (START, ["What happened?"]),
        ("why?", ["So that we can help.", "What happened?"]),
        (SetSlot(slot_name="story", value=True), ["Please answer with text.", "What happened?"]),
        ("damn thing", ["Without swearing, please.", "What happened?"]),
        ("Oh!", ["A little more?", "What happened?"]),
        ("a" * 10001, ["That is too long; please use at most 10000 characters.",
                       "What happened?"]),
        (LINES, ["Proof?"]),
        ("my photo", ["It broke.\nThen it burnt\nProof: ••••"]),
        ("complain", ["Proof?"]),
        ("my photo", ["It broke.\nThen it burnt\nProof: ••••"]),
    ], hidden="my photo")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(COMPLAINT, FUNCTIONS, "es", [
        (START, ["¿Qué pasó?"]),
        ("¿por qué?", ["Para poder ayudarte.", "¿Qué pasó?"]),
        (SetSlot(slot_name="story", value=True), ["Por favor, responde con texto.", "¿Qué pasó?"]),
        ("Oh!", ["¿Algo más?", "¿Qué pasó?"]),
        ("a" * 10001, ["Es demasiado largo; usa como mucho 10000 caracteres.", "¿Qué pasó?"]),
        (LINES, ["¿Prueba?"]),
        ("mi foto", ["It broke.\nThen it burnt\nPrueba: ••••"]),
    ], hidden="mi foto")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    await hold(COMPLAINT, FUNCTIONS, "en", [
        ("complain", ["What happened?"]),
        (SkipSlot(), ["Proof?"]),
        ("x", ["nothing to say\nProof: ••••"]),
    ])  # fmt: skip
