"""Masks sensitive values in what is stored or shown."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from soni.core.constants import MASK


def mask_text(text: str, secrets: Iterable[Any]) -> str:
    """The text with those values masked, in any capitalisation."""
    for secret in _iter_parts(secrets):
        if secret is not None and str(secret):
            text = _hide_secret(text, str(secret))
    return text


def mask_quotes(text: str, secrets: Iterable[Any]) -> str:
    """A text that was said with those values masked.

    A short one is masked only where it stands alone: 1 is not meant by every 15.
    """
    # Longest first: masking a short secret inside a longer one would leave the rest readable.
    known = {str(part) for part in _iter_parts(secrets) if part is not None} - {""}
    for secret in sorted(known, key=len, reverse=True):
        text = _hide_secret(text, secret, alone=len(secret) < LONG_SECRET)
    return text


def mask_quoted(value: Any, secrets: Collection[Any]) -> Any:
    """Plain data that was said, such as a text with its buttons, masked in the same way."""
    if isinstance(value, dict):
        return {key: mask_quoted(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [mask_quoted(item, secrets) for item in value]
    return mask_quotes(value, secrets) if isinstance(value, str) else value


LONG_SECRET: Final = 4
"""Characters from which on a value is hardly in a text by chance."""


def _hide_secret(text: str, secret: str, *, alone: bool = False) -> str:
    """Mask without a regular expression: `re` caches patterns, and one would hold the secret."""
    read, sought, at, parts = _fold_case(text), _fold_case(secret), 0, list[str]()
    while (found := read.find(sought, at)) >= 0:
        end = found + len(sought)
        beside = read[max(0, found - 1) : found] + read[end : end + 1]
        hidden = not alone or not any(map(str.isalnum, beside))
        parts += (text[at:found], MASK if hidden else text[found:end])
        at = end
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


def find_derived(
    state: Mapping[str, Any], secrets: Iterable[Any], sensitive: Callable[[str], bool]
) -> dict[str, list[str]]:
    """The other slots that hold a secret inside of their value, by flow; "" is the conversation.

    The values outlive the secrets, so that only the names can tell what they quote.
    """
    long = [part for part in _iter_parts(secrets) if len(str(part)) >= LONG_SECRET]
    known: Mapping[str, Collection[str]] = state["metadata"].get("derived", {})
    if not long and not known:
        return {}
    found = {
        place: sorted(
            name
            for name, value in slots.items()
            if value is not None
            and not sensitive(name)
            and (name in known.get(place, ()) or mask_value(value, long) != value)
        )
        for place, slots in _list_places(state).items()
    }
    return {place: names for place, names in found.items() if names}


def find_held_secrets(state: Mapping[str, Any], sensitive: Callable[[str], bool]) -> list[Any]:
    """The values of sensitive slots, and of those that quote one."""
    places = _list_places(state)
    quoting = [
        places[place][name]
        for place, names in state["metadata"].get("derived", {}).items()
        for name in names
        if name in places.get(place, ())
    ]
    return [*find_secrets(places.values(), sensitive), *quoting]


def _list_places(state: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {"": state["conversation_slots"], **state["flow_slots"]}


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
