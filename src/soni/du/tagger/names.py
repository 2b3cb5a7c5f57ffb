"""Names and descriptions as the tagger reads them: words, the way people write them."""

import re
from functools import lru_cache

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")

# `city_2` is a city: a number at the end only tells two slots of one name apart.
_NUMBER = re.compile(r"(?<=\D) \d+$")


@lru_cache(maxsize=4096)
def speak_identifier(name: str) -> str:
    """`bookTable` and `book_table_2` as "book table"."""
    words = _BETWEEN.sub(" ", _HUMPS.sub(" ", name)).strip().lower()
    return _NUMBER.sub("", words)


def make_title(name: str, description: str) -> str:
    """What stands for a slot or a flow: "amount: how much to send"."""
    said = speak_identifier(name)
    return f"{said}: {description.strip()}" if description.strip() else said
