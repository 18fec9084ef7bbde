/**
 * Version 1 of the schema. A record is one row with the bytes that are served, and `version` is an append-only log of
 * all its states. `listing`, `search`, names and their indexes are derived from records and can be rebuilt. SQLite
 * stores this text with its comments, and `doctor` compares it.
 */
const main = `
CREATE TABLE store (
  id TEXT NOT NULL                                -- random; another one when a backup is put in its place
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(8))));

-- Events and other groups that a record belongs to. Their history is in category_version.
CREATE TABLE category (
  id          INTEGER PRIMARY KEY,
  title       TEXT NOT NULL UNIQUE,
  slug        TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  url         TEXT NOT NULL DEFAULT '',
  start_date  TEXT,
  whiteboard  TEXT NOT NULL DEFAULT '',
  added       TEXT NOT NULL,
  listed      INTEGER NOT NULL DEFAULT 0,         -- 1: shown to everybody even while it is empty
  merged_into INTEGER                             -- the category that this one is an alias of
) STRICT;
CREATE INDEX category_by_target ON category (merged_into) WHERE merged_into IS NOT NULL;

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

CREATE TABLE record (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice
  version INTEGER NOT NULL,
  mark    TEXT NOT NULL,                          -- version and a piece of its checksum: what ETags are made of
  state   INTEGER NOT NULL,                       -- 1: live, 2: draft
  slug    TEXT NOT NULL UNIQUE,
  updated TEXT NOT NULL,
  body    BLOB NOT NULL
) STRICT;

-- Changes that belong together, such as those of a rename, an import or an undo, with their progress.
CREATE TABLE batch (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  at          TEXT NOT NULL,
  author      TEXT NOT NULL,
  reason      TEXT,
  undoes      INTEGER REFERENCES batch (id),
  category_id INTEGER REFERENCES category (id),   -- that was renamed, from old_title to new_title
  old_title   TEXT,
  new_title   TEXT,
  names       TEXT,                               -- JSON: which name or category was renamed or merged
  state       TEXT NOT NULL DEFAULT 'done',       -- running, done, stopped
  total       INTEGER NOT NULL DEFAULT 0,         -- records to look at
  done        INTEGER NOT NULL DEFAULT 0,         -- records looked at
  records     INTEGER NOT NULL,                   -- records changed
  unchanged   INTEGER NOT NULL DEFAULT 0,
  last_id     INTEGER NOT NULL DEFAULT 0,         -- not used: nothing writes it
  runner      TEXT,                               -- the writer that works on it
  request_key TEXT,                               -- Idempotency-Key, for a day
  request     TEXT                                -- SHA-256 of the request, in hex
) STRICT;
CREATE INDEX batch_by_undone ON batch (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX batch_running ON batch (id) WHERE state = 'running';
CREATE INDEX batch_by_key ON batch (author, request_key) WHERE request_key IS NOT NULL;

-- Records that a batch skipped, and why.
CREATE TABLE batch_note (
  batch     INTEGER NOT NULL REFERENCES batch (id),
  record_id INTEGER NOT NULL,
  kind      TEXT NOT NULL,                        -- left, refused; erased: a member that is gone
  why       TEXT NOT NULL,
  fields    TEXT NOT NULL,                        -- JSON array of field names
  PRIMARY KEY (batch, kind, record_id, why)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_note_by_record ON batch_note (record_id);

-- Append-only: history, audit, undo and the change feed are readings of this table. The feed never reads the bytes,
-- which are therefore last.
CREATE TABLE version (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,    -- in the order of commits
  record_id INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  at        TEXT NOT NULL,
  kind      TEXT NOT NULL,                        -- created, updated, withdrawn
  state     INTEGER NOT NULL,                     -- of the record in this version
  author    TEXT NOT NULL,
  batch     INTEGER REFERENCES batch (id),
  reason    TEXT,
  changed   TEXT NOT NULL,                        -- JSON array of field names
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  UNIQUE (record_id, number)
) STRICT;
-- Changes that are public.
CREATE INDEX version_public ON version (seq) WHERE state = 1 OR kind = 'withdrawn';
-- The versions by which records became live (decision 47).
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
CREATE INDEX version_by_batch ON version (batch, record_id, number) WHERE batch IS NOT NULL;
CREATE INDEX version_by_author ON version (author, seq, at, record_id);

-- Ids that were erased for good: no content, never used again. An erasure is a change in the feed.
CREATE TABLE tombstone (
  record_id  INTEGER PRIMARY KEY,
  at         TEXT NOT NULL,
  seq        INTEGER NOT NULL UNIQUE,             -- in the same order as those of versions, and never one of theirs
  version    INTEGER NOT NULL,                    -- the number that its next version would have had
  was_public INTEGER NOT NULL                     -- whether it was ever live, so that the feed tells everybody
) STRICT;

-- Hashes of the origins of erased talks, so that imports skip them without the store revealing what they were.
CREATE TABLE erased_origin (
  digest BLOB PRIMARY KEY,                        -- SHA-256; store/import/matcher.ts says of what
  at     TEXT NOT NULL                            -- when the record was erased
) STRICT, WITHOUT ROWID;

-- Access tokens. A rotation replaces the key of a name by a new row.
CREATE TABLE token (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  role      TEXT NOT NULL,
  hash      BLOB NOT NULL UNIQUE,                 -- SHA-256 of the key, which is not stored
  created   TEXT NOT NULL,
  last_used TEXT,
  expires   TEXT,                                 -- null: never
  replaced  TEXT,                                 -- when another key took its place
  revoked   TEXT
) STRICT;
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL AND replaced IS NULL;

-- Sessions of curators (decision 57).
CREATE TABLE session (
  hash       BLOB PRIMARY KEY,                    -- SHA-256 of the cookie, which is not stored
  token_hash BLOB NOT NULL,                       -- of the key that opened it
  name       TEXT NOT NULL,                       -- of that key
  created    TEXT NOT NULL,
  last_used  TEXT NOT NULL,
  agent      TEXT NOT NULL                        -- User-Agent of the browser
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_name ON session (name);

-- What requests with an Idempotency-Key created, for a day.
CREATE TABLE idempotency (
  author      TEXT NOT NULL,
  key         TEXT NOT NULL,
  request     BLOB NOT NULL,                      -- SHA-256 of the request
  record_id   INTEGER,                            -- it created this record,
  category_id INTEGER REFERENCES category (id),   -- or this category
  at          TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (at);

-- Where a record was imported from first.
CREATE TABLE origin (
  record_id INTEGER PRIMARY KEY,
  source    TEXT NOT NULL,
  path      TEXT NOT NULL,                        -- within the source
  imported  TEXT NOT NULL,                        -- JSON of the fields as they came last time
  version   INTEGER,                              -- of the record, after the last import from there; null: not known
  UNIQUE (source, path)
) STRICT;

-- Other places that the record was imported from.
CREATE TABLE origin_alias (
  source    TEXT NOT NULL,
  path      TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  imported  TEXT,                                 -- and version: as in origin
  version   INTEGER,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);

-- What the source of a record had beside its fields.
CREATE TABLE extras (
  record_id INTEGER PRIMARY KEY,
  body      BLOB NOT NULL,                        -- JSON object: what the source has and the record has no field for
  basis     BLOB NOT NULL,                        -- JSON object: what the record alone would have said in its place
  alias     TEXT                                  -- the path that it had on another site, without slashes at its ends
) STRICT;
CREATE INDEX extras_by_alias ON extras (alias, record_id) WHERE alias IS NOT NULL;

-- The file of a category, wherever its talks lie. Body and basis as in extras.
CREATE TABLE category_origin (
  source      TEXT NOT NULL,
  path        TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  body        BLOB NOT NULL,
  basis       BLOB NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;

-- Ids and slugs of deleted names and categories: never used again.
CREATE TABLE retired_name (
  kind   TEXT NOT NULL,                           -- speaker, tag, category
  id     INTEGER NOT NULL,
  digest BLOB NOT NULL,                           -- SHA-256 of the slug, which is not stored
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_name_by_digest ON retired_name (kind, digest);

-- Groups of names that look alike, and that a person has called different.
CREATE TABLE dismissed_variant (
  kind   TEXT NOT NULL,                           -- speaker, tag
  ids    TEXT NOT NULL,                           -- JSON array of ids, ascending
  at     TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (kind, ids)
) STRICT, WITHOUT ROWID;
`

/** Speakers and tags, their places in records, and a trigram index of their names for substring search. */
const names = (table: 'speaker' | 'tag') => `
CREATE TABLE ${table} (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  slug        TEXT NOT NULL UNIQUE,
  key         TEXT NOT NULL,                      -- folded
  merged_into INTEGER                             -- the ${table} that this name is an alias of
) STRICT;
CREATE INDEX ${table}_by_key ON ${table} (key, name);
CREATE INDEX ${table}_by_target ON ${table} (merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE record_${table} (
  record_id  INTEGER NOT NULL,
  place      INTEGER NOT NULL,
  ${table}_id INTEGER NOT NULL,
  PRIMARY KEY (record_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_${table}_by_${table} ON record_${table} (${table}_id, record_id);
CREATE VIRTUAL TABLE ${table}_piece USING fts5 (key, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);
`

/**
 * The columns that lists filter and sort by: one narrow row per record. Each index ends with the columns of the filters,
 * so that counting and scanning never read the rows. The index of a filter continues with state and default order: most
 * readers see live records only, and get them counted and sorted from the index alone.
 */
const filterColumns = 'state, category_id, language, duration, media'
const byDay = 'recorded DESC, title_key, id'

const listing = `
CREATE TABLE listing (
  id          INTEGER PRIMARY KEY,
  state       INTEGER NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  language    TEXT NOT NULL,
  recorded    TEXT,
  title_key   TEXT NOT NULL,                      -- folded
  added       TEXT NOT NULL,
  updated     TEXT NOT NULL,
  duration    INTEGER,
  source_url  TEXT NOT NULL,                      -- canonical, so that a video is found by any of its URLs
  media       INTEGER NOT NULL,                   -- bits: which media there are
  quality     INTEGER NOT NULL DEFAULT 0,         -- bits: what is missing or looks wrong
  host        TEXT NOT NULL DEFAULT '',           -- of source_url
  author      TEXT NOT NULL DEFAULT ''            -- of the newest version
) STRICT;
CREATE INDEX listing_by_recorded ON listing (${byDay}, ${filterColumns});
CREATE INDEX listing_by_added ON listing (added, id, ${filterColumns});
CREATE INDEX listing_by_updated ON listing (updated, id, ${filterColumns});
CREATE INDEX listing_by_title ON listing (title_key, id, ${filterColumns});
CREATE INDEX listing_by_duration ON listing (duration, id, state, category_id, language, media);
CREATE INDEX listing_by_category ON listing (category_id, state, ${byDay}, language, duration, media);
CREATE INDEX listing_by_language ON listing (language, state, ${byDay}, category_id, duration, media);
CREATE INDEX listing_by_state ON listing (state, ${byDay}, category_id, language, duration, media);
CREATE INDEX listing_by_source ON listing (source_url) WHERE source_url <> '';
`

/** A larger buffer, written out at 4 MB instead of 1 MB within a transaction, makes an import a fifth cheaper. */
const search = `
-- Clean tokens of our own (record/text/search-text.ts), so the tokenizer has nothing to decide.
CREATE VIRTUAL TABLE search USING fts5 (
  title, speakers, tags, category, summary, description,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);
INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);
`

/**
 * Statistics for the query planner (`sqlite_stat1`): the rows of an index, and how many share its first column, its
 * first two, and so on. Fixed instead of measured, so that every store has the same query plans: source before
 * category, category before duration, duration before language or media (most talks are in one language), state last.
 */
const statistics = {
  listing_by_recorded: '100000 14 1 1',
  listing_by_added: '100000 2 1',
  listing_by_updated: '100000 2 1',
  listing_by_title: '100000 2 1',
  listing_by_duration: '100000 20 1',
  listing_by_category: '100000 200 195 2 1 1',
  listing_by_language: '100000 30000 29000 10 1 1',
  listing_by_state: '100000 90000 13 1 1',
  listing_by_source: '90000 1',
}
const statisticsRows = Object.entries(statistics).map(([index, stat]) => `('listing', '${index}', '${stat}')`)

const planner = `
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${statisticsRows.join(', ')};
`

export const sqliteSchema = [main, names('speaker'), names('tag'), listing, search, planner].join('')
