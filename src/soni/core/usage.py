"""What language models took in one turn, as a sum."""

from collections.abc import Mapping
from typing import Any, Final

_COUNTED: Final = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")


def sum_usage(*usages: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Calls, tokens and cost together; None: no model was asked."""
    asked = [usage for usage in usages if usage]
    if not asked:
        return None
    costs = [usage["cost"] for usage in asked if usage.get("cost") is not None]
    return {
        "model": asked[0].get("model", ""),
        **{name: sum(usage.get(name) or 0 for usage in asked) for name in _COUNTED},
        "cost": round(sum(costs), 9) if costs else None,
    }
