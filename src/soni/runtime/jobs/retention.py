"""retention: delete what has been kept long enough, and flows that nobody needs any more."""

from soni.core.jobs import Job
from soni.runtime.jobs import Host, JobKind


async def apply_retention(host: Host, job: Job) -> None:
    """Do what the runtime can do of it."""
    for name in ("apply_retention", "prune_versions"):
        work = getattr(host.runtime, name, None)
        if work is not None:
            await work()


JOB = JobKind(apply_retention, timeout=3600, every=lambda settings: settings.retention_seconds)
