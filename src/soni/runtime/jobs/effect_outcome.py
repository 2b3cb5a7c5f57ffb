"""effect_outcome: ask the action's author whether an effect was done."""

import structlog

from soni.actions.outcome import ask_outcome, make_result
from soni.core.jobs import Job, JobError, Retry
from soni.core.storage import Effect
from soni.runtime.jobs import Host, JobKind

_log = structlog.get_logger("soni.jobs")


async def find_outcome(host: Host, job: Job) -> None:
    """Record the outcome; a failed attempt, if it is not known yet."""
    about = job.payload
    effect = Effect(
        about["key"], about["digest"], "begun", None, str(job.conversation_id), about["action"]
    )
    # While it is held no turn is under way that could still finish the effect.
    async with host.store.conversation(effect.conversation_id, wait=False):
        known = await host.store.directory.find(effect.conversation_id)
        user_id = known.user_id if known else None
        found = await ask_outcome(host.assistant, host.tool_servers, effect, user_id)
        if found.done is None:
            raise JobError(f"whether '{effect.action}' was done is not known yet")
        result = make_result(host.assistant, effect.action, found)
        if await host.store.ledger.resolve(effect.key, effect.digest, result):
            _log.info("effect_resolved", key=effect.key, action=effect.action, done=found.done)


JOB = JobKind(
    find_outcome, retry=lambda settings: Retry(attempts=settings.outcome_attempts, first_delay=10)
)
