"""CommandPolicy: decides which commands of a message run, and records why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from soni.commands.affirm_confirmation import AffirmConfirmation
from soni.commands.base import Command, Place, Reject, Rewrite
from soni.commands.consent import PLAIN_ANSWER, read_plain_answer
from soni.commands.consent_grammar import PlainAnswer
from soni.commands.deny_confirmation import DenyConfirmation
from soni.commands.registry import CommandHandlerRegistry, UnknownCommandError
from soni.commands.set_slot import SetSlot
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow
from soni.core.errors import clip
from soni.flow.plain import find_excess

_MAX_NAMED: Final = 10
"""More wrong fields than this are not named."""


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
        self, raw: Sequence[Any], situation: Situation, *, unread: int = 0
    ) -> tuple[list[Command], list[Decision]]:
        """The commands to run, in order, and a decision for each incoming command.

        `unread` is how many more there were: all of them have one decision.
        """
        decisions = [self._parse_command(item, situation) for item in raw]
        if unread:
            limit = situation.assistant.config.settings.limits.max_commands
            reason = f"a message has at most {limit} commands (settings.limits.max_commands)"
            decisions.append(Decision("?", {"count": unread}, "rejected", reason))
        decisions.extend(_start_only_flow(decisions, situation))
        decisions.extend(_hear_plain_answer(decisions, situation))
        _reject_repeats(decisions)
        self._review_commands(decisions, situation)
        decisions.extend(_start_default_flow(decisions, situation))
        _reject_contradictions(decisions)
        return self._order_commands(_list_accepted(decisions), situation), decisions

    def _parse_command(self, item: Any, situation: Situation) -> Decision:
        held = vars(item) if isinstance(item, Command) else item
        reason = find_excess(held)
        try:
            if reason is None:
                return _accept_command(self._registry.parse(item), situation)
        except UnknownCommandError as error:
            reason = str(error)
        except ValidationError as error:
            fields = sorted({str(part) for found in error.errors() for part in found["loc"]})
            reason = f"invalid fields: {', '.join(map(clip, fields[:_MAX_NAMED]))}"
        name = item.get("type", "?") if isinstance(item, dict) else type(item).__name__
        return Decision(clip(str(name)), {}, "rejected", reason)

    def _review_commands(self, decisions: Sequence[Decision], situation: Situation) -> None:
        # Answers are reviewed last: what a yes or no means depends on the other commands.
        order = {Place.START: 0, Place.ANSWER: 2}
        alive = [decision for decision in decisions if decision.becomes]
        for decision in sorted(alive, key=lambda d: order.get(d.becomes[0].place, 1)):
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
    keys = [command.model_dump_json() for command in _list_accepted(alive)]
    replaced = _find_replaced(alive, keys)
    kept: set[str] = set()
    for at, (decision, key) in enumerate(zip(alive, keys, strict=True)):
        if key in kept:
            decision.reject("said twice")
        elif at in replaced:
            decision.reject("replaced by what was said later")
        else:
            kept.add(key)


def _find_replaced(alive: Sequence[Decision], keys: Sequence[str]) -> set[int]:
    """The places of commands after which another one of the same subject differs."""
    later: dict[tuple[str, ...], set[str]] = {}
    replaced = set()
    for at in reversed(range(len(alive))):
        subject = alive[at].becomes[0].subject
        if subject is not None:
            others = later.setdefault(subject, set())
            if others - {keys[at]}:
                replaced.add(at)
            # Of two that differ, one differs from any third.
            if len(others) < 2:
                others.add(keys[at])
    return replaced


def _reject_contradictions(decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        for command in _list_spoken_commands(decision):
            for other in decisions if command.contradicts else ():
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


def _hear_plain_answer(decisions: Sequence[Decision], situation: Situation) -> list[Decision]:
    """Hear a plain yes or no that was not understood, and nothing beside it."""
    answer = read_plain_answer(situation)
    if answer is None:
        return []
    command = _make_answer(answer, situation)
    others = [d for d in decisions if d.becomes and not _is_answer(d.becomes[0], situation)]
    if answer.says == "no" and situation.asked_slot is None and others:
        # Giving up and changing something are a no as well, and say more.
        return []
    _reject_beside_answer(others, answer)
    heard = [each for each in _list_accepted(decisions) if _is_answer(each, situation)]
    if situation.asked_slot is None:
        _reject_other_answers(decisions, command)
        heard = [each for each in heard if each.type == command.type]
    return [] if heard else [_accept_command(command, situation, PLAIN_ANSWER)]


def _reject_beside_answer(others: Sequence[Decision], answer: PlainAnswer) -> None:
    for decision in others:
        # Values that are said again with the yes may turn out to be others.
        if answer.is_bare or not decision.becomes[0].get_touched_slots():
            decision.reject(PLAIN_ANSWER)


def _reject_other_answers(decisions: Sequence[Decision], command: Command) -> None:
    """Reject a yes where a no was said, and the reverse."""
    contrary = _YES_AND_NO - {command.type}
    for decision in decisions:
        if any(each.type in contrary for each in decision.becomes):
            decision.reject(PLAIN_ANSWER)


def _make_answer(answer: PlainAnswer, situation: Situation) -> Command:
    if situation.asked_slot is not None:
        # A value is masked if the slot is sensitive; a yes would stand in the log.
        return SetSlot(slot_name=situation.asked_slot, value=answer.says == "yes")
    return AffirmConfirmation() if answer.says == "yes" else DenyConfirmation()


_YES_AND_NO: Final = frozenset({"AffirmConfirmation", "DenyConfirmation"})


def _is_answer(command: Command, situation: Situation) -> bool:
    """Whether a command answers the open question. Which answer it is, is not asked here."""
    asked = situation.asked_slot
    return command.type in _YES_AND_NO or (
        isinstance(command, SetSlot) and command.slot_name == asked
    )


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
