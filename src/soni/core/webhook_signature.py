"""Signatures of webhooks, as Standard Webhooks version 1 describes them."""

import base64
import binascii
import hashlib
import hmac
from typing import Final

from pydantic import SecretStr

PREFIX: Final = "whsec_"
MIN_KEY_BYTES: Final = 24


def sign_webhook(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """One value of `webhook-signature`; the receiver computes the same."""
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    digest = hmac.new(_read_key(secret), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def check_webhook_secret(secret: SecretStr) -> SecretStr:
    """The secret, or `ValueError` if it is none. For the models of settings."""
    _read_key(secret.get_secret_value())
    return secret


def _read_key(secret: str) -> bytes:
    # Without the prefix nobody could say whether a text is the key or the key's base64: receivers
    # that read it the other way would refuse all signatures.
    if not secret.startswith(PREFIX):
        raise ValueError(
            f"a secret begins with `{PREFIX}`. Write that before one that you have in base64"
        )
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError(f"a secret is base64 after `{PREFIX}`") from None
    if len(key) < MIN_KEY_BYTES:
        raise ValueError(f"a secret has at least {MIN_KEY_BYTES} bytes, in base64 after `{PREFIX}`")
    return key
