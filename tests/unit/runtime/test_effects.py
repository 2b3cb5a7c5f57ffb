"""What the ledger may forget after a turn, and what it must keep for a failed one."""

from pathlib import Path
from typing import Any

import pytest

from soni.core.calls import ActionCall
from soni.core.state import create_initial_state
from soni.core.storage import StagedTurn, Store, TurnEntry
from soni.core.turn_trace import TurnTrace
from soni.core.types import DialogueState
from soni.persistence import open_store
from soni.runtime.effects import TurnEffects


class Runner:
    async def run(self, call: ActionCall) -> dict[str, Any]:
        return {"ran": call.key}


def call(key: str) -> ActionCall:
    return ActionCall(
        action="charge",
        inputs={},
        key=key,
        user_id="ann",
        conversation_id="ann",
        flow_id=None,
        slots={},
        session={},
        say=lambda text: None,
    )


def state(*flow_ids: str) -> DialogueState:
    stack: Any = [{"flow_id": flow_id} for flow_id in flow_ids]
    return {**create_initial_state(), "flow_stack": stack}


async def test_what_the_turn_did_is_settled_and_nothing_else_of_open_flows() -> None:
    effects = TurnEffects(Runner(), "ann", TurnTrace())
    assert await effects.run(call("ann/pay_1/charge/1")) == {"ran": "ann/pay_1/charge/1"}
    settled = effects.make_settled_check(state("pay_1"), state("pay_1"))
    assert settled("ann/pay_1/charge/1")
    assert not settled("ann/pay_1/charge/10")
    assert not settled("ann/pay_1/ship/1")
    assert not settled("ann/pay_2/charge/1")  # may be of a message that will be sent again


async def test_all_of_a_flow_that_is_over_is_settled() -> None:
    settled = TurnEffects(Runner(), "ann", TurnTrace()).make_settled_check(
        state("pay_1", "pay_11"), state("pay_11")
    )
    assert settled("ann/pay_1/charge/1")
    assert settled("ann/pay_1/ship/3")
    assert not settled("ann/pay_11/charge/1")
    assert settled("ann/handoff/7")


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
async def test_a_commit_forgets_exactly_what_is_settled(backend: str, tmp_path: Path) -> None:
    async with open_store(backend, str(tmp_path / "s.db")) as store:
        await finish(store, "ann", "ann/a/x/1", "ann/b/x/1")
        await finish(store, "ann", "ann/a/x/1", digest="other inputs")
        await finish(store, "bob", "bob/a/x/1")
        await commit(store, settled=lambda key: key.startswith("ann/a/"))
        async with store.conversation("ann"), store.conversation("bob"):
            begin = store.ledger.begin
            assert await begin("ann/b/x/1", "d", "ann") is not None
            assert await begin("bob/a/x/1", "d", "bob") is not None
            assert await begin("ann/a/x/1", "d", "ann") is None
            assert await begin("ann/a/x/1", "other inputs", "ann") is None
        await commit(store)
        async with store.conversation("ann"):
            assert await store.ledger.begin("ann/b/x/1", "d", "ann") is None


async def finish(store: Store, conversation_id: str, *keys: str, digest: str = "d") -> None:
    async with store.conversation(conversation_id):
        for key in keys:
            await store.ledger.begin(key, digest, conversation_id)
            await store.ledger.finish(key, digest, conversation_id, {})


async def commit(store: Store, **options: Any) -> None:
    async with store.conversation("ann"):
        nothing = StagedTurn("ann", ())
        await store.commit(nothing, TurnEntry(1, 0.0, {}), **options)
