"""The tables of the schema, and how those of older versions become today's."""

from typing import Any, Final

from psycopg import AsyncConnection, sql

# Migrations are applied in order, in one transaction with the number that they lead to. One that
# was released is never changed: add another.
#
# Ids are compared by code point, as Python does, whatever the language of the database. Data is
# `text` and not `jsonb`: the chain of hashes is over its exact characters, and `jsonb` refuses
# "\u0000". Rows that every turn rewrites leave room on their page, which spares the indexes; for
# the same reason there is none on `last_at`.
#
# `next_life` is volatile, so it sees what was erased after the statement that calls it had begun.
MIGRATIONS: Final = (
    """
    CREATE TABLE lives (next integer NOT NULL);
    INSERT INTO lives VALUES (0);
    CREATE FUNCTION next_life() RETURNS integer LANGUAGE sql VOLATILE
        BEGIN ATOMIC SELECT next FROM lives; END;
    CREATE TABLE conversations (
        conversation_id text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C",
        life integer NOT NULL DEFAULT next_life(),
        last_at double precision,
        due_at double precision,
        versions text[] NOT NULL DEFAULT '{}',
        token bigint NOT NULL,
        holder text NOT NULL,
        last_seq integer NOT NULL DEFAULT 0,
        last_hash text NOT NULL DEFAULT ''
    ) WITH (fillfactor = 70);
    CREATE INDEX conversations_due ON conversations (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX conversations_open ON conversations (conversation_id) WHERE versions <> '{}';
    CREATE TABLE participants (
        user_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (user_id, conversation_id)
    );
    CREATE INDEX participants_conversation ON participants (conversation_id);
    CREATE TABLE checkpoints (
        conversation_id text COLLATE "C" NOT NULL,
        namespace text COLLATE "C" NOT NULL,
        checkpoint_id text NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (conversation_id, namespace)
    ) WITH (fillfactor = 50);
    CREATE TABLE journal (
        conversation_id text COLLATE "C" NOT NULL,
        seq integer NOT NULL,
        turn integer NOT NULL,
        message_id text,
        at double precision NOT NULL,
        status text NOT NULL,
        data text NOT NULL,
        prev_hash text NOT NULL,
        hash text NOT NULL,
        PRIMARY KEY (conversation_id, seq)
    );
    CREATE INDEX journal_age ON journal USING brin (at) WITH (autosummarize = on);
    CREATE TABLE effects (
        key text COLLATE "C" NOT NULL,
        digest text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        action text NOT NULL,
        holder text NOT NULL,
        begun_at double precision NOT NULL,
        settled boolean NOT NULL DEFAULT false,
        result text,
        PRIMARY KEY (key, digest)
    );
    CREATE INDEX effects_conversation ON effects (conversation_id);
    CREATE INDEX effects_unknown ON effects (begun_at) WHERE result IS NULL;
    CREATE TABLE inbox (
        conversation_id text COLLATE "C" NOT NULL,
        message_id text COLLATE "C" NOT NULL,
        arrival bigint GENERATED ALWAYS AS IDENTITY,
        received_at double precision NOT NULL,
        state text NOT NULL,
        text text,
        seq integer,
        PRIMARY KEY (conversation_id, message_id)
    );
    CREATE INDEX inbox_waiting ON inbox (conversation_id, arrival) WHERE state = 'waiting';
    CREATE INDEX inbox_age ON inbox USING brin (received_at) WITH (autosummarize = on);
    CREATE TABLE versions (
        fingerprint text COLLATE "C" PRIMARY KEY,
        arrival bigint GENERATED ALWAYS AS IDENTITY,
        content text NOT NULL
    );
    """,
    # Who may use a server, and how much; which conversations wait for a person.
    """
    CREATE TABLE access_keys (
        key_id text COLLATE "C" PRIMARY KEY,
        digest text COLLATE "C" NOT NULL UNIQUE,
        role text NOT NULL,
        label text NOT NULL,
        created_at double precision NOT NULL,
        expires_at double precision
    );
    CREATE UNLOGGED TABLE counters (
        key text COLLATE "C" PRIMARY KEY,
        count bigint NOT NULL,
        expires_at double precision NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX counters_age ON counters (expires_at);
    ALTER TABLE conversations ADD COLUMN handed_off_at double precision;
    CREATE INDEX conversations_handed_off ON conversations (conversation_id)
        WHERE handed_off_at IS NOT NULL;
    """,
)
SCHEMA_VERSION: Final = len(MIGRATIONS)

# Any number will do, as long as all versions of Soni use the same.
_MIGRATION_LOCK: Final = 0x736F6E69


async def read_version(connection: AsyncConnection[Any], schema: str) -> int:
    """The number of migrations that were applied to the schema."""
    # Not `to_regclass`: in a transaction that waited, it may still believe that there is none.
    cursor = await connection.execute(
        "SELECT FROM pg_tables WHERE schemaname = %s AND tablename = 'format'", (schema,)
    )
    if await cursor.fetchone() is None:
        return 0
    cursor = await connection.execute(f"SELECT version FROM {quote_name(schema)}.format")
    (version,) = await cursor.fetchone() or (0,)
    return int(version)


async def apply_migrations(connection: AsyncConnection[Any], schema: str) -> None:
    """Create the schema, or bring its tables up to date, while other processes wait."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        before = await read_version(connection, schema)
        if before >= SCHEMA_VERSION:
            return  # another process was quicker
        if before == 0:
            quoted = quote_name(schema)
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted}")
            await connection.execute(f"CREATE TABLE {quoted}.format (version integer NOT NULL)")
            await connection.execute(f"INSERT INTO {quoted}.format VALUES (0)")
        for statements in MIGRATIONS[before:]:
            await connection.execute(statements)
        await connection.execute(f"UPDATE format SET version = {SCHEMA_VERSION}")


def quote_name(name: str) -> str:
    """The name as it stands in a statement, whatever its characters."""
    return sql.Identifier(name).as_string(None)
