"""CommandPolicy: decides which commands of a message run, and records why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from soni.commands.base import Command, Place, Reject, Rewrite
from soni.commands.registry import CommandHandlerRegistry, UnknownCommandError
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow


@dataclass
class Decision:
    """The decision about one command."""

    command: str
    args: dict[str, Any]
    decision: str = "accepted"
    """`accepted`, `rewritten` or `rejected`."""

    reason: str | None = None
    becomes: list[Command] = field(default_factory=list)
    """The commands that run: the command itself if it was accepted."""

    said: Command | None = None
    """The command as it was understood. None: it could not be parsed."""

    added: bool = False
    """The settings added it; the user did not say it."""

    def reject(self, reason: str) -> None:
        """Nothing runs in its place."""
        self.decision, self.reason, self.becomes = "rejected", reason, []


class CommandPolicy:
    """Rejects duplicates, unknown names and contradictions, and orders the rest."""

    def __init__(self, registry: CommandHandlerRegistry) -> None:
        self._registry = registry

    def clean(
        self, raw: Sequence[Any], situation: Situation
    ) -> tuple[list[Command], list[Decision]]:
        """The commands to run, in order, and a decision for each incoming command."""
        decisions = [self._parse_command(item, situation) for item in raw]
        decisions.extend(_start_only_flow(decisions, situation))
        _reject_repeats(decisions)
        self._review_commands(decisions, situation)
        decisions.extend(_start_default_flow(decisions, situation))
        _reject_contradictions(decisions)
        return self._order_commands(_list_accepted(decisions), situation), decisions

    def _parse_command(self, item: Any, situation: Situation) -> Decision:
        try:
            command = self._registry.parse(item)
        except UnknownCommandError as error:
            reason = str(error)
        except ValidationError as error:
            fields = sorted({str(part) for found in error.errors() for part in found["loc"]})
            reason = f"invalid fields: {', '.join(fields)}"
        else:
            return _accept_command(command, situation)
        name = item.get("type", "?") if isinstance(item, dict) else type(item).__name__
        return Decision(str(name), {}, "rejected", reason)

    def _review_commands(self, decisions: Sequence[Decision], situation: Situation) -> None:
        # Answers are reviewed last: what a yes or no means depends on the other commands.
        answers = [d for d in decisions if d.becomes and d.becomes[0].place is Place.ANSWER]
        first = [d for d in decisions if d.becomes and d not in answers]
        starts = [d for d in first if d.becomes[0].place is Place.START]
        for decision in [*starts, *(d for d in first if d not in starts), *answers]:
            self._apply_verdict(decision, decisions, situation)

    def _apply_verdict(
        self, decision: Decision, decisions: Sequence[Decision], situation: Situation
    ) -> None:
        command = decision.becomes[0]
        others = [other for other in _list_accepted(decisions) if other is not command]
        verdict = self._registry.get_handler(command.type).review(command, others, situation)
        if isinstance(verdict, Reject):
            decision.reject(verdict.reason)
        elif isinstance(verdict, Rewrite):
            decision.decision, decision.reason = "rewritten", verdict.reason
            decision.becomes = list(verdict.to)

    def _order_commands(self, commands: Iterable[Command], situation: Situation) -> list[Command]:
        return sorted(
            commands, key=lambda c: self._registry.get_handler(c.type).get_place(c, situation)
        )

    def split_queue(
        self, queue: Sequence[Command], situation: Situation
    ) -> tuple[list[Command], list[Command]]:
        """Split into what runs now, and what waits until the flow has used the answer.

        A yes or no is used before anything else runs. A value is used first only if another task
        starts, because values of one message are written together.
        """
        places = [self._registry.get_handler(c.type).get_place(c, situation) for c in queue]
        answered = max((at + 1 for at, p in enumerate(places) if p is Place.ANSWER), default=0)
        waits = situation.asked_slot is None or Place.START in places
        until = answered if answered and waits else len(queue)
        return list(queue[:until]), list(queue[until:])


def _accept_command(command: Command, situation: Situation, reason: str | None = None) -> Decision:
    private = bool(situation.state["turn"].get("private"))
    args = command.mask_args(situation.assistant.is_sensitive, private=private)
    added = reason is not None
    return Decision(command.type, args, "accepted", reason, [command], command, added)


def _list_accepted(decisions: Iterable[Decision]) -> list[Command]:
    return [command for decision in decisions for command in decision.becomes]


def _reject_repeats(decisions: Sequence[Decision]) -> None:
    alive = [decision for decision in decisions if decision.becomes]
    for index, decision in enumerate(alive):
        command, later = decision.becomes[0], alive[index + 1 :]
        if any(command in earlier.becomes for earlier in alive[:index]):
            decision.reject("said twice")
        elif command.subject is not None and any(
            other.becomes and other.becomes[0].subject == command.subject
            and other.becomes[0] != command
            for other in later
        ):  # fmt: skip
            decision.reject("replaced by what was said later")


def _reject_contradictions(decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        for command in _list_spoken_commands(decision):
            for other in decisions:
                against = any(
                    heard.type in command.contradicts for heard in _list_spoken_commands(other)
                )
                if against and other is not decision:
                    other.reject(f"contradicts {command.type}")


def _list_spoken_commands(decision: Decision) -> list[Command]:
    """The commands of a decision, including the original one if it was rewritten."""
    if decision.decision == "rejected" or decision.said is None:
        return []
    return [decision.said, *decision.becomes]


def _start_only_flow(decisions: Sequence[Decision], situation: Situation) -> list[Decision]:
    """Start the only flow of an assistant for any message: it needs no trigger."""
    only = situation.assistant.only_flow
    elsewhere = {"StartFlow", "CancelFlow", "HumanHandoff"}
    if only is None or situation.active is not None or situation.is_from_api or situation.prompt:
        return []
    if any(command.type in elsewhere for command in _list_accepted(decisions)):
        return []
    reason = "any message starts the only flow"
    return [_accept_command(StartFlow(flow_name=only), situation, reason)]


def _start_default_flow(decisions: Sequence[Decision], situation: Situation) -> list[Decision]:
    default = situation.assistant.config.settings.conversation.default_flow
    idle = situation.active is None and not situation.prompt and not situation.is_from_api
    if default is None or not idle or _list_accepted(decisions):
        return []
    return [_accept_command(StartFlow(flow_name=default), situation, "the default flow")]
