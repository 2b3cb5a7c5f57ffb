"""Masks sensitive values in what is stored or shown."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from soni.core.constants import MASK


def mask_text(text: str, secrets: Iterable[Any]) -> str:
    """The text with those values masked, in any capitalisation."""
    for secret in _iter_parts(secrets):
        if secret is not None and str(secret):
            text = _hide_secret(text, str(secret))
    return text


def _hide_secret(text: str, secret: str) -> str:
    """Mask without a regular expression: `re` caches patterns, and one would hold the secret."""
    read, sought, at, parts = _fold_case(text), _fold_case(secret), 0, list[str]()
    while (found := read.find(sought, at)) >= 0:
        parts += (text[at:found], MASK)
        at = found + len(sought)
    return "".join((*parts, text[at:]))


def _fold_case(text: str) -> str:
    """Lower case with unchanged offsets."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)


def mask_value(
    value: Any, secrets: Collection[Any], sensitive: Callable[[str], bool] = lambda name: False
) -> Any:
    """Plain data with those values masked, also inside of longer texts.

    Values under a `sensitive` key, at any depth, are masked as well.
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
    """The scalars inside: the amount of a sensitive sum of money is sensitive too."""
    for secret in secrets:
        if isinstance(secret, dict):
            yield from _iter_parts(secret.values())
        elif isinstance(secret, list):
            yield from _iter_parts(secret)
        else:
            yield secret


def find_secrets(held: Iterable[Mapping[str, Any]], sensitive: Callable[[str], bool]) -> list[Any]:
    """The values of sensitive slots."""
    return [value for slots in held for name, value in slots.items() if sensitive(name)]


def mask_slots(
    slots: Mapping[str, Any], sensitive: Callable[[str], bool], secrets: Collection[Any] = ()
) -> dict[str, Any]:
    """Slots with sensitive values masked, and with copies of them or of `secrets` in others."""
    hidden = [*find_secrets([slots], sensitive), *secrets]
    return {
        name: MASK if sensitive(name) else mask_value(value, hidden)
        for name, value in slots.items()
    }
