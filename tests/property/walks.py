"""Random walks: what somebody says turn after turn, mostly with an eye on what was asked.

A walk is drawn as moves, which are bare intentions; the walker looks at the state and makes
events of them. Events are concrete, so a walk can be walked again exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from soni import RuntimeLoop
from soni.commands import Command
from soni.core.types import DialogueState
from soni.runtime.turn import Turn
from tests.property.acts import ACTS, Scene
from tests.property.generators import Made
from tests.talking import FrozenClock

USER = "ann"


@dataclass(frozen=True)
class Act:
    """One intention and the number that settles its details."""

    kind: str
    pick: int


@dataclass(frozen=True)
class Move:
    """What is meant to happen in one turn."""

    acts: tuple[Act, ...]
    event: str = "say"
    """`say`, `plain` (no commands: understanding reads the text), or a call of the API."""

    wait: int = 1
    """Seconds before it."""


@dataclass(frozen=True)
class Event:
    """One thing that really happened: a message or a call of the API."""

    kind: str
    text: str = ""
    commands: tuple[Any, ...] | None = None
    flow_name: str = ""
    inputs: tuple[tuple[str, Any], ...] = ()
    wait: int = 1

    def __str__(self) -> str:
        wait = f"after {self.wait} s: " if self.wait != 1 else ""
        if self.kind == "start_flow":
            return f"{wait}start_flow({self.flow_name!r}, {dict(self.inputs)!r})"
        if self.kind in ("push", "press"):
            return f"{wait}{self.kind}({self.text!r})"
        if self.kind != "say":
            return f"{wait}{self.kind}()"
        given = [_shown(command) for command in self.commands or ()]
        return f"{wait}say({self.text[:60]!r}" + "".join(f", {one}" for one in given) + ")"


def _shown(command: Any) -> str:
    if not isinstance(command, Command):
        return repr(command)
    args = command.model_dump(exclude={"type"}, exclude_defaults=True)
    return f"{command.type}({', '.join(f'{name}={value!r}' for name, value in args.items())})"


# Repeated names are likelier: most people answer, some change their mind, few are odd.
_KINDS = (
    *("go_on",) * 20, *("correct",) * 8, *("correct_elsewhere",) * 5, *("invalid",) * 2,
    *("start",) * 3, "start_another", "start_with_slots", "fill_many", "resume", "cancel",
    "skip", "affirm", "deny", "deny_slot", "clarify", "disambiguate", "chit_chat",
    "out_of_scope", "repeat_last", "set_anything",
    "nonsense",
)  # fmt: skip
# Those who correct go on otherwise, or else nothing gets done.
_CORRECTING = (
    *("go_on",) * 30, *("correct",) * 12, *("correct_elsewhere",) * 10, "start", "start_with_slots",
    "fill_many", "resume", "resume", "affirm", "deny", "deny_slot", "skip", "clarify", "cancel",
    "repeat_last", "invalid",
)  # fmt: skip
_EVENTS = (
    *("say",) * 44, *("plain",) * 2, "nothing", "start_flow", "release", "handoff", "push",
    *("press",) * 4,
)  # fmt: skip
_WAITS = (*(1,) * 60, 1801, 10**6)


def _moves_of(kinds: tuple[str, ...]) -> st.SearchStrategy[Move]:
    acts = st.builds(Act, st.sampled_from(kinds), st.integers(0, 2**12))
    return st.builds(
        Move,
        st.one_of(st.tuples(acts), st.tuples(acts), st.tuples(acts), st.tuples(acts, acts),
                  st.tuples(acts, acts, acts)),
        st.sampled_from(_EVENTS),
        st.sampled_from(_WAITS),
    )  # fmt: skip


_moves, _correcting_moves = _moves_of(_KINDS), _moves_of(_CORRECTING)
_resets = st.builds(Move, st.just(()), st.just("reset"))
_any_move = st.sampled_from((*("move",) * 80, "reset")).flatmap(
    lambda what: _resets if what == "reset" else _moves
)


@st.composite
def walks(draw: st.DrawFn, turns: int) -> list[Move]:
    """Walks of about so many turns; one that fails is shortened.

    Two in three keep changing their mind: else too few would come to a confirmation and a
    correction both.
    """
    if draw(st.sampled_from((True, True, False))):
        return draw(corrections(turns))
    likely = tuple(range(turns - 2, turns + 3)) * 20
    length = draw(st.sampled_from((*range(1, turns), *likely)))
    return [draw(_any_move) for _ in range(length)]


@st.composite
def corrections(draw: st.DrawFn, turns: int) -> list[Move]:
    """Walks that begin with a task, and change their mind about it again and again."""
    length = draw(st.sampled_from((*range(1, turns), *(turns,) * 80)))
    return [
        Move((Act("start", draw(st.integers(0, 1))),)),
        *(draw(_correcting_moves) for _ in range(length)),
    ]


def event_of(move: Move, made: Made, state: DialogueState) -> Event:
    """What the move comes to in this state."""
    scene = Scene(made, state)
    if scene.handed_off and move.event in ("say", "plain") and move.acts[0].pick % 3:
        return Event("release", wait=move.wait)
    match move.event:
        case "reset" | "release":
            return Event(move.event, wait=move.wait)
        case "start_flow":
            act = move.acts[0]
            return Event(
                "start_flow",
                flow_name=scene.any_flow(act.pick),
                inputs=tuple(scene.some_slots(act.pick).items()),
                wait=move.wait,
            )
        case "push":
            return Event("push", "News.", wait=move.wait)
        case "press" if (offered := state["metadata"].get("offered")) and not scene.handed_off:
            label = offered[move.acts[0].pick % len(offered)]["label"]
            return Event("press", label, wait=move.wait)
        case "nothing":
            return Event("say", "?" * (move.acts[0].pick % 400), (), wait=move.wait)
    acts = move.acts if move.event != "handoff" else (Act("handoff", 0), *move.acts[:1])
    commands = tuple(command for act in acts for command in ACTS[act.kind](scene, act.pick))
    if move.event == "plain" or scene.handed_off:
        # Nobody can tell a secret from other words before it was understood.
        return Event("say", scene.plainly(commands[0]), None, wait=move.wait)
    text = " and ".join(scene.words(command) for command in commands)
    return Event("say", text, commands, wait=move.wait)


def is_refused(made: Made, event: Event, state: DialogueState) -> bool:
    """Whether it is a call of the API that makes no sense now."""
    handed_off = Scene(made, state).handed_off
    if event.kind != "start_flow":
        return event.kind == "release" and not handed_off
    given = {name for name, _ in event.inputs}
    takes = made.plans[event.flow_name].asks
    return handed_off or not takes >= given >= made.demanded(event.flow_name)


class Walker:
    """Walks on one fresh runtime."""

    def __init__(self, runtime: RuntimeLoop, clock: FrozenClock) -> None:
        self.runtime = runtime
        self.clock = clock

    async def do(self, event: Event) -> Turn | None:
        """Make it happen; None for a reset."""
        self.clock.forward(seconds=event.wait)
        match event.kind:
            case "reset":
                await self.runtime.reset(USER)
                return None
            case "push":
                return await self.runtime.push(USER, event.text)
            case "press":
                return await self.runtime.press(USER, event.text, context={"vip": False})
            case "release":
                return await self.runtime.release(USER)
            case "start_flow":
                return await self.runtime.start_flow(USER, event.flow_name, dict(event.inputs))
        return await self.runtime.turn(
            event.text, USER, context={"vip": False}, commands=_given(event.commands)
        )


def _given(commands: Sequence[Any] | None) -> list[Any] | None:
    return None if commands is None else list(commands)
