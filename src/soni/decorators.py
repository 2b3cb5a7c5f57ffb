"""@action, @validator, @normalizer: they mark a function and register nothing.

The loader collects the marked functions of a module, so that assistants in one process never see
each other's functions.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import Any, Literal, TypeVar, get_args, overload

MarkKind = Literal["action", "validator", "normalizer"]
FunctionsByName = MappingProxyType[str, Callable[..., Any]]
F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "__soni_mark__"


@dataclass(frozen=True)
class FunctionMark:
    """The kind of a decorated function and its name in YAML."""

    kind: MarkKind
    name: str


@dataclass(frozen=True)
class Functions:
    """The marked functions of one assistant, by kind and name."""

    actions: FunctionsByName = field(default_factory=lambda: MappingProxyType({}))
    validators: FunctionsByName = field(default_factory=lambda: MappingProxyType({}))
    normalizers: FunctionsByName = field(default_factory=lambda: MappingProxyType({}))


@overload
def action(function: F, /) -> F: ...
@overload
def action(name: str | None = None, /) -> Callable[[F], F]: ...
def action(target: Any = None, /) -> Any:
    """Mark a function as an action: `@action` or `@action("search_flights")`.

    @action
    def get_balance(account: str) -> dict[str, Any]:
        return {"balance": bank.balance(account)}
    """
    return _mark_function("action", target)


@overload
def validator(function: F, /) -> F: ...
@overload
def validator(name: str | None = None, /) -> Callable[[F], F]: ...
def validator(target: Any = None, /) -> Any:
    """Mark a validator: takes a value, returns bool or raises `ValueError("why")`."""
    return _mark_function("validator", target)


@overload
def normalizer(function: F, /) -> F: ...
@overload
def normalizer(name: str | None = None, /) -> Callable[[F], F]: ...
def normalizer(target: Any = None, /) -> Any:
    """Mark a normalizer: takes a value, returns the value to store."""
    return _mark_function("normalizer", target)


def collect_functions(source: ModuleType | Iterable[Callable[..., Any]]) -> Functions:
    """The marked functions of a module, or of any functions given.

    Raises `ValueError` if two of a kind have the same name.
    """
    members = list(vars(source).values()) if isinstance(source, ModuleType) else list(source)
    found: dict[str, dict[str, Callable[..., Any]]] = {kind: {} for kind in get_args(MarkKind)}
    for member in members:
        mark = getattr(member, _ATTRIBUTE, None)
        if not isinstance(mark, FunctionMark):
            continue
        known = found[mark.kind].setdefault(mark.name, member)
        if known is not member:
            raise ValueError(
                f"two {mark.kind}s are named '{mark.name}': "
                f"{known.__qualname__} and {member.__qualname__}; rename one"
            )
    return Functions(
        actions=MappingProxyType(found["action"]),
        validators=MappingProxyType(found["validator"]),
        normalizers=MappingProxyType(found["normalizer"]),
    )


def _mark_function(kind: MarkKind, target: Any) -> Any:
    name = None if callable(target) else target

    def decorate(function: F) -> F:
        setattr(function, _ATTRIBUTE, FunctionMark(kind, name or function.__name__))
        return function

    return decorate(target) if callable(target) else decorate
