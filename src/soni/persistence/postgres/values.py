"""What is stored of texts and bytes: themselves, or what the cipher makes of them."""

from base64 import b64decode, b64encode
from typing import Final

from soni.core.storage import Cipher
from soni.persistence.encryption import make_no_key_error

# What the cipher made is marked, so that encryption can be switched on at any time. No JSON starts
# with this character, and no msgpack of ours with this byte.
_MARK: Final = "~"
_MARK_BYTES: Final = b"\xc1"


class StoredValues:
    """Turns values into what is stored, and back."""

    def __init__(self, cipher: Cipher | None) -> None:
        self._cipher = cipher

    def pack_text(self, text: str) -> str:
        """The text to be stored for JSON."""
        if self._cipher is None:
            return text
        return _MARK + b64encode(self._cipher.encrypt(text.encode())).decode()

    def unpack_text(self, stored: str) -> str:
        """The JSON of a stored text."""
        if not stored.startswith(_MARK):
            return stored
        return self._require_cipher().decrypt(b64decode(stored[len(_MARK) :])).decode()

    def pack_bytes(self, content: bytes) -> bytes:
        """The bytes to be stored for a checkpoint."""
        if self._cipher is None:
            return content
        return _MARK_BYTES + self._cipher.encrypt(content)

    def unpack_bytes(self, stored: bytes) -> bytes:
        """The checkpoint of stored bytes."""
        if not stored.startswith(_MARK_BYTES):
            return stored
        return self._require_cipher().decrypt(stored[len(_MARK_BYTES) :])

    def renew_text(self, stored: str) -> str | None:
        """The same encrypted with the first key; None if it is already, or there is no key."""
        if self._cipher is None or (
            stored.startswith(_MARK) and self._cipher.is_current(b64decode(stored[len(_MARK) :]))
        ):
            return None
        return self.pack_text(self.unpack_text(stored))

    def renew_bytes(self, stored: bytes) -> bytes | None:
        """The same encrypted with the first key; None if it is already, or there is no key."""
        if self._cipher is None or (
            stored.startswith(_MARK_BYTES) and self._cipher.is_current(stored[len(_MARK_BYTES) :])
        ):
            return None
        return self.pack_bytes(self.unpack_bytes(stored))

    def _require_cipher(self) -> Cipher:
        if self._cipher is None:
            raise make_no_key_error()
        return self._cipher
