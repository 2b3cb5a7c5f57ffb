"""Replacing what actions do, for one test, in a copy of the assistant."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from soni.config.modules import load_functions
from soni.config.soni_config import SoniConfig
from soni.core.errors import ActionError


def with_stubs(config: SoniConfig, stubs: Mapping[str, Any]) -> SoniConfig:
    """The assistant with functions of its own: stubs where there are any, the rest anew.

    The module is executed anew so that what one test leaves in it is not there in the next.
    """
    functions = load_functions(config.folder) if config.folder else config.functions
    actions = {
        name: _stub(function, stubs[name]) if name in stubs else function
        for name, function in functions.actions.items()
    }
    return config.with_functions(
        [*actions.values(), *functions.validators.values(), *functions.normalizers.values()]
    )


def error_of(stub: Any) -> ActionError | None:
    """The error a stub raises, if it is `{error: type}`, perhaps with a `message`."""
    if not isinstance(stub, Mapping) or not {"error"} <= stub.keys() <= {"error", "message"}:
        return None
    return ActionError(str(stub["error"]), str(stub.get("message") or ""))


def _stub(function: Callable[..., Any], result: Any) -> Callable[..., Any]:
    # Wrapped, it keeps the action's name and parameters: the flow must not see a difference.
    @wraps(function)
    async def stub(**given: Any) -> Any:
        error = error_of(result)
        if error is not None:
            raise error
        return result

    return stub
