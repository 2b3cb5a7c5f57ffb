"""Summarises journals, one conversation and one page of entries at a time."""

import re
from dataclasses import dataclass
from typing import Final

from soni.audit.report.figures import Figures
from soni.audit.report.tasks import TaskTracker
from soni.audit.source import Chain, iter_conversations, iter_entries
from soni.audit.turn import RecordedTurn
from soni.core.constants import MASK
from soni.core.storage import Journal, JournalEntry, Overview


@dataclass(frozen=True)
class Period:
    """The time that is reported, in seconds since the epoch."""

    since: float
    until: float
    """Also the moment at which tasks are judged: what was silent for too long is abandoned."""

    timeout: float
    """How long a conversation may be silent."""

    is_pruned: bool = False
    """Old entries are removed after some time."""

    def includes(self, at: float) -> bool:
        """Whether a moment is in it."""
        return self.since <= at < self.until


async def summarize_journal(journal: Journal, period: Period) -> Figures:
    """All conversations of a journal."""
    figures = Figures()
    async for each in iter_conversations(journal):
        if each.last_at >= period.since and each.first_at < period.until:
            await _count_conversation(journal, each, period, figures)
    return figures


async def _count_conversation(
    journal: Journal, each: Overview, period: Period, figures: Figures
) -> None:
    tasks, chain = TaskTracker(figures), Chain(is_pruned=period.is_pruned)
    seen, last = 0, each.first_at
    async for entry in chain.follow_entries(iter_entries(journal, each.conversation_id)):
        if entry.at >= period.until:
            continue
        last, within = entry.at, period.includes(entry.at)
        seen += within and entry.status != "erased"
        _count_entry(entry, tasks, figures, within=within)
    tasks.finish_open_tasks("abandoned" if period.until - last > period.timeout else "open")
    figures.conversations += seen > 0
    if chain.broken is not None:
        figures.changed_count += 1
        figures.changed = [*figures.changed, each.conversation_id][:_MAX_NAMED]


_MAX_NAMED: Final = 10


def _count_entry(
    entry: JournalEntry, tasks: TaskTracker, figures: Figures, *, within: bool
) -> None:
    turn = RecordedTurn(entry)
    if entry.status == "erased":
        figures.erased += within
        return
    if within:
        at, first, last = entry.at, figures.first_at, figures.last_at
        figures.first_at = at if first is None else min(first, at)
        figures.last_at = at if last is None else max(last, at)
    if entry.status == "reset":
        figures.resets += within
        tasks.abandon_open_tasks()
    elif not turn.ok:
        figures.failed_turns += within
    else:
        if within:
            _count_turn(turn, tasks.find_active_flow(turn), figures)
        tasks.follow_turn(turn, counted=within)


def _count_turn(turn: RecordedTurn, active: str | None, figures: Figures) -> None:
    figures.turns += 1
    figures.timeline.add(turn.moment.date())
    if "total" in turn.timings:
        figures.latency.add(turn.timings["total"])
    if turn.timings.get("understanding"):
        figures.understanding.add(turn.timings["understanding"])
    if turn.message is not None:
        figures.messages += 1
        if not turn.is_understood or _is_out_of_scope(turn):
            figures.not_understood.add(make_group_key(turn.message))
    for event in turn.events:
        if event.get("event") == "handoff":
            figures.handoffs.add(make_group_key(str(event.get("reason"))))
        elif event.get("event") == "digression" and event.get("answer") == "none":
            figures.unanswered.add(make_group_key(turn.message or ""))
    _count_commands(turn, active, figures)


def _is_out_of_scope(turn: RecordedTurn) -> bool:
    """Whether all that was understood is that the assistant does no such thing."""
    done = [made["command"] for made in turn.commands if made["decision"] != "rejected"]
    return done == ["OutOfScope"]


def _count_commands(turn: RecordedTurn, active: str | None, figures: Figures) -> None:
    rejected = [made for made in turn.commands if made.get("decision") == "rejected"]
    rejected += [each for each in turn.results if each.get("result") == "rejected"]
    for each in rejected:
        figures.rejected.add(make_group_key(f"{each.get('command')}: {each.get('reason')}"))
    for made in turn.commands:
        said = [each.get("command") for each in (made, *made["to"])]
        if made.get("decision") != "rejected" and "CorrectSlot" in said:
            figures.corrections += 1
            if active is not None:
                figures.get_flow(active).corrections += 1
    for write in turn.writes:
        if "refused" in write:
            figures.refused[str(write.get("slot"))] += 1


def make_group_key(text: str) -> str:
    """The key that similar texts are counted under, without personal data.

    Nobody has marked secrets in messages that were not understood, so numbers and addresses are
    always masked.
    """
    words = " ".join(text.casefold().split()).strip(" .,;:!?¡¿")
    shown = _NUMBER.sub(MASK, _ADDRESS.sub(MASK, words[:_MAX_KEY_LENGTH]))
    return shown if len(words) <= _MAX_KEY_LENGTH else f"{shown}…"


_MAX_KEY_LENGTH: Final = 200
_NUMBER: Final = re.compile(r"\d(?:[ .-]?\d){3,}")
_ADDRESS: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
