"""An e-mail address."""

from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType

# The longest that mail servers take.
_MAX_LENGTH = 254


class EmailSlot(SlotType):
    """`Ann@Example.com`, stored as `Ann@example.com`; whether it exists is not checked."""

    kind = "email"
    json_type = "string"
    dimension = "email"
    form_rank = 1

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take what may be an address by its form."""
        return self.require(_normalise_address(value))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """An address in its normal form."""
        return isinstance(stored, str) and _normalise_address(stored) == stored


def _normalise_address(value: Any) -> str | None:
    from email_validator import EmailNotValidError, validate_email

    if not isinstance(value, str) or len(value) > _MAX_LENGTH:
        return None
    try:
        return validate_email(value.strip(), check_deliverability=False).normalized
    except EmailNotValidError:
        return None


SLOT = EmailSlot()
