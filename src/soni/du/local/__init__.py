"""Understanding that needs no key and no network: rules where they are sure, a model elsewhere."""

from soni.du.local.provider import LocalNLU

__all__ = ["PROVIDER", "LocalNLU"]

PROVIDER = LocalNLU.of
