"""An action's contract: what it takes and gives, and when it may run."""

from soni.config.base import Config


class ActionConfig(Config):
    """Optional: without a contract, the function's parameters are the inputs."""

    description: str = ""
    inputs: tuple[str, ...] | None = None
    """Slot names; a trailing `?` makes one optional. None: the function's parameters."""

    outputs: tuple[str, ...] | None = None
    """Slots it fills. None: whatever it returns."""

    repeatable: bool = False
    """May run again when an input is corrected."""

    confirm: bool = False
    """Runs only behind a confirm's yes."""
