"""A shop whose tests are written into its folder."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

SHOP = """
slots:
  item: {prompt: What would you like?}
  count: {type: integer, prompt: How many?, validator: some}
  pin: {prompt: Your pin?, sensitive: true}
  city: {scope: conversation}
actions:
  order: {inputs: [item, count], outputs: [number]}
  total: {outputs: [sold]}
flows:
  buy:
    trigger: {examples: [buy something]}
    steps:
      - collect: item
      - collect: count
      - action: order
        on_error: sorry
      - say: "Order {number} for {session.name}."
        jump_to: end
      - step: sorry
        say: "No: {_error_type}, {_error_message}"
  ask:
    trigger: {examples: [how much was sold]}
    steps:
      - action: total
      - say: "{sold} so far."
  unlock:
    trigger: {examples: [unlock]}
    steps:
      - collect: pin
      - say: "{pin} it is."
      - set: {city: Rome}
      - collect: item
  checkout:
    trigger: {examples: [to the checkout]}
    steps:
      - collect: size
        message: Which size?
        ui: {type: quick_replies, options: [S, {label: Large, value: L}]}
      - confirm: "Pay for {size}, {session.name}?"
        ui: {type: buttons}
        on_no: over
      - say: Thanks.
        ui:
          type: buttons
          title: What next?
          options: [{label: Again, command: {StartFlow: {flow_name: buy}}}]
      - step: over
        say: Bye.
"""
ACTIONS = """
from soni import action, validator

SOLD = []

@action
def order(item, count, ctx):
    SOLD.append(item)
    return {"number": len(SOLD)}

@action
async def total():
    return {"sold": len(SOLD)}

@validator
def some(count):
    return count > 0
"""

Write = Callable[[str], Path]


@pytest.fixture
def shop(tmp_path: Path) -> Write:
    """Writes the text of a test file; gives the assistant's folder."""

    def write(tests: str, name: str = "tests/shop.test.yaml") -> Path:
        folder = tmp_path / "shop"
        (folder / "tests").mkdir(parents=True, exist_ok=True)
        (folder / "soni.yaml").write_text(SHOP)
        (folder / "actions.py").write_text(ACTIONS)
        (folder / name).write_text(textwrap.dedent(tests))
        return folder

    return write
