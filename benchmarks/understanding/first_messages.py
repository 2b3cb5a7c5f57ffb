"""How often the flow that a first message wants, or none, is what the reader starts.

First messages to the assistants of tests/nlu (`read`: the tuning half, and assistants that were
read whole; `unread`: nothing was tuned on them), and of STAR where benchmarks/understanding/intents
looks for data: 24 tasks at once, each with its name and description and with no or three examples.
Only counts are told.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.understanding.first_messages
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from benchmarks.understanding.nlu import UNREAD
from soni.commands import StartFlow
from soni.du.local.provider import LocalNLU
from tools.episodes.measure import STAR_EXAMPLES, Situation, list_assistants, make_star


async def read_flow(situation: Situation, text: str) -> str | None:
    """The flow that the reader starts; None: it starts none, or asks which."""
    read = await LocalNLU().understand(text, [], situation.context)
    starts = [one.flow_name for one in read.commands if isinstance(one, StartFlow)]
    return starts[0] if len(starts) == 1 else None


async def count_right(situations: Iterable[Situation]) -> dict[str, tuple[int, int]]:
    """How many are right, of how many: those that start a flow, and all."""
    starts, every = [], []
    for situation in situations:
        for text, wanted in situation.messages:
            is_right = await read_flow(situation, text) == wanted
            every.append(is_right)
            if wanted is not None:
                starts.append(is_right)
    return {"starts": (sum(starts), len(starts)), "flow or none": (sum(every), len(every))}


def main() -> None:
    """Measure and print."""
    assistants = list_assistants()
    sets = {
        "read": [one for one in assistants if one.name not in UNREAD],
        "unread": [one for one in assistants if one.name in UNREAD],
        **{f"STAR, {shots} examples": [make_star(shots)] for shots in (0, STAR_EXAMPLES)},
    }
    for name, situations in sets.items():
        for kind, (right, total) in asyncio.run(count_right(situations)).items():
            print(f"{name:18} {kind:14} {right:5} of {total:5}  {right / total:.3f}", flush=True)


if __name__ == "__main__":
    main()
