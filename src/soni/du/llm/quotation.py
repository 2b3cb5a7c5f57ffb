"""Quotation: whatever somebody said or a system found, as data that a prompt can hold."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

_TOKEN: Final = re.compile(r"<(?=[^\W\d_]|[/|\uff5c])|\[(?=/?[A-Z_]{2,}\])")
"""How marks of chat templates begin: `<|im_end|>`, `</s>`, `[INST]`."""


def quotation(value: Any, default: Callable[[Any], Any] = str) -> str:
    """JSON, in which nothing ends the quotes, nor looks like the end of a message.

    Some servers read the marks of their template wherever they stand, so their first sign is
    written by its number: to whoever reads the JSON it is the same.
    """
    text = json.dumps(value, ensure_ascii=False, default=default)
    return _TOKEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
