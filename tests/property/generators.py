"""Random assistants that a loader would accept, as models with real functions behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from soni import ConfigError
from soni.config.assistant import Assistant
from soni.config.checks import refuse_unsound
from soni.config.checks.calls import fills_own_input
from soni.config.models import ActionConfig, Constraint, SlotConfig, SoniConfig
from soni.config.plan import FlowPlan
from tests.property.flows import FLOW_NAMES, SECRET, SLOTS, USED, flow
from tests.property.functions import OUTPUT, Call, marked
from tests.property.mending import mend
from tests.property.values import CHOICES

Draw = st.DrawFn

_CONSTRAINTS = {
    "city": "len(city) < 20",
    "count": "count < 50",
    "price": "price >= count",
    "agreed": "agreed or count > 0",
    "size": "size == 'small' or price > 0",
    "day": "day >= today()",
    "pin": "pin != city",
}
_PLAIN_OUTCOMES = ("works", "works", "works", "works", "says", "fails", "crashes")
_OUTCOMES = (
    *_PLAIN_OUTCOMES, "works", "works", "returns too little", "returns nonsense", "returns a list",
    "need city", "need count", "need pin", "need nothing_declared",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Made:
    """A generated assistant, without the functions: each run makes its own."""

    config: SoniConfig
    behaviours: dict[str, tuple[str, ...]]

    def ready(self, calls: list[Call]) -> SoniConfig:
        """The assistant as a runtime takes it; what its actions do is written to `calls`."""
        return self.config.with_functions(marked(self.behaviours, calls))

    @cached_property
    def plans(self) -> Mapping[str, FlowPlan]:
        """The flows with their targets resolved."""
        return Assistant(self.config).plans

    @cached_property
    def said(self) -> list[str]:
        """The slots that people speak of."""
        return list(self.config.slots)

    def demanded(self, flow_name: str) -> set[str]:
        """The inputs that only the application can give."""
        assistant = Assistant(self.config)
        return {
            name
            for name, given in self.config.flows[flow_name].inputs.items()
            if given.required
            and given.source is None
            and assistant.get_slot_config(name).scope != "conversation"
            and not fills_own_input(assistant, flow_name, name)
        }

    def sensitive(self, slot: str) -> bool:
        return slot in self.config.slots and self.config.slots[slot].sensitive

    def story(self) -> str:
        """The assistant as somebody would write it, for the report of a failure."""
        written = self.config.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        lines = [f"behaviours: {self.behaviours}"]
        for part in [part for part in written if part != "flows"]:
            lines += [f"{part}:", *(f"  {name}: {value}" for name, value in written[part].items())]
        for name, made in self.config.flows.items():
            own = made.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            steps = own.pop("steps")
            lines += [f"flow {name}: {own}"]
            lines += [
                f"  - {step.type} {text}" for step, text in zip(made.steps, steps, strict=True)
            ]
        return "\n".join(["Assistant:", *(f"  {line}" for line in lines)])

    def __repr__(self) -> str:
        return f"<assistant with {len(self.config.flows)} flows>"


@st.composite
def assistants(draw: Draw) -> Made:
    """One to four flows over a few slots of every type."""
    names = FLOW_NAMES[: draw(st.sampled_from((1, 2, 3, 2, 3, 4)))]
    flows: dict[str, Any] = {}
    for name in names:
        flows[name] = draw(flow(flows))
    written = {
        "settings": draw(_settings(names)),
        "slots": {name: draw(_slot(name, kind)) for name, kind in SLOTS.items()},
        "actions": {name: draw(_contract(name)) for name in _ACTIONS},
        "flows": flows,
        "responses": {"welcome": "Welcome."} if _rarely(draw) else {},
        "conversation_patterns": draw(_patterns()),
    }
    behaviours = {name: draw(_behaviour(name)) for name in _ACTIONS}
    functions = marked(behaviours, [])
    for _ in range(6):
        made = Made(SoniConfig.model_validate(written), behaviours)
        try:
            refuse_unsound(made.config.with_functions(functions))
        except ConfigError as mistakes:
            mend(written, mistakes.problems)
        else:
            return made
    reject()


# name -> (repeatable, only behind a yes)
_ACTIONS = {
    "lookup": (True, False),
    "record": (False, False),
    "pay": (False, True),
    "renew": (True, True),
    "announce": (False, False),
}


@st.composite
def _slot(draw: Draw, name: str, kind: str) -> SlotConfig:
    optional = _sometimes(draw)
    rules = [Constraint(condition=_CONSTRAINTS[name], message=f"Not {{{name}}} here.")]
    # Another type for the slot that is most often secret: secrets of each type must stay hidden.
    kind = draw(st.sampled_from(("string", "integer", "number", "date"))) if name == "pin" else kind
    return SlotConfig(
        type=kind,
        prompt=f"Which {name}?",
        help="Because it matters." if _sometimes(draw) else None,
        values=CHOICES if kind == "choice" else {},
        validator="short" if _rarely(draw) else None,
        normalizer="trimmed" if kind in ("string", "choice") and _rarely(draw) else None,
        constraints=rules if _sometimes(draw) else (),
        default=_DEFAULTS[kind] if optional and draw(st.booleans()) else None,
        required=not optional,
        sensitive=name in SECRET and draw(st.booleans()),
        ask_before_filling=_rarely(draw),
        scope="conversation" if _sometimes(draw) else "flow",
    )


_DEFAULTS = {
    "string": "", "integer": 0, "number": 1.5, "boolean": False, "choice": "small",
    "date": "2026-05-01",
}  # fmt: skip


@st.composite
def _contract(draw: Draw, name: str) -> ActionConfig:
    repeatable, confirm = _ACTIONS[name]
    if name == "announce":
        return ActionConfig(inputs=("queue", "reason"))
    inputs = draw(st.lists(st.sampled_from((*USED * 2, *SLOTS)), max_size=2, unique=True))
    return ActionConfig(
        inputs=tuple(f"{slot}?" if _sometimes(draw) else slot for slot in inputs),
        outputs=(OUTPUT,) if draw(st.booleans()) else None,
        repeatable=repeatable,
        confirm=confirm,
    )


@st.composite
def _behaviour(draw: Draw, name: str) -> tuple[str, ...]:
    outcomes = _PLAIN_OUTCOMES if _ACTIONS[name][1] else _OUTCOMES
    return tuple(draw(st.lists(st.sampled_from(outcomes), min_size=1, max_size=3)))


@st.composite
def _settings(draw: Draw, flows: tuple[str, ...]) -> dict[str, Any]:
    one_of = st.sampled_from((None, None, None, *flows))
    fallback = draw(one_of)
    return {
        "language": draw(st.sampled_from(("en", "en", "es"))),
        "flow_management": {
            "max_stack_depth": draw(st.sampled_from((2, 3, 1, 3))),
            "on_limit_reached": draw(st.sampled_from(("cancel_oldest", "reject_new", "ask_user"))),
        },
        "memory_management": {
            "max_completed_flows": draw(st.integers(0, 3)),
            "max_history_messages": draw(st.sampled_from((0, 4, 12))),
            "max_trace_events": draw(st.sampled_from((0, 10, 20))),
            "max_logged_commands": draw(st.sampled_from((16, 24))),
        },
        "runtime": {"max_step_executions": draw(st.integers(3, 8))},
        "conversation": {
            "default_flow": draw(one_of),
            "fallback_flow": fallback,
            "on_no_progress": "fallback" if fallback is not None else "handoff",
            "max_turns_without_progress": draw(st.integers(2, 5)),
            "session_timeout": 1800,
        },
        "collection": {"max_attempts": draw(st.integers(2, 4))},
        "handoff": {"default_queue": "desk", "action": "announce" if _sometimes(draw) else None},
        "limits": {"max_message_chars": 300},
    }


@st.composite
def _patterns(draw: Draw) -> dict[str, Any]:
    return {
        "correction": {"enabled": not _rarely(draw), "acknowledge": not _sometimes(draw)},
        "clarification": {
            "enabled": not _rarely(draw),
            "max_depth": draw(st.integers(1, 3)),
            "fallback": draw(st.sampled_from(("none", "cancel", "handoff"))),
        },
        "cancellation": {
            "enabled": not _rarely(draw),
            "confirm_before_cancel": draw(st.booleans()),
        },
        "confirmation": {"max_retries": draw(st.integers(1, 3))},
        "human_handoff": {"enabled": not _sometimes(draw)},
        "interruption": {"enabled": not _rarely(draw), "announce_return": not _sometimes(draw)},
    }


def _sometimes(draw: Draw) -> bool:
    return draw(st.sampled_from((False, False, False, True)))


def _rarely(draw: Draw) -> bool:
    chosen: bool = draw(st.sampled_from((False,) * 11 + (True,)))
    return chosen
