/** The record is the row: its bytes beside the few columns that are filtered or sorted on. */
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
  id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
  version     INTEGER NOT NULL,
  mark        TEXT NOT NULL,                      -- version and a piece of its checksum: what ETags are made of
  state       INTEGER NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  slug        TEXT NOT NULL UNIQUE,
  title_key   TEXT NOT NULL,                      -- folded, for sorting
  recorded    TEXT,
  updated     TEXT NOT NULL,
  body        BLOB NOT NULL
) STRICT;
CREATE INDEX record_by_day ON record (recorded DESC, title_key, id);
CREATE INDEX record_live_by_day ON record (recorded DESC, title_key, id) WHERE state = 1;

-- Append-only: history, audit, undo and the change feed are readings of this table.
CREATE TABLE version (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  at        TEXT NOT NULL,
  author    TEXT NOT NULL,
  batch     INTEGER,
  reason    TEXT,
  changed   TEXT NOT NULL,                        -- JSON array of field names
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  UNIQUE (record_id, number)
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
`
