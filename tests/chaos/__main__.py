"""`make chaos`: hours of bad luck in minutes, on every store.

python -m tests.chaos [--store sqlite|postgres] [--kills 300] [--stalls 50] [--seed 1]
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.chaos.database import DATABASES
from tests.chaos.run import Outcome, Plan, hold_run
from tests.chaos.worker import PHASES


def main() -> int:
    """Hold the runs and print what happened; 1 if anything is wrong, or a phase was never hit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=sorted(DATABASES), action="append")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--stalls", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plan = Plan(
        kills=given.kills,
        stalls=given.stalls,
        full_disks=5,
        restarts=20,
        lost_connections=20,
        seed=given.seed,
    )
    wrong = 0
    for name in given.store or sorted(DATABASES):
        outcome = asyncio.run(_hold_run_on(name, plan))
        _print_outcome(name, outcome)
        missed = [phase for phase in PHASES if not outcome.tally.kills[phase]]
        if missed:
            print(f"  nobody was killed while: {', '.join(missed)}; give more --kills")
        wrong += len(outcome.wrong) + len(missed)
    return int(bool(wrong))


async def _hold_run_on(name: str, plan: Plan) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="soni") as made:
        async with DATABASES[name](Path(made)) as database:
            return await hold_run(plan, database, Path(made))


def _print_outcome(name: str, outcome: Outcome) -> None:
    tally = outcome.tally
    print(f"{name}: {outcome.messages} messages answered")
    print(f"  kill -9             {tally.killed}")
    for phase in PHASES:
        print(f"    while {phase:<14}{tally.kills[phase]}")
    print(f"  stalls              {tally.stalls}")
    print(f"  server restarts     {tally.restarts}")
    print(f"  connections lost    {tally.lost_connections}")
    print(f"  disks full          {tally.full_disks}")
    print(f"  messages sent again {tally.sent_again}, errors {dict(tally.errors)}")
    for each in outcome.wrong:
        print(f"  WRONG: {each}")
    print("  nothing lost, nothing twice" if not outcome.wrong else f"  {len(outcome.wrong)} wrong")


if __name__ == "__main__":
    sys.exit(main())
