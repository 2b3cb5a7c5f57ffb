"""Masking: sensitive values in what is about to be stored or shown."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from soni.core.constants import MASK


def mask_text(text: str, secrets: Iterable[Any]) -> str:
    """The text without those values, however they are capitalised."""
    for secret in _iter_parts(secrets):
        if secret is not None and str(secret):
            text = _hide_secret(text, str(secret))
    return text


def _hide_secret(text: str, secret: str) -> str:
    """Without an expression: Python keeps the last ones, and the secret would be in it."""
    read, sought, at, parts = _fold_case(text), _fold_case(secret), 0, list[str]()
    while (found := read.find(sought, at)) >= 0:
        parts += (text[at:found], MASK)
        at = found + len(sought)
    return "".join((*parts, text[at:]))


def _fold_case(text: str) -> str:
    """In small letters, each where it was."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)


def mask_value(
    value: Any, secrets: Collection[Any], sensitive: Callable[[str], bool] = lambda name: False
) -> Any:
    """Plain data without those values, also where they are part of something larger.

    What has a `sensitive` name in it, at any depth, is masked as well.
    """
    if isinstance(value, dict):
        return {
            key: MASK
            if item is not None and sensitive(key)
            else mask_value(item, secrets, sensitive)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [mask_value(item, secrets, sensitive) for item in value]
    if isinstance(value, str):
        return mask_text(value, secrets)
    return MASK if value is not None and value in list(_iter_parts(secrets)) else value


def _iter_parts(secrets: Iterable[Any]) -> Iterator[Any]:
    """The values themselves: an amount is as secret as the money that holds it."""
    for secret in secrets:
        if isinstance(secret, dict):
            yield from _iter_parts(secret.values())
        elif isinstance(secret, list):
            yield from _iter_parts(secret)
        else:
            yield secret


def secrets_in(held: Iterable[Mapping[str, Any]], sensitive: Callable[[str], bool]) -> list[Any]:
    """The values of sensitive slots."""
    return [value for slots in held for name, value in slots.items() if sensitive(name)]


def mask_slots(
    slots: Mapping[str, Any], sensitive: Callable[[str], bool], secrets: Collection[Any] = ()
) -> dict[str, Any]:
    """Slots without sensitive values, nor copies of them, or of other `secrets`, in others."""
    hidden = [*secrets_in([slots], sensitive), *secrets]
    return {
        name: MASK if sensitive(name) else mask_value(value, hidden)
        for name, value in slots.items()
    }
