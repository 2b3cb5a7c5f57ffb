"""A shop with knowledge: the assistant that conversations about digressions are held with."""

SHOP = """
slots:
  size:
    type: choice
    values: [small, large]
    prompt: {en: "Which size?", es: "¿Qué tamaño?"}
    help: {en: "We cut the {dish} to size.", es: "Cortamos la {dish} a medida."}
  dish: {prompt: {en: "Which dish?", es: "¿Qué plato?"}}
  gift: {type: boolean, prompt: {en: "Is it a gift?", es: "¿Es un regalo?"}}
  pin: {prompt: "Your PIN?", sensitive: true, help: "It proves that it is you."}
  table: {prompt: "Which table?"}
  member: {scope: conversation, prompt: "Your member number?"}
flows:
  order:
    description: Order something to eat
    trigger: {examples: [order food]}
    steps:
      - collect: dish
      - collect: size
      - collect: gift
      - {confirm: {en: "Order a {size} {dish}?", es: "¿Pido una {dish} {size}?"}}
      - action: place
      - {say: {en: "Ordered.", es: "Pedido."}}
  pay:
    trigger: {examples: [pay my bill]}
    steps:
      - call: identify
      - say: "Paid."
  identify:
    description: Make sure that it is really you
    steps:
      - collect: pin
  reserve:
    description: Keep a table for you
    trigger: {examples: [reserve a table]}
    steps:
      - action: free_tables
      - {collect: table, from: tables, page_size: 2}
      - say: "Kept: {table}."
  join:
    trigger: {condition: session.adult, examples: [become a member]}
    steps:
      - collect: member
      - say: "Welcome."
actions:
  free_tables: {outputs: [tables]}
knowledge:
  - question: {en: "What does it cost?", es: "¿Cuánto cuesta?"}
    answer: {en: "Everything is ten euros.", es: "Todo cuesta diez euros."}
  - question: What does it cost?
    flow: order
    answer: "A {dish} is twelve euros."
  - question: What does it cost?
    when: session.staff
    answer: "For you, nothing, {session.name}."
  - question: {en: "Where are you?", es: "¿Dónde están?"}
    answer: {en: "In the high street.", es: "En la calle mayor."}
  - question: How many calories does the dish have?
    flow: order
    when: size == "large"
    answer: "A large {dish} has a thousand."
  - question: Is my PIN safe?
    flow: pay
    answer: "Nobody sees {pin}."
  - question: What is my member number?
    answer: "It is {member}."
"""

ACTIONS = """
from soni import action

@action
def place(dish: str, size: str) -> dict:
    return {}

@action
def free_tables() -> dict:
    return {"tables": ["by the window", "near the bar", "in the garden"]}
"""

WHERE = "In the high street."


def shop(settings: str = "") -> str:
    """The shop's YAML with more top-level keys."""
    return f"{settings}\n{SHOP}"
