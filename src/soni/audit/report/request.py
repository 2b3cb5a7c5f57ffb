"""What is wanted of a report: which journals are read, and what is set beside them."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from soni.audit.report.comparison import (
    AFTER,
    BEFORE,
    LAST,
    Side,
    find_deployments,
    split_by_time,
    split_by_version,
)
from soni.audit.report.summary import Period, Summary, summarize_journal
from soni.audit.report.tables import Report
from soni.audit.source import add_default_store, keeps_all, open_journal
from soni.audit.turn import RecordedTurn
from soni.config.soni_config import SoniConfig
from soni.core.storage import Journal

_DAY_LENGTH: Final = len("2026-03-02")


@dataclass(frozen=True)
class ReportRequest:
    """What is wanted of a report."""

    since: datetime | None = None
    until: datetime | None = None
    compare: str | None = None
    """A date or a version of the assistant: what was before is set beside what came after."""

    beside: str | None = None
    """Another store, `NAME=PLACE` or only its place, whose conversations are set beside."""

    most_turns: int | None = None
    made: datetime = field(default_factory=lambda: datetime.now().astimezone())


def parse_moment(text: str, *, end: bool = False) -> datetime:
    """A date, or a date and time, in the zone of this machine if it names none.

    At the `end` of a time a day alone is included.
    """
    found = datetime.fromisoformat(text)
    day = timedelta(days=1) if end and len(text) <= _DAY_LENGTH else timedelta()
    return (found + day).astimezone() if found.tzinfo is None else found + day


async def make_report(config: SoniConfig, name: str, request: ReportRequest) -> Report:
    """Read the journals of an assistant, and those that are set beside them."""
    period = Period(
        request.since.timestamp() if request.since else -math.inf,
        (request.until or request.made).timestamp(),
        config.settings.conversation.session_timeout,
        is_pruned=not keeps_all(config),
        most_turns=request.most_turns,
    )
    async with open_journal(config) as journal:
        summary = await _summarize(journal, period, request.compare)
    sides = [Side(part, figures) for part, figures in summary.parts.items()]
    moment = "the newest version" if request.compare == LAST else request.compare
    about = f"Before and after {moment}"
    if request.beside is not None:
        label, other = find_store_beside(config, request.beside)
        async with open_journal(other) as journal:
            figures = await summarize_journal(journal, period)
        about = f"{about}, and {label}" if sides else f"{name} and {label}"
        sides = [*(sides or [Side(name, summary.whole)]), Side(label, figures)]
    return Report(name, summary.whole, sides, about if sides else "", config.flows)


async def _summarize(journal: Journal, period: Period, compare: str | None) -> Summary:
    if compare is None:
        summary = Summary(period)
    else:
        find_part: Callable[[RecordedTurn], str] | None = None
        with suppress(ValueError):
            find_part = split_by_time(parse_moment(compare))
        if find_part is None:
            find_part = split_by_version(compare, await find_deployments(journal))
        summary = Summary(period, (BEFORE, AFTER), find_part)
    await summary.read_journal(journal)
    return summary


def find_store_beside(config: SoniConfig, beside: str) -> tuple[str, SoniConfig]:
    """The name of another store, and the assistant with it: a file of SQLite or a URL."""
    name, sign, place = beside.partition("=")
    if not sign or "/" in name:
        name, place = Path(beside).stem, beside
    backend = "postgres" if place.startswith(("postgres://", "postgresql://")) else "sqlite"
    if backend == "postgres" and not sign:
        name = "the other store"
    stored = add_default_store(config).settings.persistence
    chosen = stored.model_copy(update={"backend": backend, "url": place})
    settings = config.settings.model_copy(update={"persistence": chosen})
    return name, config.model_copy(update={"settings": settings})
