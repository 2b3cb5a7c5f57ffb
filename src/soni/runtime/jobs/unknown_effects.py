"""unknown_effects: have somebody find out about effects whose outcome nobody knows."""

import time

from soni.actions.outcome import make_cutoff
from soni.core.jobs import Job
from soni.runtime.jobs import Host, JobKind


async def look_for_unknown(host: Host, job: Job) -> None:
    """Ask for each effect whose action says how. The queue remembers those asked for before."""
    contracts = host.assistant.config.actions
    before = make_cutoff(host.assistant, time.time())
    for effect in await host.store.ledger.list_unknown(begun_before=before):
        contract = contracts.get(effect.action)
        if contract is not None and contract.check_outcome is not None:
            await host.store.jobs.enqueue(
                "effect_outcome",
                {"key": effect.key, "digest": effect.digest, "action": effect.action},
                key=f"effect_outcome/{effect.digest[:16]}/{effect.key}",
                at=host.now(),
                conversation_id=effect.conversation_id,
            )


JOB = JobKind(look_for_unknown, every=lambda settings: settings.outcome_seconds)
