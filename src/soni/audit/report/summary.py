"""Summarises journals, one conversation and one page of entries at a time."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from soni.audit.report.figures import Deployment, Figures
from soni.audit.report.tasks import TaskTracker
from soni.audit.source import Chain, iter_conversations, iter_entries
from soni.audit.turn import RecordedTurn
from soni.core.constants import MASK
from soni.core.storage import Journal, JournalEntry, Overview

IDLE: Final = "(no open task)"
MAX_VERSIONS: Final = 200
_MAX_NAMED: Final = 10
_KNOWLEDGE: Final = "knowledge/"


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

    most_turns: int | None = None
    """After so many no further conversation is read; None: all are."""

    def includes(self, at: float) -> bool:
        """Whether a moment is in it."""
        return self.since <= at < self.until


class Summary:
    """The figures of a time as a whole and, if it is split, of its parts.

    `find_part` says which part a turn belongs to. A task belongs to the part in which it began.
    """

    def __init__(
        self,
        period: Period,
        parts: Sequence[str] = (),
        find_part: Callable[[RecordedTurn], str] | None = None,
    ) -> None:
        self._period = period
        self._find_part = find_part
        self.whole = Figures()
        self.parts = {name: Figures() for name in parts}

    async def read_journal(self, journal: Journal) -> None:
        """Count all conversations of a journal."""
        period, left = self._period, self._period.most_turns
        async for each in iter_conversations(journal):
            if each.last_at < period.since or each.first_at >= period.until:
                continue
            if left is not None and (left := left - each.turns) < 0:
                self.whole.is_sample = True
                return
            await self._count_conversation(journal, each)

    async def _count_conversation(self, journal: Journal, each: Overview) -> None:
        period, tasks = self._period, TaskTracker()
        chain = Chain(is_pruned=period.is_pruned)
        talked, last, is_fork = set[Figures](), each.first_at, False
        async for entry in chain.follow_entries(iter_entries(journal, each.conversation_id)):
            if entry.at >= period.until:
                continue
            last = entry.at
            turn = RecordedTurn(entry)
            is_fork = turn.is_of_fork(before=is_fork)
            is_counted = period.includes(entry.at) and not is_fork and not turn.is_by_hand
            counted = self._list_figures(turn) if is_counted else []
            if entry.status != "erased":
                talked.update(counted)
            _count_entry(turn, tasks, counted)
        tasks.finish_open_tasks("abandoned" if period.until - last > period.timeout else "open")
        for figures in talked:
            figures.conversations += 1
        if chain.broken is not None:
            whole = self.whole
            whole.changed_count += 1
            whole.changed = [*whole.changed, each.conversation_id][:_MAX_NAMED]

    def _list_figures(self, turn: RecordedTurn) -> list[Figures]:
        part = None if self._find_part is None else self.parts[self._find_part(turn)]
        return [self.whole] if part is None else [self.whole, part]


async def summarize_journal(journal: Journal, period: Period) -> Figures:
    """All conversations of a journal."""
    summary = Summary(period)
    await summary.read_journal(journal)
    return summary.whole


def _count_entry(turn: RecordedTurn, tasks: TaskTracker, counted: Sequence[Figures]) -> None:
    entry = turn.entry
    if entry.status == "erased":
        for figures in counted:
            figures.erased += 1
        return
    for figures in counted:
        _count_time(entry, figures)
        figures.resets += entry.status == "reset"
        figures.failed_turns += entry.status not in ("reset", "ok")
    if entry.status == "reset":
        tasks.abandon_open_tasks()
    elif turn.ok:
        active, place = tasks.find_active_task(turn)
        for figures in counted:
            _count_turn(turn, active, place or IDLE, figures)
        tasks.follow_turn(turn, counted)


def _count_time(entry: JournalEntry, figures: Figures) -> None:
    at, first, last = entry.at, figures.first_at, figures.last_at
    figures.first_at = at if first is None else min(first, at)
    figures.last_at = at if last is None else max(last, at)


def _count_turn(turn: RecordedTurn, active: str | None, place: str, figures: Figures) -> None:
    figures.turns += 1
    figures.timeline.add(turn.moment.date())
    _count_version(turn, figures)
    if "total" in turn.timings:
        figures.latency.add(turn.timings["total"])
    if turn.timings.get("understanding"):
        figures.understanding.add(turn.timings["understanding"])
    if turn.message is not None:
        figures.messages += 1
        if not turn.is_understood or _is_out_of_scope(turn):
            figures.not_understood.add(make_group_key(turn.message))
            figures.lost_at[place] += 1
    for event in turn.events:
        if event.get("event") == "handoff":
            figures.handoffs.add(make_group_key(str(event.get("reason"))))
        elif event.get("event") == "digression" and event.get("type") == "clarify":
            _count_answer(str(event.get("answer")), turn.message or "", figures)
    _count_commands(turn, active, figures)


def _count_version(turn: RecordedTurn, figures: Figures) -> None:
    name, at = turn.version, turn.entry.at
    if name is None or (name not in figures.versions and len(figures.versions) >= MAX_VERSIONS):
        return
    version = figures.versions.setdefault(name, Deployment(at))
    version.first_at = min(version.first_at, at)
    version.turns += 1


def _count_answer(answer: str, message: str, figures: Figures) -> None:
    kind = "knowledge" if answer.startswith(_KNOWLEDGE) else answer
    figures.answers[kind] += 1
    if kind == "none":
        figures.unanswered.add(make_group_key(message))
    elif kind == "description":
        figures.described.add(make_group_key(message))


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
