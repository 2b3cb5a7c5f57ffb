from soni.decorators import action, normalizer, validator


@action
def pay(amount, account="main"): ...


@action
def search(city): ...


@validator
def is_adult(value): ...


@normalizer
def tidy(value): ...
