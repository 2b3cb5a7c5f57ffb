"""The tables of the SQLite file, and how those of older versions become today's."""

import sqlite3
from typing import Final

# Migrations are applied in order, each in one transaction with the number it leads to. One that
# was released is never changed: add another.
MIGRATIONS: Final = (
    """
    CREATE TABLE journal (
        conversation_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        message_id TEXT,
        at REAL NOT NULL,
        status TEXT NOT NULL,
        data TEXT NOT NULL,
        prev_hash TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (conversation_id, seq)
    );
    CREATE INDEX journal_messages ON journal (conversation_id, message_id)
        WHERE message_id IS NOT NULL AND status = 'ok';
    CREATE TABLE effects (
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        result TEXT,
        PRIMARY KEY (key, digest)
    ) WITHOUT ROWID;
    CREATE INDEX effects_conversation ON effects (conversation_id);
    CREATE TABLE leases (
        conversation_id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        machine TEXT NOT NULL,
        pid INTEGER NOT NULL,
        expires_at REAL NOT NULL
    ) WITHOUT ROWID;
    """,
    # Fencing tokens, lives and messages, which the journal alone could not tell quickly.
    """
    CREATE TABLE conversations (
        conversation_id TEXT PRIMARY KEY,
        user_id TEXT,
        life INTEGER NOT NULL DEFAULT 0,
        last_at REAL,
        due_at REAL,
        versions TEXT NOT NULL DEFAULT '[]',
        token INTEGER NOT NULL DEFAULT 0,
        owner TEXT,
        machine TEXT,
        pid INTEGER,
        expires_at REAL
    ) WITHOUT ROWID;
    CREATE INDEX conversations_user ON conversations (user_id);
    CREATE INDEX conversations_due ON conversations (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX conversations_open ON conversations (conversation_id) WHERE versions <> '[]';
    INSERT INTO conversations (conversation_id, user_id, life, last_at, due_at)
        SELECT conversation_id, json_extract(data, '$.user_id'), SUM(status = 'reset'), MAX(at), 0
        FROM journal GROUP BY conversation_id;
    CREATE TABLE inbox (
        conversation_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        received_at REAL NOT NULL,
        state TEXT NOT NULL,
        text TEXT,
        seq INTEGER,
        PRIMARY KEY (conversation_id, message_id)
    );
    INSERT OR REPLACE INTO inbox (conversation_id, message_id, received_at, state, seq)
        SELECT conversation_id, message_id, at, 'handled', seq FROM journal AS entry
        WHERE message_id IS NOT NULL AND status = 'ok' AND NOT EXISTS (
            SELECT 1 FROM journal AS later WHERE later.conversation_id = entry.conversation_id
            AND later.seq > entry.seq AND later.status = 'reset'
        ) ORDER BY seq;
    CREATE INDEX inbox_waiting ON inbox (conversation_id) WHERE state = 'waiting';
    DROP INDEX journal_messages;
    DROP TABLE leases;
    ALTER TABLE effects ADD COLUMN action TEXT NOT NULL DEFAULT '';
    ALTER TABLE effects ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE effects ADD COLUMN begun_at REAL NOT NULL DEFAULT 0;
    ALTER TABLE effects ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX effects_unknown ON effects (begun_at) WHERE result IS NULL;
    CREATE TABLE versions (
        fingerprint TEXT PRIMARY KEY,
        content TEXT NOT NULL,
        stored_at REAL NOT NULL
    );
    CREATE TABLE jobs (
        key TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        due_at REAL NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT 'waiting',
        conversation_id TEXT,
        error TEXT,
        owner TEXT,
        machine TEXT,
        pid INTEGER,
        expires_at REAL
    ) WITHOUT ROWID;
    CREATE INDEX jobs_due ON jobs (due_at) WHERE state <> 'dead';
    CREATE INDEX jobs_running ON jobs (machine, pid) WHERE state = 'running';
    CREATE INDEX jobs_conversation ON jobs (conversation_id) WHERE conversation_id IS NOT NULL;
    """,
    # Who took part where, and what must not come again after a conversation is gone.
    """
    CREATE TABLE participants (
        user_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        PRIMARY KEY (user_id, conversation_id)
    ) WITHOUT ROWID;
    CREATE INDEX participants_conversation ON participants (conversation_id);
    INSERT OR IGNORE INTO participants
        SELECT json_extract(data, '$.user_id'), conversation_id FROM journal
        WHERE typeof(data) = 'text' AND json_extract(data, '$.user_id') IS NOT NULL;
    DROP INDEX conversations_user;
    CREATE TABLE lives (next INTEGER NOT NULL);
    INSERT INTO lives VALUES (0);
    CREATE INDEX journal_age ON journal (at);
    CREATE INDEX inbox_age ON inbox (received_at);
    CREATE INDEX conversations_age ON conversations (last_at);
    """,
    # Who may use a server, and which conversations wait for a person.
    """
    CREATE TABLE access_keys (
        key_id TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        label TEXT NOT NULL,
        created_at REAL NOT NULL,
        expires_at REAL
    );
    ALTER TABLE conversations ADD COLUMN handed_off_at REAL;
    CREATE INDEX conversations_handed_off ON conversations (conversation_id)
        WHERE handed_off_at IS NOT NULL;
    """,
)
SCHEMA_VERSION: Final = len(MIGRATIONS)


def read_version(connection: sqlite3.Connection) -> int:
    """The number of migrations that were applied to the file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def apply_migrations(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date, inside a transaction."""
    for statements in MIGRATIONS[read_version(connection) :]:
        for statement in filter(str.strip, statements.split(";")):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
