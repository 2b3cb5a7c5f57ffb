"""Understanding that needs no key and no network: rules where they are sure, a model elsewhere.

A message goes from `provider` to `exact`, `reader` and `piece`. What these ask is in folders, each
importing only those behind it: `deeds`, `lexical`, then `answers`, `flows` and `tagged`, which know
nothing of each other, `values`, `words`. `mind` holds the models and stands below `deeds`; `view`,
`read` and `limits` are plain data for all.
"""

from typing import TYPE_CHECKING

from soni.config.models import SoniConfig

if TYPE_CHECKING:
    from soni.du.local.provider import LocalNLU


def PROVIDER(config: SoniConfig) -> "LocalNLU":  # noqa: N802
    """The provider for an assistant."""
    from soni.du.local.provider import LocalNLU

    return LocalNLU.of(config)
