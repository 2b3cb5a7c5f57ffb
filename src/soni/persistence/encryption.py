"""Encryption of what stores write: AES-256 in GCM, under keys that can be changed."""

import base64
import binascii
import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

from langgraph.checkpoint.serde.base import SerializerProtocol

from soni.core.storage import Cipher
from soni.core.storage_errors import StorageError

KEY_SIZE: Final = 32
ENCODING: Final = "encrypted"
"""How a checkpoint says that it is encrypted, in place of its own encoding."""

_SETTING: Final = "settings.persistence.encryption_key"
_FORMAT, _ID_SIZE, _NONCE_SIZE = b"\x01", 4, 12
_LONE: Final = "surrogatepass"
"""Broken clients send halves of signs."""

_HEAD_SIZE: Final = len(_FORMAT) + _ID_SIZE


def make_key() -> str:
    """A new key, as it is written in the settings."""
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_SIZE)).decode()


def make_cipher(keys: Sequence[str]) -> Cipher | None:
    """A cipher that encrypts with the first key and decrypts with any; None without keys."""
    return KeyRing([_decode_key(key) for key in keys]) if keys else None


class KeyRing:
    """Keys by their ids. An encrypted text begins with the id of its key."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        seal = _load_aes_gcm()
        self._keys = {_identify_key(key): seal(key) for key in reversed(keys)}
        self._head = _FORMAT + _identify_key(keys[0])

    def encrypt(self, content: bytes) -> bytes:
        """Encrypt with the first key."""
        nonce = secrets.token_bytes(_NONCE_SIZE)
        sealed: bytes = self._keys[self._head[1:]].encrypt(nonce, content, self._head)
        return self._head + nonce + sealed

    def decrypt(self, content: bytes) -> bytes:
        """Decrypt with the key it was encrypted with, or say that it is not there."""
        head, nonce = content[:_HEAD_SIZE], content[_HEAD_SIZE : _HEAD_SIZE + _NONCE_SIZE]
        key = self._keys.get(head[1:])
        if head[:1] != _FORMAT or key is None:
            raise StorageError(
                "What is stored was encrypted with a key that is not given. Add that key to "
                "settings.persistence.encryption_keys, after the one in use."
            )
        from cryptography.exceptions import InvalidTag

        try:
            plain: bytes = key.decrypt(nonce, content[_HEAD_SIZE + _NONCE_SIZE :], head)
        except (InvalidTag, ValueError) as error:
            raise StorageError(
                "What is stored was changed since it was encrypted, so it cannot be read. "
                "Restore it from a backup."
            ) from error
        return plain

    def is_current(self, content: bytes) -> bool:
        """Whether it was encrypted with the first key."""
        return content.startswith(self._head)


class Seal:
    """Texts as a store writes them: bytes with a cipher, and as they are without."""

    def __init__(self, cipher: Cipher | None) -> None:
        self.cipher = cipher

    def close(self, text: str) -> str | bytes:
        """The text, to be stored."""
        return text if self.cipher is None else self.cipher.encrypt(_to_bytes(text))

    def open(self, stored: str | bytes) -> str:
        """What was stored, as a text. Texts from before there was a key are read as they are."""
        return stored if isinstance(stored, str) else self._decrypt(stored).decode("utf-8", _LONE)

    def renew(self, stored: str | bytes) -> bytes | None:
        """The same encrypted with the first key; None if it is already, or there is no key."""
        if self.cipher is None or (isinstance(stored, bytes) and self.cipher.is_current(stored)):
            return None
        return self.cipher.encrypt(_to_bytes(self.open(stored)))

    def _decrypt(self, stored: bytes) -> bytes:
        if self.cipher is None:
            raise make_no_key_error()
        return self.cipher.decrypt(stored)


class SealedSerializer:
    """Encrypts what another serializer makes, if there is a cipher."""

    def __init__(self, inner: SerializerProtocol, cipher: Cipher | None) -> None:
        self._inner = inner
        self._cipher = cipher

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """The kind of encoding, and the bytes."""
        encoding, content = self._inner.dumps_typed(obj)
        if self._cipher is None:
            return encoding, content
        return ENCODING, self._cipher.encrypt(_join_parts(encoding, content))

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value that was dumped."""
        encoding, content = data
        if encoding != ENCODING:
            return self._inner.loads_typed(data)
        if self._cipher is None:
            raise make_no_key_error()
        return self._inner.loads_typed(_split_parts(self._cipher.decrypt(content)))

    def renew(self, encoding: str, content: bytes) -> tuple[str, bytes] | None:
        """The same encrypted with the first key; None if it is already, or there is no key."""
        if self._cipher is None:
            return None
        if encoding != ENCODING:
            return ENCODING, self._cipher.encrypt(_join_parts(encoding, content))
        if self._cipher.is_current(content):
            return None
        return ENCODING, self._cipher.encrypt(self._cipher.decrypt(content))


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", _LONE)


def _join_parts(encoding: str, content: bytes) -> bytes:
    return encoding.encode() + b"\0" + content


def _split_parts(packed: bytes) -> tuple[str, bytes]:
    encoding, _, content = packed.partition(b"\0")
    return encoding.decode(), content


def _identify_key(key: bytes) -> bytes:
    """An id that tells nothing of the key."""
    return sha256(b"soni encryption key" + key).digest()[:_ID_SIZE]


def _decode_key(key: str) -> bytes:
    try:
        decoded = base64.urlsafe_b64decode(key.strip())
    except (binascii.Error, ValueError):
        decoded = b""
    if len(decoded) != KEY_SIZE:
        # The key itself is not shown.
        raise StorageError(
            f"{_SETTING}: this is no key of {KEY_SIZE} bytes in base64. Make one with "
            "`soni keys new encryption`."
        )
    return decoded


def _load_aes_gcm() -> Callable[[bytes], Any]:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise StorageError(
            f"{_SETTING} needs the library cryptography. Install it with "
            "`pip install 'soni[encryption]'`, or remove the setting."
        ) from error
    return AESGCM


def make_no_key_error() -> StorageError:
    """The error where something encrypted is read without any key."""
    return StorageError(
        f"What is stored is encrypted, and no key is given. Set {_SETTING}, usually by the "
        "environment: SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY."
    )
