"""session_timeout: end tasks whose user has not written for too long."""

from soni.core.jobs import Job
from soni.runtime.jobs import Host, JobKind


async def end_sessions(host: Host, job: Job) -> None:
    """Look at every conversation that is due."""
    await host.runtime.sweep()


JOB = JobKind(
    end_sessions,
    # Many conversations may be due at once, each of which takes a turn.
    timeout=600,
    every=lambda settings: settings.sweep_seconds,
)
