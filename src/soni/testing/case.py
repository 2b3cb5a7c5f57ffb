"""The schema of `*.test.yaml` files: conversations and what is expected of them."""

from typing import Any, Literal

from pydantic import Field

from soni.config.definitions import Config

State = Literal[
    "idle",
    "understanding",
    "waiting_for_slot",
    "validating_slot",
    "executing_action",
    "confirming",
    "completed",
    "error",
]


class Expect(Config):
    """Expectations after a turn. Only what is written is compared, and null counts as written."""

    bot: list[str] = Field(default_factory=list)
    """All messages of the turn, exactly."""

    contains: list[str] = Field(default_factory=list)
    """Texts that occur in the messages, all together."""

    not_contains: list[str] = Field(default_factory=list)
    matches: list[str] = Field(default_factory=list)
    """Regular expressions found in the messages; `^` and `$` match at every line."""

    slots: dict[str, Any] = Field(default_factory=dict)
    """Some of the active flow's slots; null: unset."""

    flow: str | None = None
    """The active flow."""

    step: str | None = None
    stack: list[str] = Field(default_factory=list)
    """Open flows, the active one last."""

    waiting_for: str | None = None
    state: State = "idle"
    actions: list[Any] = Field(default_factory=list)
    """Actions of this turn, in order: names, or `{name: inputs}`."""

    commands: list[Any] = Field(default_factory=list)
    """What understanding produced, in order: names, or `{name: fields}`."""

    decisions: list[dict[str, Literal["accepted", "rewritten", "rejected"]]] = Field(
        default_factory=list
    )
    """Some of the decisions, in order: `{command: decision}`."""

    completed: list[str] = Field(default_factory=list)
    """Flows that ended so in this turn."""

    cancelled: list[str] = Field(default_factory=list)
    abandoned: list[str] = Field(default_factory=list)
    handoff: dict[str, Any] | None = None
    """Some of what the handoff holds; null: there is none."""

    ui: dict[str, Any] | None = None
    """Some of what is shown beside the messages, the last of it; null: nothing is."""


class TurnCase(Config):
    """One message, or one call of the API, and what follows."""

    user: str | None = None
    after: str | None = None
    """How far the clock moves before it: `45s`, `31m`, `2h`, `1d`."""

    commands: list[Any] | None = None
    """Given past the understanding: names, or `{name: fields}`."""

    api: Any = None
    """`release`, or `{start_flow: {flow_name: ..., inputs: ...}}`, or `{press: label}`."""

    language: str | None = None
    """The caller's language in this turn, if it is not the test's."""

    context: dict[str, Any] | None = None
    """What the caller knows in this turn, if it is not the same as in the whole test."""

    stubs: dict[str, Any] = Field(default_factory=dict)
    """Results of actions from this turn on."""

    expect: Expect = Expect()


class Case(Config):
    """One conversation test."""

    name: str
    now: str | None = None
    """The clock at the beginning."""

    user_id: str = "test"
    language: str | None = None
    context: dict[str, Any] = Field(default_factory=dict)
    """What the caller knows of the user: `session.*`."""

    stubs: dict[str, Any] = Field(default_factory=dict)
    """Action -> its result, or `{error: type}`."""

    turns: list[TurnCase] = Field(min_length=1)


class CaseFile(Config):
    """A whole file."""

    tests: list[Case] = Field(min_length=1)
