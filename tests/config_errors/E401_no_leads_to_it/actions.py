from soni import action


@action
def pay(amount, account="main"):
    return {"receipt": "R-1"}
