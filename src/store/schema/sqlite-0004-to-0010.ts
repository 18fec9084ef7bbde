/** 0004. Origins of imported records, their extras (data that no field can hold), and erased ids. */
export const archive = `
CREATE TABLE origin (
  record_id INTEGER PRIMARY KEY,
  source    TEXT NOT NULL,                        -- what it was imported from
  path      TEXT NOT NULL,                        -- where in there
  imported  TEXT NOT NULL,                        -- JSON of the fields as they came last time
  UNIQUE (source, path)
) STRICT;

CREATE TABLE extras (
  record_id INTEGER PRIMARY KEY,
  body      BLOB NOT NULL,                        -- JSON object: what the source has and the record has no field for
  basis     BLOB NOT NULL                         -- JSON object: what the record alone would have said in its place
) STRICT;

-- The file of a category, wherever its talks lie.
CREATE TABLE category_origin (
  source      TEXT NOT NULL,
  path        TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  body        BLOB NOT NULL,
  basis       BLOB NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;

-- Ids that were erased for good: no content, never used again.
CREATE TABLE tombstone (
  record_id INTEGER PRIMARY KEY,
  at        TEXT NOT NULL
) STRICT;
`

/** 0005. An erasure is a change in the feed, numbered together with the versions. No store had erasures before. */
export const erasures = `
DROP TABLE tombstone;

-- Ids that were erased for good: no content, never used again.
CREATE TABLE tombstone (
  record_id  INTEGER PRIMARY KEY,
  at         TEXT NOT NULL,
  seq        INTEGER NOT NULL UNIQUE,             -- in the same order as those of versions, and never one of theirs
  version    INTEGER NOT NULL,                    -- the number that its next version would have had
  was_public INTEGER NOT NULL                     -- whether everybody may know of it, having seen it before
) STRICT;
`

/**
 * 0006. Hashes of the origins of erased talks, so that imports skip them without the store revealing what they were.
 * Also a larger buffer for the search index: within a transaction it is written out at 4 MB instead of 1 MB, which
 * makes an import a fifth cheaper. SQLite stores the text of the table with its comments, and the doctor compares it,
 * so the old path of import/erased-origins.ts stays in it.
 */
export const imports = `
CREATE TABLE erased_origin (
  digest BLOB PRIMARY KEY,                        -- SHA-256; store/sql/erased-origins.ts says of what
  at     TEXT NOT NULL                            -- when the record was erased
) STRICT, WITHOUT ROWID;

INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);
`

/**
 * 0007. A record can have several origins, each with the values of its last import, which the next import compares
 * with. `upgrade-origins.ts` then removes passwords from the names of sources and writes the URLs in the listing in
 * their canonical form. Overwritten data is wiped.
 */
export const origins = `
PRAGMA secure_delete = ON;

ALTER TABLE origin ADD COLUMN version INTEGER;       -- of the record, after the last import from there; null: of before this schema

-- Other places that the record was imported from.
CREATE TABLE origin_alias (
  source    TEXT NOT NULL,
  path      TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  imported  TEXT,                                    -- and version: as in origin
  version   INTEGER,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);
`

/**
 * 0008. Categories have versions, and may be listed while they have no live records. The past of existing ones is
 * unknown, so their first version is the current state. An Idempotency-Key can belong to a category instead of a
 * record.
 */
export const categories = `
ALTER TABLE category ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;   -- 1: shown to everybody even while it is empty

CREATE TABLE category_version (
  category_id INTEGER NOT NULL REFERENCES category (id),
  number      INTEGER NOT NULL,
  at          TEXT NOT NULL,
  author      TEXT NOT NULL,
  reason      TEXT,
  changed     TEXT NOT NULL,                      -- JSON array of field names
  body        TEXT NOT NULL,                      -- JSON object of the fields; ETags are made of these bytes
  PRIMARY KEY (category_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO category_version (category_id, number, at, author, changed, body)
SELECT id, 1, added, 'upgrade', '["title","description","url","start_date","whiteboard"]',
  json_object('title', title, 'description', description, 'url', url, 'start_date', start_date, 'whiteboard', whiteboard)
FROM category;

CREATE TABLE next_idempotency (
  author      TEXT NOT NULL,
  key         TEXT NOT NULL,
  request     BLOB NOT NULL,                      -- SHA-256 of the wish
  record_id   INTEGER,                            -- what it made: this record,
  category_id INTEGER REFERENCES category (id),   -- or this category
  at          TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT, WITHOUT ROWID;
INSERT INTO next_idempotency (author, key, request, record_id, at)
SELECT author, key, request, record_id, at FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE next_idempotency RENAME TO idempotency;
CREATE INDEX idempotency_by_time ON idempotency (at);
`

/**
 * 0009. Identifies the store. Followers of the change feed compare it, because a restored copy reuses sequence numbers.
 */
export const storeId = `
CREATE TABLE store (
  id TEXT NOT NULL                                -- random; another one when a backup is put in its place
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(8))));
`

/**
 * 0010. A batch stores its progress, its worker and the records it skipped. Existing batches are complete. The
 * idempotency key of the request that started a batch is kept for a day.
 */
export const batches = `
ALTER TABLE batch ADD COLUMN state TEXT NOT NULL DEFAULT 'done';    -- running, done, stopped
ALTER TABLE batch ADD COLUMN total INTEGER NOT NULL DEFAULT 0;      -- records to look at
ALTER TABLE batch ADD COLUMN done INTEGER NOT NULL DEFAULT 0;       -- records looked at; those changed are "records"
ALTER TABLE batch ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN last_id INTEGER NOT NULL DEFAULT 0;    -- the record looked at last
ALTER TABLE batch ADD COLUMN runner TEXT;                           -- the writer that works on it
ALTER TABLE batch ADD COLUMN request_key TEXT;                      -- Idempotency-Key
ALTER TABLE batch ADD COLUMN request TEXT;                          -- SHA-256 of the request, in hex
UPDATE batch SET total = records, done = records;
CREATE INDEX batch_running ON batch (id) WHERE state = 'running';
CREATE INDEX batch_by_key ON batch (author, request_key) WHERE request_key IS NOT NULL;

CREATE TABLE batch_note (
  batch     INTEGER NOT NULL REFERENCES batch (id),
  record_id INTEGER NOT NULL,
  kind      TEXT NOT NULL,                        -- left, refused; erased: a member that is gone
  why       TEXT NOT NULL,
  fields    TEXT NOT NULL,                        -- JSON array of field names
  PRIMARY KEY (batch, kind, record_id, why)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_note_by_record ON batch_note (record_id);
`
