"""The only way into a slot: coerce, normalise, check, validate, constrain, then store.

Every write uses it: commands, set steps, outputs of actions, defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import structlog

from soni.core.constants import CALLER
from soni.core.errors import Refusal, SoniError
from soni.core.expressions import ExpressionError, is_truthy, parse_expression
from soni.core.invocation import BusyError, FunctionExit, InvocationTimeout
from soni.core.masking import mask_text
from soni.core.tracebacks import format_traceback
from soni.flow.plain import make_plain
from soni.flow.values import TypedValues
from soni.flow.voice import Voice
from soni.slots import SlotEnv

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.config.slot import Constraint

_log = structlog.get_logger("soni.slots")


@dataclass(frozen=True)
class SlotWrite:
    """A value to store, and its effect on other slots."""

    value: Any
    broken: Mapping[str, str]
    """Slots whose constraint no longer holds, with its message: to be unset and asked again."""


class SlotWriter:
    """Decides what is stored in a slot."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant

    async def write(
        self,
        name: str,
        value: Any,
        values: Mapping[str, Any],
        env: SlotEnv,
        voice: Voice,
        *,
        collected: bool = False,
        coming: Mapping[str, Any] = MappingProxyType({}),
    ) -> SlotWrite:
        """The value to store beside `values`, or `Refusal`. Null is stored as it is.

        An undeclared name takes any plain data, or a string if its flow collects it. `coming` are
        values of other slots in the same message: constraints between slots are checked against
        these instead of the old values.
        """
        stored = None if value is None else await self._accept_value(name, value, env, collected)
        soon = await self._predict_values(name, coming, env)
        after = {**values, **soon, name: stored}
        reason = None if stored is None else self.find_violation(name, after, env, voice)
        if reason is not None:
            raise Refusal(text=reason)
        broken = self._find_broken_constraints(name, after, env, voice)
        return SlotWrite(stored, {slot: why for slot, why in broken.items() if slot not in soon})

    def find_violation(
        self, name: str, values: Mapping[str, Any], env: SlotEnv, voice: Voice
    ) -> str | None:
        """The message of the first constraint that a stored value violates."""
        for constraint in self._assistant.get_slot_config(name).constraints:
            if not self._is_satisfied(constraint, values, env, voice):
                return voice.render_text(constraint.message, values)
        return None

    async def _predict_values(
        self, name: str, coming: Mapping[str, Any], env: SlotEnv
    ) -> dict[str, Any]:
        """The values to be stored for other slots that share a constraint with this one."""
        expected = {}
        for other, value in coming.items():
            if other == name or value is None or not self._are_related(name, other):
                continue
            try:
                expected[other] = await self._accept_value(other, value, env, collected=True)
            except Refusal:
                continue  # refused when that slot is written, and the user is told then
        return expected

    def _are_related(self, one: str, other: str) -> bool:
        conditions = [
            parse_expression(constraint.condition).names | {name}
            for name in (one, other)
            for constraint in self._assistant.get_slot_config(name).constraints
        ]
        return any({one, other} <= names for names in conditions)

    async def _accept_value(self, name: str, value: Any, env: SlotEnv, collected: bool) -> Any:
        if not (collected or self._assistant.is_declared(name)):
            return make_plain(value)
        slot, kind = self._assistant.get_slot_config(name), self._assistant.get_slot_type(name)
        stored = kind.coerce(value, slot, env)
        if slot.normalizer is not None:
            stored = await self._normalise_value(slot.normalizer, kind.revive(stored))
            if not kind.check(stored, slot):
                stored = kind.coerce(stored, slot, env)
        if slot.validator is not None:
            secrets = (value, stored) if slot.sensitive else ()
            await self._validate_value(slot.validator, kind.revive(stored), secrets)
        return make_plain(stored)

    async def _normalise_value(self, normalizer: str, value: Any) -> Any:
        function = self._assistant.functions.normalizers[normalizer]
        try:
            return await self._call(normalizer, function, value)
        except ValueError as error:
            # Only a validator's reason is written for users.
            raise Refusal("invalid_value") from error

    async def _validate_value(self, validator: str, value: Any, secrets: tuple[Any, ...]) -> None:
        function = self._assistant.functions.validators[validator]
        try:
            valid = await self._call(validator, function, value)
        except ValueError as error:
            # The reason is said and logged; a sensitive value in it must not be.
            raise Refusal("invalid_value", text=mask_text(str(error), secrets) or None) from error
        if not valid:
            raise Refusal("invalid_value")

    async def _call(self, name: str, function: Callable[..., Any], value: Any) -> Any:
        seconds = self._assistant.config.settings.runtime.action_timeout
        try:
            return await self._assistant.invoker.invoke(partial(function, value), seconds)
        except ValueError:
            raise
        except (BusyError, FunctionExit, InvocationTimeout) as error:
            raise SoniError(f"function '{name}': {error}") from error
        except Exception as error:
            _log.debug("function_traceback", function=name, stack=format_traceback(error))
            raise

    def _find_broken_constraints(
        self, changed: str, values: Mapping[str, Any], env: SlotEnv, voice: Voice
    ) -> dict[str, str]:
        broken = {}
        for name in values:
            if name == changed or values[name] is None:
                continue
            for constraint in self._assistant.get_slot_config(name).constraints:
                concerned = changed in parse_expression(constraint.condition).names
                if concerned and not self._is_satisfied(constraint, values, env, voice):
                    broken[name] = voice.render_text(constraint.message, values)
        return broken

    def _is_satisfied(
        self, constraint: Constraint, values: Mapping[str, Any], env: SlotEnv, voice: Voice
    ) -> bool:
        condition = parse_expression(constraint.condition)
        # A constraint over an unset slot is not checked yet.
        if any(values.get(name) is None for name in condition.names - {CALLER}):
            return True
        scope = TypedValues(self._assistant, values, voice.session)
        try:
            return is_truthy(condition.evaluate(scope, env.now))
        except ExpressionError:
            return False
