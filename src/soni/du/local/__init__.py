"""Understanding without key and network: rules where they are sure, small models elsewhere.

A message goes from `provider` to `exact` (no model), `reader` and `clauses` (a message in parts)
and `segment` (a message as one). Below them, each importing only those after it: `acts`,
`corrections`, `intents`, `analysis` (the models) and `lexical`, then `answers`, `flows` and the
tagger's values, `values`, `words`. The contract `local` in pyproject.toml holds the order.
"""

from typing import TYPE_CHECKING

from soni.config.models import SoniConfig

if TYPE_CHECKING:
    from soni.du.local.provider import LocalNLU


def PROVIDER(config: SoniConfig) -> "LocalNLU":  # noqa: N802
    """The provider for an assistant."""
    from soni.du.local.provider import LocalNLU

    return LocalNLU.from_config(config)
