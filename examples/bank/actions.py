"""What the bank can do. Everything is in memory: every start begins with the same accounts.

Actions give data and never sentences: what the customer reads is in the YAML, in two languages.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from soni import ActionContext, ActionError, action, normalizer, validator

BILLS = (
    ("A-17", "Aqua Water", 42.75, 3),
    ("E-80", "Enersol", 118, 8),
    ("F-03", "Fibra Net", 35.99, 12),
    ("T-55", "Town Hall", 610, 20),
)
"""Number, company, euros, and in how many days it is due."""


@dataclass
class Customer:
    """What the bank knows about one person."""

    accounts: dict[str, float] = field(default_factory=lambda: {"checking": 1200, "savings": 300})
    cards: dict[str, str] = field(
        default_factory=lambda: {"1234": "active", "9012": "blocked", "6666": "stolen"}
    )
    payees: dict[str, str] = field(
        default_factory=lambda: {"Ann": "ES9121000418450200051332", "Bob": "GB29NWBK60161331926819"}
    )
    settled: set[str] = field(default_factory=set)
    """Numbers of bills that are paid, or will be."""

    pin: str = "2468"
    wrong_pins: int = 0


class Bank:
    """Customers, and a numbered list of what was done for them."""

    def __init__(self) -> None:
        self._customers: dict[str, Customer] = {}
        self._done: dict[str, str] = {}

    def customer(self, ctx: ActionContext) -> Customer:
        return self._customers.setdefault(ctx.user_id, Customer())

    def note(self, kind: str, ctx: ActionContext) -> str:
        """A reference for something that was done; for the same thing, the same one."""
        return self._done.setdefault(ctx.idempotency_key, f"{kind}{len(self._done) + 1:04d}")

    def withdraw(self, account: str, amount: float, ctx: ActionContext) -> None:
        accounts = self.customer(ctx).accounts
        if accounts[account] < amount:
            raise ActionError("insufficient_funds", f"the {account} account holds too little")
        accounts[account] = round(accounts[account] - amount, 2)


BANK = Bank()


@action
def get_balance(account: str, ctx: ActionContext) -> dict[str, float]:
    return {"balance": BANK.customer(ctx).accounts[account]}


@action
def check_pin(pin: str, ctx: ActionContext) -> None:
    customer = BANK.customer(ctx)
    if customer.wrong_pins < 3 and pin == customer.pin:
        customer.wrong_pins = 0
        return
    customer.wrong_pins += 1
    raise ActionError("locked" if customer.wrong_pins >= 3 else "wrong_pin")


@action
def find_payee(recipient: str, ctx: ActionContext) -> dict[str, str]:
    payees = BANK.customer(ctx).payees
    if recipient not in payees:
        raise ActionError("unknown_payee", f"nobody is saved as {recipient}")
    return {"iban": payees[recipient]}


@action
def save_payee(recipient: str, iban: str, ctx: ActionContext, email: str | None = None) -> None:
    BANK.customer(ctx).payees[recipient] = iban


@action
def get_payees(ctx: ActionContext) -> dict[str, list[str]]:
    return {"payees": sorted(BANK.customer(ctx).payees)}


@action
def transfer(
    recipient: str, iban: str, amount: float, account: str, ctx: ActionContext
) -> dict[str, str]:
    BANK.withdraw(account, amount, ctx)
    return {"reference": BANK.note("T", ctx)}


@action
def find_card(card: str, ctx: ActionContext) -> dict[str, str]:
    cards = BANK.customer(ctx).cards
    if card not in cards:
        raise ActionError("unknown_card", f"there is no card {card}")
    return {"card_state": cards[card]}


@action
def block_card(card: str, why: str, ctx: ActionContext) -> dict[str, str]:
    BANK.customer(ctx).cards[card] = "stolen" if why == "stolen" else "blocked"
    return {"reference": BANK.note("B", ctx)}


@action
def unblock_card(card: str, ctx: ActionContext) -> None:
    BANK.customer(ctx).cards[card] = "active"


@action
def order_card(card: str, delivery: str, today: date) -> dict[str, date]:
    return {"arrival": today + timedelta(days=5 if delivery == "home" else 3)}


@action
def get_bills(today: date, ctx: ActionContext) -> dict[str, list[dict[str, Any]]]:
    settled = BANK.customer(ctx).settled
    open_bills = [
        {"number": number, "company": company, "amount": amount, "due": today + timedelta(days)}
        for number, company, amount, days in BILLS
        if number not in settled
    ]
    return {"bills": open_bills}


@action
def pay_bill(bill: dict[str, Any], account: str, ctx: ActionContext) -> dict[str, str]:
    BANK.withdraw(account, bill["amount"], ctx)
    BANK.customer(ctx).settled.add(bill["number"])
    return {"reference": BANK.note("P", ctx)}


@action
def schedule_bill(
    bill: dict[str, Any], account: str, pay_on: date, ctx: ActionContext
) -> dict[str, str]:
    BANK.customer(ctx).settled.add(bill["number"])
    return {"reference": BANK.note("S", ctx)}


@action
def open_ticket(queue: str, reason: str, summary: str, slots: dict[str, Any]) -> None:
    """A real bank would tell its call centre; sensitive slots come masked."""


@normalizer
def digits_only(said: str) -> str:
    return re.sub("[^0-9]", "", said)


@normalizer
def tidy_name(said: str) -> str:
    name = " ".join(said.split())
    return name.title() if name.islower() else name


@normalizer
def compact(iban: str) -> str:
    return re.sub("[^0-9A-Z]", "", iban.upper())


@validator
def is_a_name(recipient: str) -> bool:
    return any(sign.isalpha() for sign in recipient)


@validator
def is_an_iban(iban: str) -> bool:
    """Two letters, two check digits, and a remainder that tells most typing mistakes."""
    if not re.fullmatch("[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}", iban):
        return False
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1
