"""The filters a text may put behind a name: ``{name | upper}``. These and no others."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

Filter: TypeAlias = Callable[[Any, str], str]
"""From a stored value and a language to the text to show."""


def _raw(value: Any, language: str) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FILTERS: Final[Mapping[str, Filter]] = MappingProxyType(
    {
        "raw": _raw,
        # Dates are stored as ISO text, so what is stored is what is wanted.
        "iso": _raw,
        "upper": lambda value, language: _raw(value, language).upper(),
        "lower": lambda value, language: _raw(value, language).lower(),
        "title": lambda value, language: _raw(value, language).title(),
    }
)
