"""What a turn costs, beside a bare LangGraph graph in the same run.

Soni runs a flow of six turns (four collects, a confirm, an action, a say) over and over with
scripted understanding. The yardstick is a plain graph that passes as many nodes in each turn as
Soni's graphs have on the way, one superstep each, stops at an interrupt where Soni does, holds the
very state that Soni holds at that moment, and uses the same kind of saver. Both take turns one
after the other, so that whatever else the machine does hits both.

    python benchmarks/turn.py [--turns 500] [--json FILE] [--postgres URL]

With the URL of a PostgreSQL server both sides are measured there as well, the bare graph with
LangGraph's own saver for it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict
from uuid import uuid4

from langgraph.graph import END, START, StateGraph
from langgraph.pregel._loop import PregelLoop
from langgraph.types import Command as Resume
from langgraph.types import interrupt

from soni import RuntimeLoop, SoniConfig, action
from soni.commands import AffirmConfirmation, Command, SetSlot, StartFlow
from soni.du import NLUOutput
from soni.persistence import open_store


@action
async def pay(payee: str, amount: str, account: str, day: str) -> dict[str, str]:
    """Pretend to pay."""
    return {"reference": "R-1"}


CONFIG = SoniConfig.model_validate(
    {
        "actions": {"pay": {"outputs": ["reference"]}},
        "flows": {
            "pay": {
                "trigger": {"examples": ["pay a bill"]},
                "steps": [
                    {"collect": "payee", "message": "Who gets the money?"},
                    {"collect": "amount", "message": "How much?"},
                    {"collect": "account", "message": "From which account?"},
                    {"collect": "day", "message": "On which day?"},
                    {"confirm": "Pay {amount} to {payee} from {account} on {day}?"},
                    {"action": "pay"},
                    {"say": "Done, reference {reference}."},
                ],
            }
        },
    }
).with_functions([pay])

SCRIPT: tuple[tuple[str, Command], ...] = (
    ("I want to pay a bill", StartFlow(flow_name="pay")),
    ("Acme", SetSlot(slot_name="payee", value="Acme")),
    ("120", SetSlot(slot_name="amount", value="120")),
    ("checking", SetSlot(slot_name="account", value="checking")),
    ("tomorrow", SetSlot(slot_name="day", value="tomorrow")),
    ("yes", AffirmConfirmation()),
)


class Script:
    """Understanding that costs nothing: the message says which command it is."""

    async def understand(
        self, user_message: str, history: Sequence[Any], context: Any
    ) -> NLUOutput:
        return NLUOutput(commands=[dict(SCRIPT)[user_message]])


class Bare(TypedDict):
    """The yardstick's state: Soni's own, whole, and a counter."""

    payload: Any
    left: int


def bare_graph(saver: Any, supersteps: Sequence[int]) -> Any:
    """A graph that makes `supersteps[n]` supersteps in the n-th turn of each round."""

    async def work(state: Bare) -> dict[str, Any]:
        return {"left": state["left"] - 1}

    async def wait(state: Bare) -> dict[str, Any]:
        opening: dict[str, Any] = interrupt("next?")
        return opening

    def onward(state: Bare) -> str:
        if state["left"] > 0:
            return "work"
        return "wait" if state["left"] == 0 else END

    graph = StateGraph(Bare)
    graph.add_node("work", work)
    graph.add_node("wait", wait)
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", onward, ["work", "wait", END])
    graph.add_conditional_edges("wait", onward, ["work", "wait", END])
    return graph.compile(checkpointer=saver)


class BareSide:
    """Drives the yardstick through the same turns."""

    def __init__(self, saver: Any, supersteps: Sequence[int]) -> None:
        self._graph = bare_graph(saver, supersteps)
        self._supersteps = supersteps

    async def turn(self, index: int, payload: Any, user: str) -> None:
        position, last = index % len(SCRIPT), len(SCRIPT) - 1
        # Taking the message in is one superstep, fresh or resumed; waiting at the end is another.
        resumed, waits = position > 0, position < last
        work = self._supersteps[position] - 1 - int(waits)
        opening = {"payload": payload, "left": work if waits else work - 1}
        given = Resume(resume=opening) if resumed else opening
        thread = {"configurable": {"thread_id": user}, "recursion_limit": 100}
        await self._graph.ainvoke(given, thread, durability="exit")


@contextmanager
def counted_supersteps() -> Iterator[list[int]]:
    """Counts LangGraph's supersteps, inner graphs included."""
    count = [0]
    tick = PregelLoop.tick

    def counting(loop: PregelLoop, *args: Any, **kwargs: Any) -> bool:
        more = tick(loop, *args, **kwargs)
        count[0] += int(more)
        return more

    PregelLoop.tick = counting  # type: ignore[method-assign]
    try:
        yield count
    finally:
        PregelLoop.tick = tick  # type: ignore[method-assign]


async def supersteps_per_turn(config: SoniConfig) -> list[int]:
    """How many supersteps each of the six turns takes in Soni."""
    taken = []
    async with RuntimeLoop(config, nlu=Script(), store=open_store("memory")) as runtime:
        for message, _ in SCRIPT:
            with counted_supersteps() as count:
                await runtime.turn(message, "warm-up")
            taken.append(count[0])
    return taken


def with_superstep_per_node(config: SoniConfig) -> SoniConfig:
    """The same assistant as it runs when it is traced: LangGraph makes a superstep per node."""
    settings = config.settings.model_copy(
        update={"runtime": config.settings.runtime.model_copy(update={"tracing": True})}
    )
    return config.model_copy(update={"settings": settings})


async def check_yardstick(supersteps: Sequence[int]) -> None:
    """Stop if the yardstick does not make the same supersteps: it would measure nothing."""
    async with open_store("memory") as store:
        bare = BareSide(store.checkpointer, supersteps)
        for index, expected in enumerate(supersteps):
            with counted_supersteps() as count:
                await bare.turn(index, {}, "warm-up")
            if count[0] != expected:
                raise SystemExit(f"turn {index}: {count[0]} supersteps instead of {expected}")


@asynccontextmanager
async def sides(
    kind: str, place: str, supersteps: Sequence[int]
) -> AsyncIterator[tuple[RuntimeLoop, BareSide]]:
    """Soni and the yardstick, each on a store of its own of the same kind."""
    async with AsyncExitStack() as stack:
        store = open_store(kind, f"{place}/soni.db" if kind == "sqlite" else place)
        soni = await stack.enter_async_context(RuntimeLoop(CONFIG, nlu=Script(), store=store))
        if kind == "postgres":
            saver = await stack.enter_async_context(stock_saver(place))
        else:
            bare = open_store(kind, f"{place}/bare.db")
            saver = (await stack.enter_async_context(bare)).checkpointer
        yield soni, BareSide(saver, supersteps)


@asynccontextmanager
async def stock_saver(url: str) -> AsyncIterator[Any]:
    """LangGraph's saver for PostgreSQL, with a pool as its documentation says."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(url, kwargs=options, min_size=1, max_size=10) as pool:
        saver = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
        await saver.setup()
        yield saver


@contextmanager
def places(kind: str, url: str | None) -> Iterator[str]:
    """Where a store of that kind can be: a new folder, or a schema nobody uses."""
    with TemporaryDirectory() as folder:
        yield folder if url is None or kind != "postgres" else url


async def one_conversation(
    kind: str, url: str | None, turns: int, supersteps: Sequence[int]
) -> dict[str, Any]:
    """One long conversation on both sides, turn by turn."""
    soni_seconds, bare_seconds = [], []
    user = uuid4().hex
    with places(kind, url) as place:
        async with sides(kind, place, supersteps) as (soni, bare):
            for index in range(turns):
                started = time.perf_counter()
                turn = await soni.turn(SCRIPT[index % len(SCRIPT)][0], user)
                between = time.perf_counter()
                await bare.turn(index, dict(turn.state), user)
                soni_seconds.append(between - started)
                bare_seconds.append(time.perf_counter() - between)
        size = _bytes_in(Path(place)) if kind == "sqlite" else 0
    return {
        "soni_ms": _ms(soni_seconds),
        "bare_ms": _ms(bare_seconds),
        "ratio": statistics.median(soni_seconds) / statistics.median(bare_seconds),
        "growth": _growth(soni_seconds),
        "bare_growth": _growth(bare_seconds),
        "growth_ratio": _growth(soni_seconds) / _growth(bare_seconds),
        "file_mb": size / 1e6 if kind == "sqlite" else None,
    }


async def many_conversations(
    kind: str, url: str | None, users: int, turns: int, supersteps: Sequence[int]
) -> dict[str, Any]:
    """Many conversations at once, first on one side, then on the other."""
    with places(kind, url) as place:
        async with sides(kind, place, supersteps) as (soni, bare):

            async def talk(user: str) -> Any:
                for index in range(turns):
                    turn = await soni.turn(SCRIPT[index % len(SCRIPT)][0], user)
                return dict(turn.state)

            async def tick(user: str, payload: Any) -> None:
                for index in range(turns):
                    await bare.turn(index, payload, user)

            names = [uuid4().hex for _ in range(users)]
            started = time.perf_counter()
            states = await asyncio.gather(*(talk(user) for user in names))
            between = time.perf_counter()
            await asyncio.gather(*(tick(user, s) for user, s in zip(names, states, strict=True)))
            ended = time.perf_counter()
    count = users * turns
    soni_rate, bare_rate = count / (between - started), count / (ended - between)
    return {
        "soni_turns_per_s": soni_rate,
        "bare_turns_per_s": bare_rate,
        "share": soni_rate / bare_rate,
    }


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("soni.db*"))


def _ms(seconds: Sequence[float]) -> float:
    return statistics.median(seconds) * 1000


def _growth(seconds: Sequence[float]) -> float:
    """The median of the last turns over that of the turns from the tenth on, whole rounds both."""
    span = len(SCRIPT) * 5
    return statistics.median(seconds[-span:]) / statistics.median(seconds[10 : 10 + span])


AIMS = {"postgres": 1.2}
"""How many times the yardstick's a turn may take, where it is not twice."""


def report(kind: str, one: dict[str, Any], many: dict[str, Any], turns: int) -> str:
    """The figures of one store, with what they should be."""
    lines = [
        f"{kind}",
        f"  turn                 {one['soni_ms']:8.2f} ms   bare {one['bare_ms']:.2f} ms   "
        f"ratio {one['ratio']:.2f} (aim: at most {AIMS.get(kind, 2.0)})",
        f"  growth to turn {turns:<5} {one['growth']:8.2f} x    bare {one['bare_growth']:.2f} x   "
        f"ratio {one['growth_ratio']:.2f} (aim: at most 1.1)",
        f"  50 at once           {many['soni_turns_per_s']:8.0f} /s   "
        f"bare {many['bare_turns_per_s']:.0f} /s   share {many['share']:.2f} (aim: at least 0.5)",
    ]
    if one["file_mb"] is not None:
        lines.append(f"  file                 {one['file_mb']:8.2f} MB   (aim: at most 3)")
    return "\n".join(lines)


async def main(turns: int, url: str | None = None) -> dict[str, Any]:
    """Measure all stores and print as results come in."""
    supersteps = await supersteps_per_turn(with_superstep_per_node(CONFIG))
    await check_yardstick(supersteps)
    own = await supersteps_per_turn(CONFIG)
    print(f"nodes on the way of each turn: {supersteps}; supersteps: {own}", flush=True)
    results: dict[str, Any] = {"turns": turns, "nodes": supersteps, "supersteps": own}
    for kind in ("memory", "sqlite", *(["postgres"] if url else [])):
        one = await one_conversation(kind, url, turns, supersteps)
        many = await many_conversations(kind, url, 50, 12, supersteps)
        results[kind] = {**one, **many}
        print(report(kind, one, many, turns), flush=True)
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--postgres", metavar="URL", help="a server to measure as well")
    given = parser.parse_args()
    figures = asyncio.run(main(given.turns, given.postgres))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
