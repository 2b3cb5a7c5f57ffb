"""Access keys: what programs identify themselves with, and the roles that they have."""

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

KEY_PREFIX: Final = "soni_"


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key that a program was given. The key itself is kept nowhere."""

    key_id: str
    """A short name for people: it is no secret."""

    digest: str
    """The SHA-256 of the key. It is long and random, so nobody finds it by trying."""

    role: str
    label: str = ""
    created_at: float = 0.0
    expires_at: float | None = None


class Role(StrEnum):
    """What somebody may do. Everybody may talk."""

    CLIENT = "client"
    AGENT = "agent"
    AUTHOR = "author"
    ADMIN = "admin"


def make_access_key(
    role: Role, *, label: str = "", now: float, days: float | None = None
) -> tuple[str, AccessKey]:
    """A new key, and what is kept of it."""
    key_id = secrets.token_hex(4)
    key = f"{KEY_PREFIX}{key_id}_{secrets.token_urlsafe(32)}"
    expires_at = None if days is None else now + days * 86400
    return key, AccessKey(key_id, compute_digest(key), role.value, label, now, expires_at)


def compute_digest(credential: str) -> str:
    """What a store keeps in place of a key."""
    return hashlib.sha256(credential.encode()).hexdigest()
