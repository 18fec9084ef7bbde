/** A record is one row with the bytes that are served. Everything derived from them is in separate tables. */
export const sql = `
CREATE TABLE category (
  id          INTEGER PRIMARY KEY,
  title       TEXT NOT NULL UNIQUE,
  slug        TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  url         TEXT NOT NULL DEFAULT '',
  start_date  TEXT,
  whiteboard  TEXT NOT NULL DEFAULT '',
  added       TEXT NOT NULL
) STRICT;

CREATE TABLE record (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice
  version INTEGER NOT NULL,
  mark    TEXT NOT NULL,                          -- version and a piece of its checksum: what ETags are made of
  state   INTEGER NOT NULL,
  slug    TEXT NOT NULL UNIQUE,
  updated TEXT NOT NULL,
  body    BLOB NOT NULL
) STRICT;

-- Append-only: history, audit, undo and the change feed are readings of this table.
CREATE TABLE version (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  at        TEXT NOT NULL,
  author    TEXT NOT NULL,
  batch     INTEGER REFERENCES batch (id),
  reason    TEXT,
  changed   TEXT NOT NULL,                        -- JSON array of field names
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  UNIQUE (record_id, number)
) STRICT;

-- Many versions that belong together, such as a renamed category's.
CREATE TABLE batch (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind    TEXT NOT NULL,
  at      TEXT NOT NULL,
  author  TEXT NOT NULL,
  records INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  role      TEXT NOT NULL,
  hash      BLOB NOT NULL UNIQUE,                 -- SHA-256 of the key; the key itself is nowhere
  created   TEXT NOT NULL,
  last_used TEXT,
  revoked   TEXT
) STRICT;
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL;

-- What a client named with an Idempotency-Key, for a day.
CREATE TABLE idempotency (
  author    TEXT NOT NULL,
  key       TEXT NOT NULL,
  request   BLOB NOT NULL,                        -- SHA-256 of the wish
  record_id INTEGER NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (at);
`
