"""Masking: a sensitive value in a text that is about to be stored."""

import re
from collections.abc import Iterable
from typing import Any

from soni.core.constants import MASK


def masked(text: str, secrets: Iterable[Any]) -> str:
    """The text without those values, however they are capitalised."""
    for secret in secrets:
        if secret is not None and str(secret):
            text = re.sub(re.escape(str(secret)), MASK, text, flags=re.IGNORECASE)
    return text
