"""The Python side of a generated assistant: marked functions that do as they were told to.

Every run of a walk gets functions of its own, so that a second run meets the same behaviour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni import ActionError, NeedSlot, action, normalizer, validator

OUTPUT = "receipt"
COPY = "copy"


@dataclass(frozen=True)
class Call:
    """One time that a function was really called."""

    action: str
    flow_id: str
    step: str
    visit: str
    outcome: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.action, self.flow_id, self.step, self.visit


def marked(behaviours: Mapping[str, Sequence[str]], calls: list[Call]) -> list[Callable[..., Any]]:
    """The assistant's functions; what is called is written to `calls`."""
    actions = [_action(name, told, calls) for name, told in behaviours.items()]
    return [*actions, short, trimmed]


@validator
def short(value: Any) -> bool:
    if str(value) == "Ann":
        raise ValueError("not for Ann")
    return len(str(value)) < 40


@normalizer
async def trimmed(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def echoing(names: Sequence[str], fails: str, calls: list[Call]) -> list[Callable[..., Any]]:
    """Actions that hand out what they are given; but the one that always fails."""

    def echo(name: str) -> Callable[..., Any]:
        @action(name)
        async def act(value: Any, ctx: Any) -> Any:
            calls.append(_called(name, ctx, "fails" if name == fails else "works"))
            if name == fails:
                raise ActionError("declined", "not today")
            return {COPY: value}

        return act

    return [echo(name) for name in names]


def _called(name: str, ctx: Any, outcome: str) -> Call:
    # A handoff belongs to no flow: its key is shorter. One of several at once has a longer one.
    key = ctx.idempotency_key.split("/")
    flow_id, step, *visit = key[1:] if len(key) > 3 else key
    return Call(name, flow_id, step, "/".join(visit), outcome)


def _action(name: str, told: Sequence[str], calls: list[Call]) -> Callable[..., Any]:
    def act(ctx: Any, given: dict[str, Any]) -> Any:
        outcome = told[sum(call.action == name for call in calls) % len(told)]
        calls.append(_called(name, ctx, outcome))
        return _outcome(outcome, ctx, given)

    @action(name)
    async def in_the_loop(ctx: Any, **given: Any) -> Any:
        return act(ctx, given)

    @action(name)
    def in_a_thread(ctx: Any, **given: Any) -> Any:
        return act(ctx, given)

    return in_a_thread if len(told) == 1 else in_the_loop


def _outcome(outcome: str, ctx: Any, given: dict[str, Any]) -> Any:
    if outcome.startswith("need "):
        raise NeedSlot(outcome.removeprefix("need "))
    match outcome:
        case "fails":
            raise ActionError("declined", "not today")
        case "crashes":
            raise RuntimeError("out of order")
        case "says":
            ctx.say("Working on it.")
        case "returns too little":
            return {}
        case "returns nonsense":
            return {OUTPUT: object()}
        case "returns a list":
            return {OUTPUT: [sorted(given), {"deep": 1.5}]}
    return {OUTPUT: len(given)}
