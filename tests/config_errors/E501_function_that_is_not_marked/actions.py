def pay(amount):
    return {"receipt": "R-1"}
