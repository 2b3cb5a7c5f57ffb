"""reminder: say something to a user at its time, or start a flow."""

from soni.core.jobs import Job, Retry
from soni.runtime.jobs import Host, JobKind


async def push_reminder(host: Host, job: Job) -> None:
    """Push it. The inbox knows the job's key, so a repeated job says nothing twice."""
    said = job.payload
    await host.runtime.push(
        said["conversation_id"],
        said.get("text"),
        flow=said.get("flow"),
        inputs=said.get("inputs"),
        user_id=said.get("user_id"),
        language=said.get("language"),
        message_id=job.key,
    )


JOB = JobKind(push_reminder, retry=lambda settings: Retry(attempts=8, first_delay=5))
