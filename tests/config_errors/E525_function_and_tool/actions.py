from soni import action


@action
def quote(product): ...
