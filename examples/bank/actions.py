"""What the bank can do. Its accounts live in memory: every start begins with the same ones."""

import re

from soni import ActionContext, ActionError, action, validator


class Bank:
    """Two accounts for each customer, and a numbered list of what was done."""

    def __init__(self) -> None:
        self._accounts: dict[str, dict[str, float]] = {}
        self._done: list[str] = []

    def accounts(self, customer: str) -> dict[str, float]:
        return self._accounts.setdefault(customer, {"checking": 1200, "savings": 300})

    def note(self, kind: str) -> str:
        """A reference for something that was done."""
        self._done.append(kind)
        return f"{kind}{len(self._done):04d}"


BANK = Bank()


@action
def get_balance(account: str, ctx: ActionContext) -> dict[str, float]:
    return {"balance": BANK.accounts(ctx.user_id)[account]}


@action
def transfer(recipient: str, amount: float, account: str, ctx: ActionContext) -> dict[str, str]:
    accounts = BANK.accounts(ctx.user_id)
    if accounts[account] < amount:
        raise ActionError("insufficient_funds", f"the {account} account holds too little")
    accounts[account] = round(accounts[account] - amount, 2)
    return {"reference": BANK.note("T")}


@action
def block_card(card: str, why: str) -> dict[str, str]:
    return {"reference": BANK.note("B")}


@validator
def four_digits(card: str) -> bool:
    if re.fullmatch("[0-9]{4}", card):
        return True
    raise ValueError("I need exactly four digits, such as 1234.")


@validator
def is_a_name(recipient: str) -> bool:
    if any(sign.isalpha() for sign in recipient):
        return True
    raise ValueError("I need a name.")
