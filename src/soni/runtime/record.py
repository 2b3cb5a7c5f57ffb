"""The journal entry of a turn."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from soni.core.constants import MASK
from soni.core.masking import (
    find_held_secrets,
    find_secrets,
    mask_quoted,
    mask_quotes,
    mask_text,
    mask_value,
)
from soni.core.records import PolicyDecision, Reply
from soni.core.storage import StagedTurn
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.plain import make_recordable
from soni.runtime.effects import TurnEffects, TurnWrites
from soni.runtime.evidence import CONVERSATION, describe_evidence
from soni.runtime.turn import Message


class RecordMask:
    """Masks secrets in the data of a journal entry."""

    def __init__(self, sensitive: Callable[[str], bool], secrets: Collection[Any]) -> None:
        self._sensitive = sensitive
        # Longest first: masking a short secret inside a longer one would leave the rest readable.
        known = {str(part) for secret in secrets for part in _iter_scalars(make_recordable(secret))}
        self._secrets = sorted(known - {""}, key=len, reverse=True)

    def mask_words(self, text: str) -> str:
        """A text without secrets."""
        return mask_text(text, self._secrets)

    def mask_said(self, text: str) -> str:
        """What the bot said, without secrets."""
        return mask_quotes(text, self._secrets)

    def mask_slots(self, slots: Mapping[str, Any]) -> dict[str, Any]:
        """Slots with sensitive values masked, and with copies of them in others."""
        return {
            name: MASK if self._sensitive(name) else self._hide_value(value)
            for name, value in slots.items()
        }

    def mask_data(self, value: Any) -> Any:
        """Plain data with sensitive names and secrets masked at any depth."""
        return self._hide_value(make_recordable(value))

    def _hide_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: MASK if item is not None and self._sensitive(name) else self._hide_value(item)
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [self._hide_value(item) for item in value]
        if isinstance(value, str):
            return self.mask_words(value)
        return MASK if value is not None and str(value) in self._secrets else value


CONTEXT_LIMIT: Final = 16_000
ACTIONS_LIMIT: Final = 64_000
DETAILS_LIMIT: Final = 64_000
"""Characters of JSON. Of what is longer the entry says `cut`, and nothing else."""


def make_turn_record(
    sent: Message,
    before: DialogueState,
    after: DialogueState,
    context: RuntimeContext,
    effects: TurnEffects,
    writes: TurnWrites,
    timings: dict[str, float],
    versions: dict[str, str],
) -> dict[str, Any]:
    """A turn as plain JSON with secrets masked: everything that a replay needs."""
    facts = after["turn"]
    discreet = _make_record_mask(before, after, context, writes)
    session = discreet.mask_data(context.session)
    return {
        "user_id": context.user_id,
        "language": context.language,
        "clock": context.clock().isoformat(),
        "context": session if measure_size(session) <= CONTEXT_LIMIT else {"cut": True},
        "facts": {**_mask_fact(sent.facts, discreet), **_get_origin(after)},
        "message": facts["message"],
        "source": facts["source"],
        **({"confidence": facts["confidence"]} if "confidence" in facts else {}),
        **({"reasoning": discreet.mask_words(why)} if (why := facts.get("reasoning")) else {}),
        **({"usage": facts["usage"]} if "usage" in facts else {}),
        "commands": facts["decisions"],
        "results": _list_results(after, facts["decisions"]),
        "writes": [_mask_fact(write, discreet) for write in writes.notable],
        "actions": _list_actions(effects, discreet),
        "replies": [discreet.mask_said(reply["text"]) for reply in after["replies"]],
        **_describe_replies(after["replies"], discreet),
        "steps": facts["steps"],
        "transitions": facts["transitions"],
        "ended": facts["ended"],
        "events": [_mask_fact(event, discreet) for event in facts["events"]],
        "state": {"before": _get_position(before), "after": _get_position(after)},
        "slots": _find_changed_slots(before, after, discreet),
        "conversation_slots": _find_changed_values(
            before["conversation_slots"], after["conversation_slots"], discreet
        ),
        **describe_evidence(sent, before, after, context),
        **_list_unset_slots(before, after),
        "timings": {name: round(seconds, 6) for name, seconds in timings.items()},
        "versions": versions,
    }


def mask_replies(staged: StagedTurn, secrets: Collection[Any]) -> StagedTurn:
    """The turn to be stored, with what was said masked in it. The caller's state is left alone."""
    for part in staged.checkpoints:
        values = part.checkpoint["channel_values"]
        if secrets and "replies" in values:
            values["replies"] = mask_quoted(values["replies"], secrets)
    return staged


def must_purge(
    before: DialogueState, after: DialogueState, context: RuntimeContext, effects: TurnEffects
) -> bool:
    """Whether a secret was stored and is not any more: in the state, the inbox or the ledger."""
    sensitive, secrets = context.assistant.is_sensitive, context.turn_trace.secrets
    kept = find_held_secrets(after, sensitive)
    joins = context.config.settings.conversation.while_busy == "join"
    results = make_recordable([call.get("outputs") for call in effects.calls])
    return (
        any(secret not in kept for secret in find_held_secrets(before, sensitive))
        or (joins and MASK in (after["turn"]["message"] or ""))
        or (bool(secrets) and mask_value(results, secrets) != results)
    )


def _make_record_mask(
    before: DialogueState, after: DialogueState, context: RuntimeContext, writes: TurnWrites
) -> RecordMask:
    def sensitive(name: str) -> bool:
        return bool(context.assistant.get_slot_config(name).sensitive)

    held = (
        slots
        for state in (before, after)
        for slots in (*state["flow_slots"].values(), state["conversation_slots"])
    )
    return RecordMask(sensitive, [*find_secrets(held, sensitive), *writes.secrets])


def _list_results(
    after: DialogueState, decisions: Sequence[PolicyDecision]
) -> list[dict[str, Any]]:
    """The executed commands that did not simply succeed."""
    log = [entry for entry in after["command_log"] if entry["turn"] == after["turn_count"]]
    # The entries of the policy come first, and repeat the decisions.
    judged = sum(decision["decision"] != "accepted" for decision in decisions)
    return [
        {key: entry[key] for key in ("command", "result", "reason")}
        for entry in log[judged:]
        if entry["result"] != "success"
    ]


def _list_actions(effects: TurnEffects, discreet: RecordMask) -> list[dict[str, Any]]:
    shown, room = [], ACTIONS_LIMIT
    for call in effects.calls:
        told: dict[str, Any] = {
            name: discreet.mask_data(call[name]) for name in ("inputs", "outputs") if name in call
        }
        told |= {"need": call["need"]} if "need" in call else {}
        told |= {"said": [*map(discreet.mask_said, call["said"])]} if "said" in call else {}
        if "error" in call:
            told["error"] = _mask_fact(call["error"], discreet)
        long = [name for name, item in told.items() if measure_size(item) > room]
        kept = {name: item for name, item in told.items() if name not in long}
        room -= sum(map(measure_size, kept.values()))
        named = {"action": call["action"], "key": call["key"]}
        named |= {name: call[name] for name in ("seconds", "attempts", "ledger") if name in call}
        shown.append({**named, **kept, **({"cut": long} if long else {})})
    return shown


def _describe_replies(replies: Sequence[Reply], discreet: RecordMask) -> dict[str, Any]:
    """What goes with the texts, if anything does: what is shown, who wrote it, its source."""
    details = [
        {name: discreet.mask_data(item) for name, item in reply.items() if name != "text"}
        for reply in replies
    ]
    if not any(details) or measure_size(details) > DETAILS_LIMIT:
        return {}
    return {"reply_details": details}


def _mask_fact(fact: Mapping[str, Any], discreet: RecordMask) -> dict[str, Any]:
    """Mask a fact, but keep names, although a secret may equal one of them."""
    return {
        name: item
        if name in _KEPT_FIELDS or not isinstance(item, str | list | dict)
        else discreet.mask_data(item)
        for name, item in fact.items()
    }


_KEPT_FIELDS: Final = frozenset(
    ("api", "event", "flow_id", "flow_name", "called_by", "step", "type", "answer", "slot")
)


def _get_origin(state: DialogueState) -> dict[str, Any]:
    """Where a fork comes from, in every turn of it. Names are not masked: they are searched for."""
    origin = state["metadata"].get("forked_from")
    return {"forked_from": origin} if origin else {}


def _get_position(state: DialogueState) -> dict[str, Any]:
    return {
        "state": state["conversation_state"],
        "stack": [flow["flow_id"] for flow in state["flow_stack"]],
        "step": state["current_step"],
        "steps": [flow["current_step"] for flow in state["flow_stack"]],
        "waiting_for": state["waiting_for_slot"],
        **({"handoff": True} if state["metadata"].get("handoff") else {}),
    }


def _find_changed_slots(
    before: DialogueState, after: DialogueState, discreet: RecordMask
) -> dict[str, dict[str, Any]]:
    changed: dict[str, dict[str, Any]] = {}
    for flow_id, slots in after["flow_slots"].items():
        new = _find_changed_values(before["flow_slots"].get(flow_id, {}), slots, discreet)
        if new:
            changed[flow_id] = new
    return changed


def _list_unset_slots(before: DialogueState, after: DialogueState) -> dict[str, Any]:
    """Slots that lost their value in instances that are still open."""
    gone = {
        flow_id: sorted(slots.keys() - after["flow_slots"][flow_id].keys())
        for flow_id, slots in before["flow_slots"].items()
        if flow_id in after["flow_slots"]
    }
    lost = sorted(before["conversation_slots"].keys() - after["conversation_slots"].keys())
    unset = {where: names for where, names in {**gone, CONVERSATION: lost}.items() if names}
    return {"unset": unset} if unset else {}


def _find_changed_values(
    before: Mapping[str, Any], after: Mapping[str, Any], discreet: RecordMask
) -> dict[str, Any]:
    """Slots with a new value."""
    return discreet.mask_slots(
        {
            name: value
            for name, value in after.items()
            if name not in before or before[name] != value
        }
    )


def _iter_scalars(value: Any) -> Iterator[Any]:
    """The scalars inside a value: the amount of a secret sum of money is secret too."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _iter_scalars(item)
    elif value is not None:
        yield value


def measure_size(value: Any) -> int:
    """The size of plain data as JSON."""
    return len(json.dumps(value))
