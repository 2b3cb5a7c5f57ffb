"""The effects' table."""

import json
import time
from typing import Any, Final

from soni.core.storage import Effect
from soni.core.storage_errors import make_fenced_error, make_not_begun_error
from soni.persistence.journal import encode_canonical
from soni.persistence.postgres.leases import HELD, Leases
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.postgres.values import StoredValues

COLUMNS: Final = "key, digest, result, conversation_id, action, begun_at"

# Shared, so that actions that run side by side do not wait for each other's disk write.
_HELD_ROW: Final = f"held AS MATERIALIZED (SELECT 1 FROM conversations WHERE {HELD} FOR SHARE)"

BEGIN: Final = f"""
WITH {_HELD_ROW},
fresh AS (
    INSERT INTO effects (key, digest, conversation_id, action, holder, begun_at)
    SELECT %(key)s, %(digest)s, %(id)s, %(action)s, %(holder)s, %(at)s FROM held
    ON CONFLICT (key, digest) DO NOTHING RETURNING 1
)
SELECT EXISTS (SELECT FROM held), EXISTS (SELECT FROM fresh)
"""
FINISH: Final = f"""
WITH {_HELD_ROW},
changed AS (
    UPDATE effects SET result = %(result)s, settled = settled OR NOT EXISTS (SELECT FROM held)
    WHERE key = %(key)s AND digest = %(digest)s
    AND (EXISTS (SELECT FROM held) OR (holder = %(holder)s AND result IS NULL)) RETURNING 1
)
SELECT EXISTS (SELECT FROM held), EXISTS (SELECT FROM changed)
"""
RESOLVE: Final = (
    "UPDATE effects SET result = %s WHERE key = %s AND digest = %s AND result IS NULL RETURNING 1"
)
# Parts of the statement that writes a turn. `keys` are the settled ones; None: all. One that was
# settled before got its result too late for its turn: that is kept.
SETTLED: Final = (
    """
marked AS (
    UPDATE effects SET settled = true FROM held
    WHERE effects.conversation_id = held.conversation_id
    AND (%(keys)s::text[] IS NULL OR key = ANY(%(keys)s)) AND result IS NULL
)
""",
    """
done AS (
    DELETE FROM effects USING held WHERE effects.conversation_id = held.conversation_id
    AND (%(keys)s::text[] IS NULL OR key = ANY(%(keys)s)) AND result IS NOT NULL AND NOT settled
)
""",
)


class PostgresLedger:
    """Records effects, each call in its own durable transaction."""

    def __init__(self, server: PostgresServer, leases: Leases, values: StoredValues) -> None:
        self._server = server
        self._leases = leases
        self._values = values

    async def begin(
        self, key: str, digest: str, conversation_id: str, *, action: str = ""
    ) -> Effect | None:
        holding = self._leases.require_holding(conversation_id)
        holding.effects.add(key)
        values = {"key": key, "digest": digest, "action": action, "at": time.time()}
        ((held, fresh),) = await self._server.run(BEGIN, {**values, **holding.identity})
        if not held:
            raise make_fenced_error(conversation_id)
        if fresh:
            return None
        known = await self._select_effects("key = %s AND digest = %s", key, digest)
        return known[0] if known else Effect(key, digest, "begun")

    async def finish(
        self, key: str, digest: str, conversation_id: str, result: dict[str, Any]
    ) -> None:
        values = {"key": key, "digest": digest, "result": self._pack(result)}
        holding = self._leases.find_holding(conversation_id)
        ((held, changed),) = await self._server.run(FINISH, {**values, **holding.identity})
        if not held or holding.session.closed:
            raise make_fenced_error(conversation_id)
        if not changed:
            raise make_not_begun_error(key)

    async def list_unknown(self, *, begun_before: float, limit: int = 1000) -> list[Effect]:
        return await self._select_effects(
            "result IS NULL AND (settled OR begun_at < %s)", begun_before, limit=limit
        )

    async def list_effects(self, conversation_id: str) -> list[Effect]:
        return await self._select_effects("conversation_id = %s", conversation_id)

    async def resolve(self, key: str, digest: str, result: dict[str, Any]) -> bool:
        return bool(await self._server.run(RESOLVE, (self._pack(result), key, digest)))

    async def _select_effects(
        self, where: str, *values: Any, limit: int | None = None
    ) -> list[Effect]:
        rows = await self._server.run(
            f"SELECT {COLUMNS} FROM effects WHERE {where} ORDER BY begun_at LIMIT %s",
            (*values, limit),
        )
        return [self._make_effect(*row) for row in rows]

    def _make_effect(self, key: str, digest: str, stored: str | None, *about: Any) -> Effect:
        if stored is None:
            return Effect(key, digest, "begun", None, *about)
        result = json.loads(self._values.unpack_text(stored))
        return Effect(key, digest, "finished", result, *about)

    def _pack(self, result: dict[str, Any]) -> str:
        return self._values.pack_text(encode_canonical(result))
